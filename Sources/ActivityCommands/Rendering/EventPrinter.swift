internal import ActivityCore

/// Prints events, as text for people or as lines of the log for programs.
struct EventPrinter {
  let text: EventText
  /// As NDJSON instead of text.
  let asLines: Bool
  let console: Console

  func show(_ row: EventRow) throws { try console.write(bytes(row)) }

  /// What only the clock brought; programs derive it themselves.
  func show(_ event: DerivedEvents.Event) throws {
    guard !asLines else { return }
    let line = text.clockLine(
      event.step.rawValue, at: event.at, who: event.who, because: event.seq)
    try console.line(line)
  }

  /// A row's line with its line end; of a damaged row what its columns still say.
  func bytes(_ row: EventRow) -> [UInt8] {
    var line: [UInt8] = []
    if asLines {
      guard LineWriter().append(row, to: &line) else {
        return Array(#"{"seq":\#(row.seq),"content-damaged":true}"#.utf8) + [0x0A]
      }
      guard !Escape.mayHoldHazard(line) else {
        var text = JSONText()
        text.value(raw: line)
        text.newline()
        return text.bytes
      }
    } else {
      let note = row.isContentDamaged ? Styled("  (content damaged)", .red) : Styled("")
      line = Array((text.line(row) + note).rendered(colours: console.showsColours).utf8)
    }
    line.append(UInt8(ascii: "\n"))
    return line
  }
}
