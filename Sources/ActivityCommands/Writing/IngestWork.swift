internal import ActivityCore
internal import ActivityIngest
internal import ActivityStore

/// What an ingestion was asked for.
struct IngestPlan {
  let log: String
  let files: [String]
  let options: SourceOptions
  let isRestoring: Bool
  let rejects: String?
  let maxErrors: Int
  let feed: String?
  /// Milliseconds.
  let wait: Int
  let keyPath: KeyPointer?
  let commitEvery: Timestamp.Span
}

/// One run of `ingest`: opens what is read and what is written, and says at the end what was done.
struct IngestWork {
  private let plan: IngestPlan
  private let console: Console
  private let environment: Environment
  private let began: Timestamp

  init(_ plan: IngestPlan, _ console: Console, _ environment: Environment) {
    self.plan = plan
    self.console = console
    self.environment = environment
    began = environment.now()
  }

  /// Takes what the sources have.
  func record() throws -> ExitStatus {
    let sources = try open(plan.options.load(environment))
    return try inLog { log, keyPath, sink in
      if plan.isRestoring || sources.count == 1 && sources[0].isOurs {
        return try takeEach(sources, log, keyPath, sink)
      }
      return try takeMerged(sources, log, keyPath, sink)
    }
  }

  /// Takes what the files have and what is written into them, until asked to end.
  func follow() throws -> ExitStatus {
    let reading = try plan.options.load(environment)
    for file in plan.files {
      // A pipe is not opened: that would wait for its writer.
      guard FileState(path: file)?.isStream != true else { throw FollowRun.stream(file) }
      _ = try IngestInput(path: file, grows: true)
    }
    return try inLog { log, keyPath, sink in
      var follow = FollowRun(
        plan.files, reading, log.writer,
        run: MergeRun(sink, keyPath: keyPath, console, environment),
        commitEvery: plan.commitEvery, console, environment)
      try follow.follow()
      return (follow.run.sink, follow.run.status)
    }
  }

  /// Reads all, records nothing, and prints what would be recorded.
  func preview() throws -> ExitStatus {
    let sources = Self.different(try open(plan.options.load(environment)), console)
    let sink = IngestSink(.preview(console), try refusals())
    let log = try PreviewedLog(PosixFiles(path: plan.log))
    var run = MergeRun(sink, keyPath: plan.keyPath ?? log.keyPath, console, environment)
    var used: Set<[UInt8]> = []
    for var source in sources {
      try source.resume(log.cursor(of:), except: used)
      if let name = source.feed?.name { used.insert(name) }
      guard !source.isAtEnd else {
        source.sayNothingNew(console)
        continue
      }
      let queue = SourceQueue(source, isMerged: sources.count > 1, grows: false)
      // What a dialect makes of its records is not the caller's to spell otherwise.
      let isSpelled =
        source.format.dialect == NativeLines.self || source.format.settings.map != nil
      if isSpelled { queue.remarks = EventRemarks() }
      run.add(queue)
    }
    try run.drain()
    try run.cut()
    try console.flush()
    sayUnknown(run.queues)
    sayLeft(run.queues)
    for queue in run.queues { try say(queue.remarks, on: queue.source) }
    if log.isThere, run.sink.tally.appended > 0 {
      console.note("\(plan.log): --dry-run does not look whether ids are in the log already")
    }
    return say(run.sink, verb: "would record").and(run.status)
  }

  // MARK: Sources

  private func open(_ reading: SourceReading) throws -> [IngestSource] {
    try plan.files.map { file in
      let input =
        file == "-"
        ? IngestInput(name: IngestInput.standardInput, reading: environment.readInput)
        : try IngestInput(path: file)
      let found =
        plan.isRestoring
        ? SourceReading.Found(format: .ndjson)
        : reading.find(try input.peek(SourceReading.headBytes))
      if let remark = found.remark(on: input.name) { console.note(remark) }
      let feed =
        input.size == nil
        ? plan.feed.map { IngestFeed(named: $0) } : try IngestFeed(of: input)
      return IngestSource(input, found, feed)
    }
  }

  /// Without files that another one has as far as they go: a copy, or one that was packed.
  private static func different(
    _ sources: [IngestSource], _ console: Console
  ) -> [IngestSource] {
    var kept: [IngestSource] = []
    for source in sources {
      var isKept = true
      for (index, other) in kept.enumerated() where isKept {
        guard let name = source.base?.name, other.base?.name == name else { continue }
        switch IngestSource.kinship(other.input, source.input)?.kinship {
        case nil: continue
        case .first:
          console.note("\(other.name): left out: \(source.name) begins with it")
          kept[index] = source
        case .second:
          console.note("\(source.name): left out: \(other.name) begins with it")
        }
        isKept = false
      }
      if isKept { kept.append(source) }
    }
    return kept
  }

  // MARK: Recording

  private typealias Done = (sink: IngestSink, status: ExitStatus)

  private func takeEach(
    _ sources: [IngestSource], _ log: WritableLog, _ keyPath: KeyPointer?, _ sink: IngestSink
  ) throws -> Done {
    var run = IngestRun(
      sink, isRestoring: plan.isRestoring, keyPath: keyPath, console, environment)
    var status = ExitStatus.fine
    for var source in sources {
      try source.resume(log.writer.cursor(of:))
      status = status.and(try run.take(source))
      let isUnknown = source.isUnknown && source.start == 0
      if isUnknown, run.sink.tally.appended == 0, run.sink.refusals.count > 0 {
        sayUnknown(source)
      }
    }
    return (run.sink, status)
  }

  private func takeMerged(
    _ sources: [IngestSource], _ log: WritableLog, _ keyPath: KeyPointer?, _ sink: IngestSink
  ) throws -> Done {
    var run = MergeRun(sink, keyPath: keyPath, console, environment)
    var used: Set<[UInt8]> = []
    for var source in Self.different(sources, console) {
      try source.resume(log.writer.cursor(of:), except: used)
      if let name = source.feed?.name { used.insert(name) }
      if source.isAtEnd {
        source.sayNothingNew(console)
      } else {
        run.add(SourceQueue(source, isMerged: sources.count > 1, grows: false))
      }
    }
    try run.drain()
    try run.cut()
    sayUnknown(run.queues)
    sayLeft(run.queues)
    for queue in run.queues where queue.source.input.position <= queue.source.start {
      queue.source.sayNothingNew(console)
    }
    return (run.sink, run.status)
  }

  /// Opens the log, lets it be written, and says what was done.
  private func inLog(
    _ take: (WritableLog, KeyPointer?, IngestSink) throws -> Done
  ) throws -> ExitStatus {
    let refusals = try refusals()
    let opened = try WritableLog(
      PosixFiles(path: plan.log), wait: plan.wait, creates: true, environment)
    guard !plan.isRestoring || opened.writer.nextSeq == 1 else {
      throw CommandError(
        "\(plan.log): --restore needs an empty log, this one ends at seq "
          + "\(opened.writer.nextSeq - 1)",
        hint: "name a new directory")
    }
    let status = opened.report.say(on: console)
    let keyPath = try opened.keep(plan.keyPath, console)
    var done: Done
    do {
      done = try take(
        opened, keyPath, IngestSink(.log(opened.writer, now: environment.now), refusals))
      try done.sink.sync()
      try opened.rest()
    } catch let error as LogError {
      console.note("\(plan.log): stopped; the same command goes on where the log ends")
      throw error
    }
    if opened.writer.commits.forgottenFeeds > 0 {
      console.note(
        "\(plan.log): the least recently used feeds are forgotten: it remembers 4096")
    }
    if let keyPath, done.sink.tally.appended > 0, !done.sink.tally.hasKey {
      console.note(
        "\(plan.log): no line has a key at \(keyPath.pointer): check the pointer; "
          + "a new log takes the lines again")
    }
    return status.and(done.status).and(say(done.sink, verb: "recorded"))
  }

  private func refusals() throws(CommandError) -> Refusals {
    let rejects = try plan.rejects.map { path throws(CommandError) in try RejectsFile(path: path) }
    return Refusals(rejects: rejects, console)
  }
}

extension IngestWork {
  /// What is said when nothing in a source was understood.
  private func sayUnknown(_ source: IngestSource) {
    console.note(SourceReading.unknown(source.name))
  }

  private func sayUnknown(_ queues: [SourceQueue]) {
    for queue in queues where queue.source.isUnknown && queue.rows == 0 && queue.hasRefused {
      sayUnknown(queue.source)
    }
  }

  private func sayLeft(_ queues: [SourceQueue]) {
    for queue in queues where queue.isLastLineLeft {
      let name = queue.source.name
      console.note("\(name): its last line has no end: it is left for the next time")
      console.note("try: printf '\\n' >> \(ShellWord.quoted(name)) when it is whole")
    }
  }

  private func say(_ remarks: EventRemarks?, on source: IngestSource) throws {
    guard let remarks else { return }
    let before = try source.linesBefore()
    for remark in remarks.remarks {
      let times = remark.count > 1 ? " (\(remark.count) times)" : ""
      console.note("\(source.name):\(remark.firstLine + before): \(remark.sentence)\(times)")
    }
    if remarks.omitted > 0 {
      console.note("\(source.name): \(Quantity.count(remarks.omitted, "more remark"))")
    }
  }

  /// The last line of a run, and whether it refused more than was allowed.
  private func say(_ sink: IngestSink, verb: String) -> ExitStatus {
    sink.refusals.summarize()
    let tally = sink.tally
    var text = "\(plan.log): \(verb) \(Quantity.count(tally.appended, "event"))"
    if let first = tally.first, let last = tally.last {
      text += first == last ? " (seq \(first))" : " (seq \(first) to \(last))"
    }
    text += ", refused \(sink.refusals.count), skipped \(tally.skipped)"
    switch tally.skippedBy.count {
    case 0: break
    case 1: text += " (\(tally.skippedBy[0].what))"
    default:
      text += " (" + tally.skippedBy.map { "\($0.count) \($0.what)" }.joined(separator: ", ") + ")"
    }
    text += ", repeated \(tally.repeated); \(Quantity.bytes(tally.bytes))"
    text += " in \(Quantity.seconds((environment.now() - began).microseconds))"
    console.note(text)
    return sink.refusals.count > plan.maxErrors ? .damage : .fine
  }
}
