/// How bad a finding is for the people who look at the card.
public enum Severity: String, Sendable, CaseIterable, Comparable {
  /// Worth knowing; one line in a report.
  case info
  /// Somebody may have been misled, or will be.
  case warning
  /// Somebody saw a wrong card, or none.
  case error

  private var rank: Int {
    switch self {
    case .info: 0
    case .warning: 1
    case .error: 2
    }
  }

  /// Milder before worse.
  public static func < (a: Severity, b: Severity) -> Bool { a.rank < b.rank }
}
