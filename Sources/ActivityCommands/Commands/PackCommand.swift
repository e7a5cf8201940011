internal import ActivityCore
internal import ActivityStore

/// Makes the closed segments of a log small for good, beside whoever writes it.
struct PackCommand: Command {
  enum Format: String, CaseIterable {
    case text
    case json
  }

  static let name = "pack"
  static let summary = "Recompress the sealed segments of a log, each once"
  static let group = CommandGroup.keep
  static let examples = [
    "activitylog pack orders", "activitylog seal orders && activitylog pack orders",
  ]
  static let wait = Option(
    "wait", value: "DURATION", help: "How long to wait for another pack; default 10s")
  static let output = ReadingOptions.output(Format.self)
  static let arguments: [Argument] = [
    .operand(WritableLog.log), .option(wait), .option(output),
  ]

  private let log: String
  private let wait: Int
  private let format: Format

  init(_ given: Arguments) throws(UsageError) {
    log = try given.operand(WritableLog.log)
    wait = try WritableLog.wait(given)
    format = try given.choice(Self.output, of: Format.self) ?? .text
  }

  func run(_ console: Console, _ environment: Environment) throws -> ExitStatus {
    let began = environment.now()
    var packing = try LogPacking(path: log, wait: wait)
    var progress = PackProgress(log, packing, console, environment)
    var done: [PackedSegment] = []
    var report = DamageReport(of: log)
    while let segment = try packing.next({ progress.show($0) }) {
      progress.finish(segment)
      done.append(segment)
      report.add(segment.healed)
      if format == .text { try console.line(line(segment)) }
    }
    if case .damaged(let ranges) = packing.end { report.add(ranges) }
    switch format {
    case .json: try console.write(json(done, packing, report))
    case .text:
      if done.isEmpty, report.isClean {
        try console.line("\(log): nothing to pack: \(whyNothing(packing))")
      }
    }
    try console.flush()
    let status = report.say(on: console)
    if case .damaged(let ranges) = packing.end {
      console.note("\(log): \(Self.stopped(ranges)) is not packed, nor what comes behind it")
    } else if done.isEmpty, packing.hasActiveSegment {
      console.note("try: activitylog seal \(ShellWord.quoted(log))")
    }
    console.note(summary(done, environment.now() - began))
    return status
  }

  private func line(_ segment: PackedSegment) -> String {
    var text = "\(log)/\(segment.file): packed, seq \(segment.firstSeq) to \(segment.lastSeq), "
    text += "\(Quantity.bytes(segment.bytes.before)) to \(Quantity.bytes(segment.bytes.after))"
    if let each = InfoText.bytesEach(segment.bytes.after, segment.events) {
      text += ", \(each) bytes an event"
    }
    return text
  }

  private func whyNothing(_ packing: LogPacking) -> String {
    packing.hasActiveSegment
      ? "what is not packed yet is in the active segment"
      : "every segment is packed"
  }

  private static func stopped(_ ranges: [DamagedRange]) -> String {
    ranges.first?.file ?? "a damaged segment"
  }

  private func summary(_ done: [PackedSegment], _ span: Timestamp.Span) -> String {
    let events = done.reduce(0) { $0 + $1.events }
    let before = done.reduce(0) { $0 + $1.bytes.before }
    let after = done.reduce(0) { $0 + $1.bytes.after }
    return "\(log): packed \(Quantity.count(done.count, "segment")), "
      + "\(Quantity.count(events, "event")), \(Quantity.bytes(before)) to "
      + "\(Quantity.bytes(after)), \(Quantity.seconds(span.microseconds))"
  }

  private func json(
    _ done: [PackedSegment], _ packing: LogPacking, _ report: DamageReport
  ) -> [UInt8] {
    var json = JSONText()
    json.object {
      $0.member("schema", "activitylog.pack/1")
      $0.array("segments") { list in
        for segment in done { list.object { Self.write(segment, to: &$0) } }
      }
      $0.member("active-left", packing.hasActiveSegment)
      $0.array("damage") { list in
        for range in report.damage { list.object { VerifyCommand.write(range, to: &$0) } }
      }
    }
    json.newline()
    return json.bytes
  }

  private static func write(_ segment: PackedSegment, to json: inout JSONText) {
    json.member("name", segment.file)
    json.member("first-seq", segment.firstSeq)
    json.member("last-seq", segment.lastSeq)
    json.member("events", segment.events)
    json.member("commits-before", segment.commits.before)
    json.member("commits-after", segment.commits.after)
    json.member("bytes-before", segment.bytes.before)
    json.member("bytes-after", segment.bytes.after)
    json.member("sha256", HexText.of(segment.digest))
  }
}

/// How far packing is, for a person at a terminal.
private struct PackProgress {
  private let log: String
  private let total: UInt64
  private let segments: Int
  private let console: Console
  private let now: @Sendable () -> Timestamp
  private let isShown: Bool
  private var done = 0
  private var bytes: UInt64 = 0
  private var shown: Timestamp

  init(_ log: String, _ packing: LogPacking, _ console: Console, _ environment: Environment) {
    self.log = log
    total = packing.byteCount
    segments = packing.segmentCount
    self.console = console
    now = environment.now
    isShown = environment.errorIsTerminal
    shown = environment.now()
  }

  /// - Parameter taken: Bytes of the segment at hand.
  mutating func show(_ taken: UInt64) {
    guard isShown else { return }
    let instant = now()
    guard (instant - shown).microseconds > 200_000 else { return }
    shown = instant
    console.progress(
      "\(log): segment \(done + 1) of \(segments), \(Quantity.bytes(bytes + taken)) of "
        + Quantity.bytes(total))
  }

  mutating func finish(_ segment: PackedSegment) {
    done += 1
    bytes += segment.bytes.before
  }
}
