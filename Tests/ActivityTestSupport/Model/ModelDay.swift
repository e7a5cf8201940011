/// Small adversarial logs for comparing the projector with the model, the same for the same seed.
///
/// A log covers about three days and dozens of activities. Every act has a handle, `seq` counts
/// from 1, `recorded-at` never decreases, tokens have the form `sha256:` + 32 hex digits.
public struct ModelDay {
  /// An event before it has its place in the log.
  struct Draft {
    /// When it happened, as its recorder says; may lie after `recordedAt`.
    var at: Int64
    var recordedAt: Int64
    /// Names and JSON texts behind `event`, `seq`, `at` and `recorded-at`.
    var members: [(name: String, text: String)]
    var event: String
  }

  /// 2025-07-20T06:00:00Z.
  static let begin: Int64 = 1_752_991_200 * 1_000_000

  var random: ModelRandom
  var drafts: [Draft] = []
  /// Cards so far; their handles are reused by global events.
  var cards: [ModelDayCard] = []

  public init(seed: UInt64) {
    random = ModelRandom(state: seed)
  }

  /// A log of exactly `rows` lines.
  public static func lines(seed: UInt64, rows: Int) -> [String] {
    var day = ModelDay(seed: seed)
    while day.drafts.count < rows {
      day.addCard()
      if day.random.chance(40) { day.addGlobal() }
      if day.random.chance(40) { day.addLateFanOut() }
    }
    return day.render(rows)
  }

  /// Orders by when the log took it, numbers, and spells.
  private func render(_ rows: Int) -> [String] {
    let ordered = drafts.enumerated().sorted {
      ($0.element.recordedAt, $0.offset) < ($1.element.recordedAt, $1.offset)
    }
    return ordered.prefix(rows).enumerated().map { index, item in
      let draft = item.element
      var parts = [#""event":"\#(draft.event)""#, #""seq":\#(index + 1)"#]
      parts.append(#""at":"\#(ModelTime.text(draft.at))""#)
      parts.append(#""recorded-at":"\#(ModelTime.text(draft.recordedAt))""#)
      parts += draft.members.map { #""\#($0.name)":\#($0.text)"# }
      return "{" + parts.joined(separator: ",") + "}"
    }
  }

  /// Adds an event that the log took at once, late, or before its own recorder's clock says.
  mutating func add(_ event: String, at: Int64, _ members: [(name: String, text: String)]) {
    let delay: Int64
    switch random.below(100) {
    case 0..<55: delay = 0
    case 55..<80: delay = Int64(random.below(3_000_000))
    case 80..<90: delay = Int64(random.below(600)) * ModelTime.second
    case 90..<96: delay = Int64(random.below(20 * 3600)) * ModelTime.second
    default: delay = -Int64(random.below(1200)) * ModelTime.second
    }
    drafts.append(Draft(at: at, recordedAt: at + delay, members: members, event: event))
  }

  mutating func pick<Element>(_ items: [Element]) -> Element {
    items[random.below(items.count)]
  }

  /// A token of the stored form.
  mutating func token() -> String {
    "sha256:" + (0..<32).map { _ in String(random.below(16), radix: 16) }.joined()
  }

  mutating func uuid() -> String {
    let hex = (0..<32).map { _ in String(random.below(16), radix: 16).uppercased() }
    let cuts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
    return cuts.map { hex[$0].joined() }.joined(separator: "-")
  }
}

/// splitmix64: the same numbers everywhere for the same seed.
struct ModelRandom {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// 0 ..< bound.
  mutating func below(_ bound: Int) -> Int {
    Int(next() % UInt64(bound))
  }

  /// True in this many of a hundred cases.
  mutating func chance(_ percent: Int) -> Bool {
    below(100) < percent
  }
}

/// JSON text of a string without characters that need escapes.
func quoted(_ text: String) -> String {
  "\"\(text)\""
}
