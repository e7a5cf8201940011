public import ActivityCore
internal import Dispatch

/// The door to a log for several tasks of an app or a server: one writer behind an actor.
///
/// Appends that arrive together share one sync. The actor runs on its own queue, so that waiting
/// for a disk never blocks the shared pool of threads.
public actor LogRecorder {
  private let executor: RecorderExecutor
  private var writer: LogWriter
  /// Appends so far, and how many of them are durable.
  private var written = 0
  private var durable = 0

  /// The recorder's own queue.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Takes over a writer; nothing else may use it any more.
  public init(_ writer: sending LogWriter) {
    executor = RecorderExecutor()
    self.writer = writer
  }

  /// The seq the next event gets.
  public var nextSeq: Int64 { writer.nextSeq }

  /// Appends a batch; it is as durable as the writer's policy says when this returns.
  ///
  /// - Throws: As `LogWriter.append`.
  public func append(
    _ batch: EventColumns, cursors: [IngestCursor] = []
  ) async throws(LogError) -> AppendReceipt {
    let receipt = try writer.append(batch, cursors: cursors, sync: false)
    guard writer.commits.policy == .everyCommit else { return receipt }
    written += 1
    let mine = written
    // Whoever waits for the actor now writes first; the first to come back syncs for all of them.
    await Task.yield()
    if durable < mine {
      let upTo = written
      try writer.sync()
      durable = upTo
    }
    return receipt
  }

  /// Closes the active segment with its indexes.
  public func seal() throws(LogError) { try writer.seal() }
}

/// A queue of its own for the actor.
private final class RecorderExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "activity-log.recorder")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }
}
