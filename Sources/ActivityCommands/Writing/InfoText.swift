internal import ActivityAudit
internal import ActivityCore
internal import ActivityStore

/// What `info` prints for people.
struct InfoText {
  let log: String
  let survey: LogSurvey
  let census: LogCensus
  let zone: Zone

  var lines: [Styled] {
    var lines = head.map { Styled($0) }
    lines.append("")
    lines += segments.lines()
    guard census.events > 0 else { return lines }
    lines.append("")
    lines += kinds.lines()
    lines += ["", Styled("What this log can judge", .bold)]
    lines += judging.lines()
    lines += census.unmet.map { need, rules in
      Styled("  without \(need.rawValue) not judged: \(rules.joined(separator: ", "))")
    }
    lines.append("")
    lines += recorders.lines()
    return lines
  }

  private var head: [String] {
    var lines: [String] = []
    var first = "\(log): \(Quantity.count(survey.events, "event"))"
    if survey.events > 0 { first += ", seq \(survey.firstSeq) to \(survey.lastSeq)" }
    first +=
      ", \(Quantity.bytes(survey.bytes)) in \(Quantity.count(survey.segments.count, "segment"))"
    if let each = Self.bytesEach(survey.bytes, survey.events) {
      first += ", \(each) bytes an event"
    }
    lines.append(first)
    if let id = survey.log { lines.append("log id    \(id)") }
    lines += survey.metadata.map { "\($0.key)  \($0.value)" }
    if let note = survey.note {
      var line = "durable   to seq \(note.syncedSeq), policy \(note.policy.rawValue)"
      if survey.isWriterLive { line += "; \(note.sentence) is writing" }
      lines.append(line)
    } else {
      lines.append("durable   unknown: no writer left a note in the file lock")
    }
    let time = TimeText(zone)
    func span(_ range: ClosedRange<Int64>) -> String {
      "\(time.instant(Timestamp(microseconds: range.lowerBound))) to "
        + time.instant(Timestamp(microseconds: range.upperBound))
    }
    if let range = census.occurred { lines.append("occurred  \(span(range))") }
    if let range = census.recorded { lines.append("recorded  \(span(range))") }
    return lines
  }

  static func bytesEach(_ bytes: UInt64, _ events: Int64) -> String? {
    guard events > 0 else { return nil }
    let tenths = Int64(bytes) * 10 / events
    return "\(tenths / 10).\(tenths % 10)"
  }

  private var segments: Table {
    var table = Table([
      .text("SEGMENT"), .number("FROM SEQ"), .number("TO SEQ"), .number("EVENTS"),
      .number("COMMITS"), .number("SIZE"), .number("BYTES/EVENT"), .text("STATE"),
    ])
    for segment in survey.segments {
      table.add([
        Styled(segment.name), Styled("\(segment.firstSeq)"),
        Styled(segment.events > 0 ? "\(segment.lastSeq)" : "–"), Styled("\(segment.events)"),
        Styled("\(segment.commits)"), Styled(Quantity.bytes(segment.bytes)),
        Styled(Self.bytesEach(segment.bytes, segment.events) ?? "–"),
        Styled(segment.isSealed ? "sealed" : "active"),
      ])
    }
    return table
  }

  private var kinds: Table {
    var table = Table([.text("KIND"), .number("EVENTS"), .number("SHARE")])
    for (kind, count) in census.kindsInOrder {
      table.add([
        Styled(kind), Styled("\(count)"), Styled(Quantity.share(count, of: census.events)),
      ])
    }
    return table
  }

  private var judging: Table {
    var table = Table([.text(""), .text("")])
    for share in census.shares { table.add([Styled("  \(share.name)"), Styled(share.value)]) }
    return table
  }

  private var recorders: Table {
    let time = TimeText(zone)
    var table = Table([
      .text("RECORDER"), .number("EVENTS"), .text("FIRST"), .text("LAST"), .number("LOST"),
    ])
    for recorder in census.recorders {
      table.add([
        Styled(recorder.name ?? "(not named)"), Styled("\(recorder.rows)"),
        Styled(time.instant(Timestamp(microseconds: recorder.first))),
        Styled(time.instant(Timestamp(microseconds: recorder.last))),
        Styled(recorder.lost > 0 ? Quantity.count(recorder.lost, "span") : "–"),
      ])
    }
    return table
  }
}

extension LogCensus {
  /// Every kind that occurs, in the order kinds are declared; unknown ones last.
  var kindsInOrder: [(name: String, count: Int64)] {
    EventKind.allCases.filter { $0 != .unknown }.compactMap { kind in
      kinds[kind].map { (kind.word, $0) }
    } + (kinds[.unknown].map { [("unknown", $0)] } ?? [])
  }
}
