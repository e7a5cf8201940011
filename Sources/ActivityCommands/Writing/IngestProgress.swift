internal import ActivityCore

/// How far an ingestion is, for a person at a terminal.
struct IngestProgress {
  private let console: Console
  private let now: @Sendable () -> Timestamp
  private let isShown: Bool
  private var began = Timestamp(microseconds: 0)
  /// Bytes of the files behind which this run began.
  private var start = 0
  private var shown = Timestamp(microseconds: 0)
  private var eventsBefore = 0

  private static let interval = Timestamp.Span(microseconds: 200_000)

  init(_ console: Console, _ environment: Environment) {
    self.console = console
    now = environment.now
    isShown = environment.errorIsTerminal
  }

  /// New inputs begin, where they stand.
  mutating func begin(_ inputs: [IngestInput]) {
    began = now()
    shown = began
    start = inputs.reduce(0) { $0 + $1.taken }
  }

  /// Shows bytes, events a second and the time left, a few times a second; of several inputs also
  /// the one that has most to come.
  ///
  /// - Parameter events: taken so far, of all inputs.
  mutating func show(events: Int, _ inputs: [IngestInput]) {
    guard isShown else { return }
    let instant = now()
    guard instant - shown > Self.interval else { return }
    let span = Double((instant - shown).microseconds) / 1e6
    let rate = Int(Double(events - eventsBefore) / span)
    shown = instant
    eventsBefore = events
    let taken = inputs.reduce(0) { $0 + $1.taken }
    var text = "\(Self.name(inputs)): \(Quantity.bytes(taken))"
    let sizes = inputs.compactMap(\.size)
    let size = sizes.reduce(0, +)
    if sizes.count == inputs.count, taken > start {
      let passed = Double((instant - began).microseconds)
      let rest = passed * Double(size - taken) / Double(taken - start)
      text += " of \(Quantity.bytes(size)), \(rate) events/s, "
      text += "\(DurationText.text(.seconds(Int64(max(0, rest) / 1e6)))) left"
    } else {
      text += ", \(rate) events/s"
    }
    if inputs.count > 1, let longest = inputs.max(by: { Self.rest($0) < Self.rest($1) }),
      let size = longest.size
    {
      text += "; \(longest.name): \(Quantity.share(Int64(longest.taken), of: Int64(size)))"
    }
    console.progress(text)
  }

  private static func name(_ inputs: [IngestInput]) -> String {
    inputs.count == 1 ? inputs[0].name : Quantity.count(inputs.count, "file")
  }

  private static func rest(_ input: IngestInput) -> Int { (input.size ?? 0) - input.taken }
}
