internal import ActivityCore

/// How far an ingestion is, for a person at a terminal.
struct IngestProgress {
  private let console: Console
  private let now: @Sendable () -> Timestamp
  private let isShown: Bool
  private var began = Timestamp(microseconds: 0)
  private var start = 0
  private var shown = Timestamp(microseconds: 0)
  private var eventsBefore = 0

  private static let interval = Timestamp.Span(microseconds: 200_000)

  init(_ console: Console, _ environment: Environment) {
    self.console = console
    now = environment.now
    isShown = environment.errorIsTerminal
  }

  /// A new input begins.
  mutating func begin(_ input: IngestInput, at position: Int) {
    began = now()
    shown = began
    start = position
  }

  /// Shows bytes, events a second and the time left, a few times a second.
  ///
  /// - Parameter events: taken so far, of all inputs.
  mutating func show(events: Int, _ input: IngestInput) {
    guard isShown else { return }
    let instant = now()
    guard instant - shown > Self.interval else { return }
    let span = Double((instant - shown).microseconds) / 1e6
    let rate = Int(Double(events - eventsBefore) / span)
    shown = instant
    eventsBefore = events
    var text = "\(input.name): \(Quantity.bytes(input.position))"
    if let size = input.size, input.position > start {
      let passed = Double((instant - began).microseconds)
      let rest = passed * Double(size - input.position) / Double(input.position - start)
      text += " of \(Quantity.bytes(size)), \(rate) events/s, "
      text += "\(DurationText.text(.seconds(Int64(max(0, rest) / 1e6)))) left"
    } else {
      text += ", \(rate) events/s"
    }
    console.progress(text)
  }
}
