internal import Dispatch

// Activities are independent of one another once their rows are known, so two cores halve the time
// of folding them. A task may not wait for another one without blocking the shared pool of threads,
// so the second core has a queue of its own, and the two meet at semaphores. The closures run there
// are the only code of this module and of the audit that leaves the caller's thread.

/// Work that two cores share; what comes of it does not depend on which of them was faster.
package enum BothCores {
  /// Makes numbered pieces on both cores and hands them over on the caller's thread, by number.
  ///
  /// - Parameters:
  ///   - count: How many pieces there are.
  ///   - worker: What makes them; each core has a copy, which keeps its buffers.
  ///   - make: Makes one piece; which pieces a worker made before must not matter.
  ///   - take: Takes each piece, in order.
  package static func forEach<Worker: Sendable, Piece: Sendable>(
    _ count: Int, _ worker: Worker, make: @escaping @Sendable (inout Worker, Int) -> Piece,
    take: (Piece) -> Void
  ) {
    var worker = worker
    let exchange = PieceExchange<Piece>(count)
    if count > 1 {
      let other = worker
      queue.async {
        var worker = other
        while let number = exchange.claimForOther() {
          exchange.put(make(&worker, number), at: number, isOthers: true)
        }
      }
    }
    for number in 0..<count {
      while true {
        switch exchange.next(after: number) {
        case .piece(let piece): take(piece)
        case .make(let number):
          exchange.put(make(&worker, number), at: number, isOthers: false)
          continue
        case .wait:
          exchange.wait()
          continue
        }
        break
      }
    }
  }

  /// Does one thing on the other core while the caller does another.
  ///
  /// - Parameters:
  ///   - input: What the other core works on; it is let go of when this returns.
  ///   - other: Runs on the other core.
  ///   - own: Runs on the caller's thread.
  /// - Returns: What came of both.
  package static func together<Input: Sendable, Other: Sendable, Own>(
    _ input: Input, other: @escaping @Sendable (Input) -> Other, own: () -> Own
  ) -> (Other, Own) {
    let exchange = PieceExchange<Other>(1)
    let lent = Lent(input)
    queue.async {
      guard exchange.claimForOther() != nil, let made = lent.turn(by: other) else { return }
      exchange.put(made, at: 0, isOthers: true)
    }
    let mine = own()
    while true {
      switch exchange.next(after: 0) {
      case .piece(let piece): return (piece, mine)
      case .make:
        // The other core has not come to it yet.
        guard let made = lent.turn(by: other) else { continue }
        return (made, mine)
      case .wait: exchange.wait()
      }
    }
  }

  private static var queue: DispatchQueue {
    DispatchQueue(label: "activity-log.both-cores", qos: .userInitiated)
  }
}

/// Something handed to another thread; who comes first takes it out.
///
/// `@unchecked`, because the compiler cannot see what orders its variable: it is read and written
/// between `lock.wait()` and `lock.signal()` only.
private final class Lent<Value: Sendable>: @unchecked Sendable {
  private let lock = DispatchSemaphore(value: 1)
  private var value: Value?

  init(_ value: Value) { self.value = value }

  /// What a function makes of it, which is let go of before this returns; nil when it was taken.
  @inline(never)
  func turn<Other>(by make: (Value) -> Other) -> Other? { takeOut().map(make) }

  private func takeOut() -> Value? {
    lock.wait()
    defer { lock.signal() }
    let taken = value
    value = nil
    return taken
  }
}

/// Where the two threads meet.
///
/// `@unchecked`, because the compiler cannot see what orders its variables: all are read and
/// written between `lock.wait()` and `lock.signal()` only.
private final class PieceExchange<Piece: Sendable>: @unchecked Sendable {
  /// What the caller does next.
  enum Next {
    case piece(Piece)
    case make(Int)
    case wait
  }

  /// Pieces made and not yet taken, by either side; memory is for so many.
  private static var depth: Int { 8 }

  private let count: Int
  private let lock = DispatchSemaphore(value: 1)
  /// Counts what the other core may make ahead. It begins at 0 and is raised, since a semaphore
  /// that is freed below the value it began with is taken for one in use.
  private let room = DispatchSemaphore(value: 0)
  /// Raised for each piece of the other core.
  private let filled = DispatchSemaphore(value: 0)
  private var made: [Int: (piece: Piece, isOthers: Bool)] = [:]
  private var unclaimed = 0

  init(_ count: Int) {
    self.count = count
    for _ in 0..<PieceExchange.depth { room.signal() }
  }

  /// The number of a piece for the other core to make; nil when none is left.
  func claimForOther() -> Int? {
    room.wait()
    lock.wait()
    defer { lock.signal() }
    return claim()
  }

  private func claim() -> Int? {
    guard unclaimed < count else { return nil }
    unclaimed += 1
    return unclaimed - 1
  }

  func put(_ piece: Piece, at number: Int, isOthers: Bool) {
    lock.wait()
    made[number] = (piece, isOthers)
    lock.signal()
    if isOthers { filled.signal() }
  }

  /// What the caller does for the sake of a piece: it is there, or another is to be made meanwhile.
  func next(after number: Int) -> Next {
    lock.wait()
    defer { lock.signal() }
    if let (piece, isOthers) = made.removeValue(forKey: number) {
      if isOthers { room.signal() }
      return .piece(piece)
    }
    guard unclaimed < number + PieceExchange.depth * 2, let mine = claim() else { return .wait }
    return .make(mine)
  }

  /// Waits until the other core made something.
  func wait() { filled.wait() }
}
