/// The file `maintain.lock`: held by whoever rewrites or removes sealed segments, never renamed or
/// deleted. A writer does not need it, since it never touches a sealed segment.
package struct MaintenanceLock: Sendable {
  package static let fileName = "maintain.lock"

  /// The lock goes with the open file.
  private let file: any LogFile

  /// Takes the lock, trying again until `pause` says that no time is left.
  ///
  /// - Throws: `.locked` where somebody else maintains the log.
  package init(_ files: any LogFiles, pause: () -> Bool) throws(LogError) {
    file = try files.open(Self.fileName, .createIfMissing)
    while try !file.tryLock() {
      if pause() { continue }
      throw LogError(
        .locked, file: files.path,
        detail: "another process packs or prunes this log: wait for it, or give a longer --wait")
    }
  }
}
