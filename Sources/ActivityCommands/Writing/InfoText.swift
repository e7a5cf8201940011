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
    return lines + CensusText(census: census, zone: zone).lines(of: "log")
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
    if let head = survey.head {
      lines.append(
        "head      \(HexText.of(head.digest)) covers seq \(head.seqs.lowerBound) to "
          + "\(head.seqs.upperBound)")
    }
    if let note = survey.note {
      var line = "durable   to seq \(note.syncedSeq), policy \(note.policy.rawValue)"
      if survey.isWriterLive { line += "; \(note.sentence) is writing" }
      lines.append(line)
    } else {
      lines.append("durable   unknown: no writer left a note in the file lock")
    }
    lines += CensusText(census: census, zone: zone).spans
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
        Styled(segment.state),
      ])
    }
    return table
  }
}
