internal import ActivityCore
internal import ActivityIngest
internal import ActivityStore

/// Follows files as they are written: across rotation, by renaming or by copying and cutting, and
/// across truncation, until somebody asks it to end.
struct FollowRun {
  private(set) var run: MergeRun

  private let paths: [FollowedPath]
  private let reading: SourceReading
  private let writer: LogWriter
  private let console: Console
  private let environment: Environment
  private let commitEvery: Timestamp.Span
  private let changes: ChangeWait
  private var committed: Timestamp?

  init(
    _ paths: [String], _ reading: SourceReading, _ writer: LogWriter, run: MergeRun,
    commitEvery: Timestamp.Span, _ console: Console, _ environment: Environment
  ) {
    self.paths = paths.map { FollowedPath($0) }
    self.reading = reading
    self.writer = writer
    self.run = run
    self.commitEvery = commitEvery
    self.console = console
    self.environment = environment
    // Before the first look, so that nothing is missed.
    changes = ChangeWait(paths.map { .file($0) }, console, environment)
  }

  /// How long it waits between two looks while rows wait for their commit, and where nothing tells
  /// of changes: a small part of the time between two commits.
  private var interval: Timestamp.Span {
    Timestamp.Span(microseconds: min(200_000, max(10_000, commitEvery.microseconds / 5)))
  }

  /// Takes what comes; when it returns, all whole records are durable.
  mutating func follow() throws {
    repeat {
      for path in paths { try look(path, isLast: false) }
      let pause = environment.pause
      try run.drain { pause(.seconds(0)) }
      for queue in run.queues { try queue.remember() }
      try commitIfDue()
    } while wait()
    for path in paths where path.opening != nil { try look(path, isLast: true) }
    try run.drain()
    for queue in run.queues { try run.finish(queue) }
    try run.commit()
  }

  /// Rows that wait are looked after by the clock, which gathers what comes close together; a file
  /// that was renamed away is let go by the clock. Else only a change brings something to do.
  private func wait() -> Bool {
    if hasWork { return environment.pause(interval) }
    let isTimed = paths.contains { !$0.retired.isEmpty }
    return changes.wait(atMost: isTimed ? .seconds(1) : nil, looking: interval)
  }

  private var hasWork: Bool { run.waitingRows > 0 || run.sink.hasUnsynced }

  private mutating func commitIfDue() throws {
    guard hasWork else { return }
    let now = environment.now()
    // What comes right after this waits for the next look.
    if let committed, now + interval - committed < commitEvery { return }
    try run.commit()
    committed = now
  }

  /// Looks what became of a path.
  private mutating func look(_ path: FollowedPath, isLast: Bool) throws {
    if try path.wasCut(), let queue = path.queue {
      console.note(
        "\(path.path): it was cut by its writer; going on with what is written now, and "
          + "lines written just before the cut may be missing")
      try remove(queue)
      path.leave()
    }
    let state = FileState(path: path.path)
    if let queue = path.queue, let state, state.identity != queue.source.input.identity {
      path.retire(environment.now())
    }
    for queue in path.released(environment.now()) {
      try remove(queue)
    }
    guard path.queue == nil, let state, state != path.refused?.state else { return }
    do {
      guard !state.isStream else { throw Self.stream(path.path) }
      try open(path, state.identity, isLast: isLast)
    } catch let error as CommandError {
      // Of a file that comes later nothing may end the run; one may go between two looks.
      path.opening = nil
      guard FileState(path: path.path)?.identity == state.identity else { return }
      // It is tried again when it was written, and complained of once.
      let isNews = path.refused?.message != error.message
      path.refused = (state, error.message)
      if isNews { console.say(error) }
    }
  }

  /// What is said of a pipe, which would be waited for if it were opened.
  static func stream(_ path: String) -> CommandError {
    CommandError("\(path): -f follows files, and this is a stream")
  }

  /// Takes away a file that is not read any more; where a copy of it waits, that one is read on.
  private mutating func remove(_ queue: SourceQueue) throws {
    let isWhole = !paths.contains { $0.kin?.queue === queue }
    if isWhole { sayUnfinished(queue) }
    try run.remove(queue, isWhole: isWhole)
  }

  private func sayUnfinished(_ queue: SourceQueue) {
    let left = queue.source.input.position - queue.end
    guard left > 0 else { return }
    console.note(
      "\(queue.source.name): the file before ends in \(Quantity.bytes(left)) of an unfinished "
        + "record, which are left out")
  }

  private mutating func open(
    _ path: FollowedPath, _ identity: FileIdentity, isLast: Bool
  ) throws {
    // A followed file may have been renamed to another followed name.
    guard !run.queues.contains(where: { $0.source.input.identity == identity }) else { return }
    path.opening?.look()
    let isCut = path.opening.map { $0.taken > $0.size ?? .max } ?? false
    if isCut || path.opening?.identity != identity {
      path.opening = try IngestInput(path: path.path, grows: true)
    }
    guard let input = path.opening else { return }
    guard input.size != nil else { throw Self.stream(path.path) }
    input.look()
    let head = try input.peek(SourceReading.headBytes)
    guard let found = found(path, head, isWhole: isLast || input.isPacked) else { return }
    var source = IngestSource(input, found, try IngestFeed(of: input))
    if try waits(path, source, isLast: isLast) { return }
    let used = Set(run.queues.compactMap { $0.source.feed?.name })
    try source.resume(writer.cursor(of:), except: used)
    let queue = SourceQueue(source, isMerged: paths.count > 1, grows: true)
    path.begin(queue)
    run.add(queue)
  }

  /// Whether a file has to wait, because it seems to be a copy of one that is read, which its
  /// writer may be about to cut. Both grow, so it is asked at every look.
  private mutating func waits(
    _ path: FollowedPath, _ source: IngestSource, isLast: Bool
  ) throws -> Bool {
    guard let (queue, kinship) = try kin(of: path, source) else {
      path.kin = nil
      return false
    }
    guard isLast else { return true }
    guard kinship == .first else {
      console.note("\(path.path): left out: \(queue.source.name) begins with it")
      return true
    }
    // It has more than the other one, and goes on where that one was left.
    try remove(queue)
    for owner in paths where owner.queue === queue { owner.leave() }
    path.kin = nil
    return false
  }

  /// Which file that is read has the text of another one, as far as they go.
  private func kin(
    of path: FollowedPath, _ source: IngestSource
  ) throws -> (queue: SourceQueue, IngestSource.Kinship)? {
    for queue in run.queues where queue.source.base?.name == source.base?.name {
      let known = path.kin.map { $0.queue === queue ? $0.same : 0 } ?? 0
      if let found = IngestSource.kinship(queue.source.input, source.input, from: known),
        try source.hasRows(before: found.same)
      {
        path.kin = (queue, found.same)
        return (queue, found.kinship)
      }
      if try queue.isRemembered(in: source) {
        path.kin = (queue, 0)
        return (queue, .first)
      }
    }
    return nil
  }

  /// So many lines of which nothing is known are read as the log's own, and refused.
  private static let patientLines = 64

  /// How a file that begins so is read; nil while that is not clear.
  private func found(
    _ path: FollowedPath, _ head: [UInt8], isWhole: Bool
  ) -> SourceReading.Found? {
    let isFull = head.count >= SourceReading.headBytes
    guard let end = head.lastIndex(of: UInt8(ascii: "\n")) else {
      return (isWhole || isFull) && !head.isEmpty ? reading.find(head) : nil
    }
    if let found = path.found { return found }
    let found = reading.find(Array(head[...end]))
    if !found.isUnknown {
      if let remark = found.remark(on: path.path) { console.note(remark) }
      path.found = found
      path.found?.recognition = nil
      return found
    }
    let lines = head.count { $0 == UInt8(ascii: "\n") }
    let isLong = lines >= Self.patientLines || isFull
    return isWhole || isLong ? found : nil
  }
}
