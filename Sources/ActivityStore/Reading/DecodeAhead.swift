package import ActivityCore
internal import Dispatch

// Decoding a commit and using it cost about the same, so two cores halve the time of reading a log.
// Whoever reads is a plain loop that waits for the next batch; a task may not wait for another one
// without blocking the shared pool of threads, so the decoder has a queue of its own, and the two
// meet at semaphores. The closures it runs are the only code of this package that leaves the
// reader's thread.

/// Takes batches from a source on another thread, up to `depth` of them before they are asked for.
///
/// Batches come in the source's order and each exactly once, so what is made of them does not
/// depend on which thread was faster. An error is a value that comes after the batches before it.
package final class DecodeAhead<Source: Sendable, Batch: Sendable> {
  private let exchange: Exchange<Source, Batch>
  /// The source when it had nothing more to give; nil before that.
  package private(set) var source: Source?
  private var isOver = false

  /// - Parameters:
  ///   - depth: How many batches are held at most besides the one in use; at least 1.
  ///   - next: The source's next batch, nil at its end.
  package init(
    _ source: Source, depth: Int = 2,
    next: @escaping @Sendable (inout Source) -> Result<Batch?, LogError>
  ) {
    precondition(depth > 0, "At least one batch is decoded ahead.")
    let exchange = Exchange<Source, Batch>(depth: depth)
    self.exchange = exchange
    DispatchQueue(label: "activity-log.decode-ahead", qos: .userInitiated).async {
      var source = source
      while exchange.waitForRoom() {
        switch next(&source) {
        case .success(let batch?): exchange.put(.batch(batch))
        case .success(nil): return exchange.put(.end(source))
        case .failure(let error): return exchange.put(.failure(error))
        }
      }
    }
  }

  deinit {
    exchange.cancel()
  }

  /// The next batch; nil at the source's end, and after an error.
  package func next() throws(LogError) -> Batch? {
    guard !isOver else { return nil }
    switch exchange.take() {
    case .batch(let batch): return batch
    case .end(let last):
      source = last
      isOver = true
      return nil
    case .failure(let error):
      isOver = true
      throw error
    }
  }
}

/// Where the two threads meet.
///
/// `@unchecked`, because the compiler cannot see what orders its two variables: both are read and
/// written between `lock.wait()` and `lock.signal()` only.
private final class Exchange<Source: Sendable, Batch: Sendable>: @unchecked Sendable {
  enum Item {
    case batch(Batch)
    case end(Source)
    case failure(LogError)
  }

  private let lock = DispatchSemaphore(value: 1)
  /// Counts free places. It begins at 0 and is raised, since a semaphore that is freed below the
  /// value it began with is taken for one in use.
  private let room = DispatchSemaphore(value: 0)
  /// Counts items that were put and not taken.
  private let filled = DispatchSemaphore(value: 0)
  private var items: [Item] = []
  private var isCancelled = false

  init(depth: Int) {
    for _ in 0..<depth { room.signal() }
  }

  /// False when nobody waits for more.
  func waitForRoom() -> Bool {
    room.wait()
    lock.wait()
    defer { lock.signal() }
    return !isCancelled
  }

  func put(_ item: Item) {
    lock.wait()
    items.append(item)
    lock.signal()
    filled.signal()
  }

  func take() -> Item {
    filled.wait()
    lock.wait()
    let item = items.removeFirst()
    lock.signal()
    room.signal()
    return item
  }

  func cancel() {
    lock.wait()
    isCancelled = true
    lock.signal()
    room.signal()
  }
}

extension LogReader {
  /// Hands over every selected batch, in the order of the log.
  ///
  /// - Parameter ahead: Whether the next batches are decoded on another thread meanwhile; what is
  ///   handed over is the same.
  /// - Returns: How the log ends.
  /// - Throws: `LogError` where the log cannot be read, and what `take` throws.
  package consuming func forEach(
    ahead: Bool, _ take: (EventColumns) throws -> Void
  ) throws -> LogEnd {
    guard ahead else {
      while let batch = try next() { try take(batch) }
      return end
    }
    let decoder = DecodeAhead<LogReader, EventColumns>(self) { reader in
      do throws(LogError) { return .success(try reader.next()) } catch { return .failure(error) }
    }
    while let batch = try decoder.next() { try take(batch) }
    return decoder.source?.end ?? .open
  }
}
