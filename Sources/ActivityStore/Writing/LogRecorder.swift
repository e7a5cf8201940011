public import ActivityCore
internal import Dispatch

/// The door to a log for several tasks of an app or a server.
///
/// Appends that arrive while a sync is running wait together: they become one commit where they
/// fit one, one write and one sync, in the order they came. Each is answered after its sync. The
/// work is done on a queue of its own, so that waiting for a disk never blocks the shared pool of
/// threads.
public final class LogRecorder: Sendable {
  private let desk: RecorderDesk

  /// Takes over a writer; nothing else may use it any more.
  public init(_ writer: sending LogWriter) {
    desk = RecorderDesk(writer)
  }

  /// The seq the next event gets.
  public var nextSeq: Int64 {
    get async { await desk.use { writer in writer.nextSeq } }
  }

  /// Appends a batch; it is as durable as the writer's policy says when this returns.
  ///
  /// A failed write or sync fails every append that waits for it, and every later one.
  ///
  /// - Throws: As `LogWriter.append`.
  public func append(
    _ batch: EventColumns, cursors: [IngestCursor] = []
  ) async throws(LogError) -> AppendReceipt {
    let desk = desk
    let outcome: Result<AppendReceipt, LogError> = await withCheckedContinuation { answer in
      desk.take(WaitingAppend(batch: batch, cursors: cursors, answer: answer))
    }
    return try outcome.get()
  }

  /// Closes the active segment with its indexes.
  public func seal() async throws(LogError) {
    let outcome: Result<Void, LogError> = await desk.use { writer in
      do throws(LogError) {
        try writer.seal()
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try outcome.get()
  }
}

/// A batch whose appender sleeps until it is durable.
private struct WaitingAppend: Sendable {
  let batch: EventColumns
  let cursors: [IngestCursor]
  let answer: CheckedContinuation<Result<AppendReceipt, LogError>, Never>
}

/// Where batches wait for the writer.
///
/// Unchecked, because of two variables: `writer` is used by blocks on the serial queue `work`
/// alone, and `waiting` is read and changed inside `door.sync` alone.
private final class RecorderDesk: @unchecked Sendable {
  private let writer: LogWriter
  private var waiting: [WaitingAppend] = []
  private let work = DispatchQueue(label: "activity-log.recorder")
  private let door = DispatchQueue(label: "activity-log.recorder.door")

  init(_ writer: sending LogWriter) { self.writer = writer }

  /// The first to come while nobody waits calls for the writer; it takes all who came meanwhile.
  func take(_ append: WaitingAppend) {
    let isFirst = door.sync {
      waiting.append(append)
      return waiting.count == 1
    }
    if isFirst { work.async { self.writeWaiting() } }
  }

  func use<Value: Sendable>(_ body: @escaping @Sendable (LogWriter) -> Value) async -> Value {
    await withCheckedContinuation { answer in
      work.async { answer.resume(returning: body(self.writer)) }
    }
  }

  private func writeWaiting() {
    let appends = door.sync {
      let all = waiting
      waiting = []
      return all
    }
    let outcomes = writer.appendTogether(appends.map { ($0.batch, $0.cursors) })
    for (append, outcome) in zip(appends, outcomes) { append.answer.resume(returning: outcome) }
    writer.noteProgress()
  }
}
