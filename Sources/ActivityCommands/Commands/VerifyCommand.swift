internal import ActivityStore

/// Checks every byte of a log, also beside a writer at work.
struct VerifyCommand: Command {
  enum Format: String, CaseIterable {
    case text
    case json
  }

  static let name = "verify"
  static let summary = "Check every checksum, column and index of a log"
  static let group = CommandGroup.keep
  static let examples = [
    "activitylog verify orders", "activitylog verify orders -o json",
    "activitylog verify orders --head $(cat kept-head)",
  ]
  static let output = Option(
    "output", short: "o", choices: Format.self, help: "How to print it; json is a line a LOG")
  static let head = Option(
    "head", value: "HEX", help: "Whether what this head of info covers is unchanged")
  static let arguments: [Argument] = [
    .operand(ReadingOptions.log), .option(head), .option(output),
  ]

  private let logs: NamedLogs
  private let format: Format
  /// SHA-256 of a packed segment, as `info` printed it some time.
  private let head: [UInt8]?

  init(_ given: Arguments) throws(UsageError) {
    logs = try NamedLogs(given)
    format = try given.choice(Self.output, of: Format.self) ?? .text
    head = try given.value(Self.head).map { text throws(UsageError) in
      guard let bytes = HexText.bytes(text), bytes.count == 32 else {
        throw UsageError(
          "--head: '\(text)' is not 64 hex digits", hint: "--head as activitylog info prints it")
      }
      return bytes
    }
  }

  func run(_ console: Console, _ environment: Environment) throws -> ExitStatus {
    for path in logs.paths where LogSource(path) == .lines {
      throw CommandError(
        "\(path): verify checks the bytes of a log, and this is a file of lines",
        hint: "activitylog ingest LOG FILE --dry-run checks lines")
    }
    var status = ExitStatus.fine
    for path in logs.paths { status = status.and(try verify(path, console)) }
    return status
  }

  private func verify(_ log: String, _ console: Console) throws -> ExitStatus {
    // Before the check, so that what is promised is never more than what was checked.
    let survey = try LogSurvey(path: log)
    let found = try LogVerifier.verify(survey.files)
    let report = DamageReport(of: log, found.end)
    switch format {
    case .text: for line in text(log, survey, found, report) { try console.line(line) }
    case .json: try console.write(json(log, survey, found))
    }
    return report.status.and(standing(in: found.chain))
  }

  /// A head that this log does not bear out is as bad as damage.
  private func standing(in chain: LogChain) -> ExitStatus {
    guard let head else { return .fine }
    return switch chain.standing(of: head) {
    case .covers: .fine
    case .broken, .unknown: .damage
    }
  }

  private func text(
    _ log: String, _ survey: LogSurvey, _ found: LogVerification, _ report: DamageReport
  ) -> [String] {
    let ranges = report.damage.count
    let verdict =
      ranges == 0
      ? "verified to seq \(survey.lastSeq)"
      : "damaged in \(Quantity.count(ranges, "place")), checked to seq \(survey.lastSeq)"
    var lines = [
      "\(log): \(verdict): \(Quantity.count(found.segments, "segment")), "
        + "\(Quantity.count(found.commits, "commit")), \(Quantity.count(found.events, "event")), "
        + Quantity.bytes(survey.bytes)
    ]
    if let last = survey.segments.last {
      var line = "\(last.name): \(Quantity.count(last.bytes, "byte"))"
      line += last.isSealed ? ", sealed" : ", active"
      if let note = survey.note {
        line += "; synced to seq \(note.syncedSeq)"
        if !last.isSealed, SegmentName.of(max(1, note.segment)) == last.name {
          line += ", byte \(note.syncedEnd)"
        }
        if survey.isWriterLive { line += ", and \(note.sentence) goes on writing" }
      }
      lines.append(line)
    }
    return lines + ChainText.lines(found.chain, asked: head) + report.lines
  }

  /// One document on one line, whatever other LOGs there are.
  private func json(
    _ path: String, _ survey: LogSurvey, _ found: LogVerification
  ) -> [UInt8] {
    var json = JSONText()
    json.object {
      $0.member("schema", "activitylog.verify/1")
      $0.member("log", survey.log?.description)
      $0.member("sound", found.end.damage.isEmpty)
      $0.member("verified-to", survey.lastSeq)
      $0.member("segments", found.segments)
      $0.member("commits", found.commits)
      $0.member("events", found.events)
      $0.member("bytes", survey.bytes)
      $0.member("synced-seq", survey.note?.syncedSeq)
      $0.member("synced-segment", survey.note.map { SegmentName.of(max(1, $0.segment)) })
      $0.member("synced-end", survey.note?.syncedEnd)
      $0.member("policy", survey.note?.policy.rawValue)
      $0.member("writer-live", survey.isWriterLive)
      ChainText.write(found.chain, asked: head, to: &$0)
      $0.array("damage") { list in
        for range in found.end.damage { list.object { Self.write(range, to: &$0) } }
      }
      $0.name("torn")
      if let tail = found.end.tornTail {
        $0.object {
          $0.member("file", tail.file)
          $0.member("offset", tail.offset)
          $0.member("bytes", tail.byteCount)
          $0.member("why", tail.why)
        }
      } else {
        $0.null()
      }
      $0.member("path", path)
    }
    json.newline()
    return json.bytes
  }

  static func write(_ range: DamagedRange, to json: inout JSONText) {
    json.member("file", range.file)
    json.member("offset", range.offset)
    json.member("bytes", range.byteCount)
    json.member("part", range.part.rawValue)
    var from: Int64?
    var through: Int64?
    switch range.lost {
    case .none: break
    case .range(let first, let last): (from, through) = (first, last)
    case .from(let first): from = first
    }
    json.member("lost-from", from)
    json.member("lost-through", through)
    json.member("why", range.why)
    json.member("resynchronised", range.isResynchronised)
  }
}
