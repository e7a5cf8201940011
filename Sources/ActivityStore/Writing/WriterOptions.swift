#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Who writes a log, how durably, and how long it waits for its turn.
package struct WriterOptions: Sendable {
  package var identity: WriterIdentity
  package var policy: SyncPolicy
  /// Microseconds; when this writer began, for whoever waits for it.
  package var started: Int64
  /// How long to wait for another writer, in milliseconds.
  package var waitMilliseconds: Int

  package init(
    identity: WriterIdentity, policy: SyncPolicy = .everyCommit, started: Int64,
    waitMilliseconds: Int = 10_000
  ) {
    self.identity = identity
    self.policy = policy
    self.started = started
    self.waitMilliseconds = waitMilliseconds
  }

  /// How long to wait between two attempts to take a lock.
  static let stepMilliseconds = 20

  static func pauseForAStep() { usleep(UInt32(stepMilliseconds * 1_000)) }

  func lock(_ files: any LogFiles) throws(LogError) -> WriterLock {
    // A reader may hold the lock for a moment to see whether a writer lives: always try thrice.
    var attempts = max(2, waitMilliseconds / Self.stepMilliseconds)
    return try WriterLock(
      files, note: WriterNote(writer: identity, started: started, policy: policy)
    ) {
      guard attempts > 0 else { return false }
      attempts -= 1
      Self.pauseForAStep()
      return true
    }
  }
}
