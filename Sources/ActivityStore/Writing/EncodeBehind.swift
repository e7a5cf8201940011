internal import Dispatch

// Reading lines and encoding what they say cost about the same, so two cores halve the time of an
// import. The writer stays where it is, on its caller's thread, with its order, its errors and its
// promises; what moves is the work before it. Whoever writes is a plain loop that waits for the
// next batch, so the worker has a queue of its own and the two meet at semaphores, as in
// `DecodeAhead`; no thread of the shared pool ever waits.

/// Lets a writer encode behind whoever makes its batches: jobs go to another thread, and what
/// became of them comes back in their order.
///
/// Which thread was faster changes nothing: a job sees the state that the job before it left.
package final class EncodeBehind<State: Sendable, Job: Sendable, Outcome: Sendable> {
  private let exchange = Exchange<Job, Outcome>()
  /// Jobs given whose outcomes were not taken. How many there may be is the caller's to say: each
  /// holds its job and its outcome in memory.
  package private(set) var waiting = 0

  /// - Parameter work: What becomes of a job; called on one thread, for one job after the other.
  package init(_ state: State, work: @escaping @Sendable (inout State, Job) -> Outcome) {
    let exchange = exchange
    DispatchQueue(label: "activity-log.encode-behind", qos: .userInitiated).async {
      var state = state
      while let job = exchange.nextJob() { exchange.put(work(&state, job)) }
    }
  }

  /// Jobs that were not begun are dropped.
  deinit { exchange.cancel() }

  /// Hands over a job, without waiting.
  package func give(_ job: Job) {
    waiting += 1
    exchange.give(job)
  }

  /// What became of the oldest job; waits for it. Nil when none is waited for.
  package func take() -> Outcome? {
    guard waiting > 0 else { return nil }
    waiting -= 1
    return exchange.take()
  }
}

/// Where the two threads meet.
///
/// `@unchecked`, because the compiler cannot see what orders its variables: all are read and
/// written between `lock.wait()` and `lock.signal()` only.
private final class Exchange<Job: Sendable, Outcome: Sendable>: @unchecked Sendable {
  private let lock = DispatchSemaphore(value: 1)
  /// Counts jobs that were given and not begun, and the word to stop.
  private let given = DispatchSemaphore(value: 0)
  /// Counts outcomes that were put and not taken.
  private let made = DispatchSemaphore(value: 0)
  private var jobs: [Job] = []
  private var outcomes: [Outcome] = []
  private var isCancelled = false

  func give(_ job: Job) {
    lock.wait()
    jobs.append(job)
    lock.signal()
    given.signal()
  }

  /// Waits for a job; nil when there will be none.
  func nextJob() -> Job? {
    given.wait()
    lock.wait()
    defer { lock.signal() }
    return isCancelled || jobs.isEmpty ? nil : jobs.removeFirst()
  }

  func put(_ outcome: Outcome) {
    lock.wait()
    outcomes.append(outcome)
    lock.signal()
    made.signal()
  }

  func take() -> Outcome {
    made.wait()
    lock.wait()
    defer { lock.signal() }
    return outcomes.removeFirst()
  }

  func cancel() {
    lock.wait()
    isCancelled = true
    lock.signal()
    given.signal()
  }
}
