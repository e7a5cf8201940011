package import ActivityCore

/// Lengths of time as text: read in any unit, printed in the two largest.
package enum DurationText {
  private static let units: [(names: [String], microseconds: Int64)] = [
    (["w"], 604_800_000_000),
    (["d"], 86_400_000_000),
    (["h"], 3_600_000_000),
    (["min", "m"], 60_000_000),
    (["ms"], 1_000),
    (["us", "µs"], 1),
    (["s"], 1_000_000),
  ]

  /// Reads `90m`, `1h30m`, `1d3h5m2s`, `1.5h`, `2 h 14 min`; nil for anything else, also for a
  /// number without a unit or more than three hundred years.
  package static func parse(_ text: String) -> Timestamp.Span? {
    var rest = text.filter { $0 != " " }[...]
    var total: Double = 0
    var exact: Int64 = 0
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      guard let number = Double(digits), digits.last != "." else { return nil }
      rest = rest.dropFirst(digits.count)
      let letters = rest.prefix { $0.isLetter }
      guard let unit = units.first(where: { $0.names.contains(String(letters)) }) else {
        return nil
      }
      rest = rest.dropFirst(letters.count)
      total += number * Double(unit.microseconds)
      guard total < 9.5e15 else { return nil }
      exact +=
        Int64(digits).map { $0 * unit.microseconds }
        ?? Int64((number * Double(unit.microseconds)).rounded())
    }
    return Timestamp.Span(microseconds: exact)
  }

  /// Prints `2 h 14 min`, `40 min`, `1 min 30 s`, `12 s`, `350 ms`; what is finer is cut.
  package static func text(_ span: Timestamp.Span) -> String {
    let sign = span.microseconds < 0 ? "-" : ""
    let micros = span.microseconds.magnitude
    let seconds = micros / 1_000_000
    let minutes = seconds / 60
    let hours = minutes / 60
    let body =
      switch micros {
      case 0: "0 s"
      case ..<1_000: "\(micros) µs"
      case ..<1_000_000: "\(micros / 1_000) ms"
      default:
        switch seconds {
        case ..<60: "\(seconds) s"
        case ..<600: joined(minutes, "min", seconds % 60, "s")
        case ..<3_600: "\(minutes) min"
        case ..<86_400: joined(hours, "h", minutes % 60, "min")
        default: joined(hours / 24, "d", hours % 24, "h")
        }
      }
    return sign + body
  }

  private static func joined(
    _ large: UInt64, _ largeUnit: String, _ small: UInt64, _ smallUnit: String
  ) -> String {
    small == 0 ? "\(large) \(largeUnit)" : "\(large) \(largeUnit) \(small) \(smallUnit)"
  }
}
