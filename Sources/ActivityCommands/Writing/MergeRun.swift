internal import ActivityCore
internal import ActivityIngest
internal import ActivityStore

/// Takes sources into a log merged by `at`, stable by source and line: of what is there, the event
/// that happened first comes next, and no source is ever turned round in itself. The cursors of all
/// go into the commit of the rows before them.
struct MergeRun {
  private(set) var sink: IngestSink
  private(set) var queues: [SourceQueue] = []
  /// Damage when an input broke off.
  private(set) var status = ExitStatus.fine

  private let keyPath: KeyPointer?
  private let console: Console
  private var progress: IngestProgress
  private var reader: LineReader
  /// Of the rows that wait.
  private var origins: [(queue: SourceQueue, event: SourceQueue.Event)] = []
  private var heads = MergeHeap()

  init(_ sink: IngestSink, keyPath: KeyPointer?, _ console: Console, _ environment: Environment) {
    self.sink = sink
    self.keyPath = keyPath
    self.console = console
    progress = IngestProgress(console, environment)
    reader = LineReader(keyPath: keyPath)
  }

  /// How many rows wait for their commit.
  var waitingRows: Int { reader.rowCount }

  /// Adds a source; what it has is taken by the next `drain`.
  mutating func add(_ queue: SourceQueue) { queues.append(queue) }

  /// Takes a source away; what waits of it is committed first.
  ///
  /// - Parameter isWhole: whether it ends here, and is not read on somewhere else.
  mutating func remove(_ queue: SourceQueue, isWhole: Bool) throws {
    if isWhole { try finish(queue) }
    try cut()
    queues.removeAll { $0 === queue }
  }

  /// Takes what only the end of a source brings out.
  mutating func finish(_ queue: SourceQueue) throws {
    guard let index = queues.firstIndex(where: { $0 === queue }) else { return }
    queue.close()
    heads = MergeHeap()
    try advance(index)
    while heads.pop() != nil, let event = queue.pop() {
      try take(event, from: queue)
      try advance(index)
      if reader.isFull { try cut() }
    }
  }

  /// Takes everything there is.
  ///
  /// - Parameter goesOn: asked between pieces of input; false ends it early.
  mutating func drain(while goesOn: () -> Bool = { true }) throws {
    progress.begin(queues.map(\.source.input))
    heads = MergeHeap()
    for index in queues.indices { try advance(index) }
    var taken = 0
    while let index = heads.pop() {
      guard let event = queues[index].pop() else { continue }
      try take(event, from: queues[index])
      try advance(index)
      // Behind an event its line's end is known, and only then may a cursor stand there.
      if reader.isFull { try cut() }
      taken += 1
      if taken & 4_095 == 0 {
        guard goesOn() else { break }
        progress.show(events: sink.tally.appended + waitingRows, queues.map(\.source.input))
      }
    }
  }

  /// Goes on in one source up to its next event.
  private mutating func advance(_ index: Int) throws {
    let queue = queues[index]
    do {
      while true {
        var read = 0
        let step = try queue.step { read += $0 }
        if read > 0 { try sink.count(bytes: read) }
        switch step {
        case .event:
          if let event = queue.head { heads.push(event.at, index) }
          return
        case .skipped(let what): sink.skip(what)
        case .refused(let refusal, let bytes): try refuse(refusal, bytes, queue)
        case .nothing: return
        }
      }
    } catch let error as CommandError where error.status == .damage {
      console.say(error)
      status = .damage
      queue.breakOff()
    }
  }

  private mutating func take(_ event: SourceQueue.Event, from queue: SourceQueue) throws {
    var outcome = event.line.withUnsafeBytes { reader.read($0, number: event.number) }
    if outcome == .full {
      try cut()
      outcome = event.line.withUnsafeBytes { reader.read($0, number: event.number) }
    }
    switch outcome {
    case .blank: break
    case .row:
      queue.rows += 1
      origins.append((queue, event))
    case .refused(let refusal):
      queue.refuseLast()
      try refuse(refusal, (event.record ?? event.line)[...], queue)
    case .full:
      // An empty batch has room for every line within the limits.
      let refusal = LineRefusal(line: event.number, column: 1, reason: .lineTooLong)
      try refuse(refusal, (event.record ?? event.line)[...], queue)
    }
  }

  private mutating func refuse(
    _ refusal: LineRefusal, _ line: ArraySlice<UInt8>, _ queue: SourceQueue
  ) throws {
    try sink.refuse(
      Refusals.Refusal(
        code: refusal.reason.code, place: "\(try queue.place(refusal.line)):\(refusal.column)",
        sentence: refusal.reason.sentence, line: line))
  }

  /// Hands out the rows that wait; nothing is durable before the sink is synced.
  mutating func cut() throws {
    guard reader.rowCount > 0 else { return }
    let columns = reader.finish()
    let rows = origins
    origins.removeAll(keepingCapacity: true)
    let moved = queues.filter { $0.end != $0.committed && $0.isSettled }
    let cursors = try moved.compactMap { try $0.source.cursor(at: $0.end) }
    let isWritten = try sink.append(columns, cursors) { refused in
      try Dictionary(
        uniqueKeysWithValues: refused.map { row in
          let (queue, event) = rows[row]
          let place = try queue.place(event.number)
          return (row, (place, (event.record ?? event.line)[...]))
        })
    }
    guard isWritten else { return }
    for queue in moved { queue.committed = queue.end }
  }

  /// Commits what waits and makes it durable.
  mutating func commit() throws {
    try cut()
    try sink.sync()
  }
}

/// Which source has the earliest event; of equals the first source.
struct MergeHeap {
  private var entries: [(at: Int64, index: Int)] = []

  mutating func push(_ at: Int64, _ index: Int) {
    entries.append((at, index))
    var place = entries.count - 1
    while place > 0, entries[place] < entries[(place - 1) / 2] {
      entries.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  mutating func pop() -> Int? {
    guard let first = entries.first else { return nil }
    let last = entries.removeLast()
    guard !entries.isEmpty else { return first.index }
    entries[0] = last
    var place = 0
    while true {
      let children = [2 * place + 1, 2 * place + 2].filter { $0 < entries.count }
      guard let least = children.min(by: { entries[$0] < entries[$1] }),
        entries[least] < entries[place]
      else { return first.index }
      entries.swapAt(least, place)
      place = least
    }
  }
}
