internal import ActivityAudit

/// What makes an audit exit 1: `error`, `warning`, `info`, `worse` or `worse:F`.
enum Gate: Sendable, Equatable {
  /// A finding at least this bad.
  case severity(Severity)
  /// A rule that finds more than this many times as much per decided card as in the baseline.
  case worse(Double)

  /// Of a plain `worse`: half as much again. Two days are never alike, and a gate that trips by
  /// chance is soon ignored; `worse:1` asks for no allowance.
  static let usualFactor = 1.5

  init(_ text: String) throws(UsageError) {
    if let severity = Severity(rawValue: text) {
      self = .severity(severity)
      return
    }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts[0] == "worse" else {
      throw UsageError.notAChoice(
        text, of: "--fail-on", choices: ["error", "warning", "info", "worse", "worse:1.5"])
    }
    guard parts.count == 2 else {
      self = .worse(Gate.usualFactor)
      return
    }
    guard let factor = Double(parts[1]), factor >= 1, factor.isFinite else {
      throw UsageError(
        "--fail-on worse:\(parts[1]): the factor is no number from 1 on", hint: "worse:1.5")
    }
    self = .worse(factor)
  }

  /// The factor of `worse`.
  var factor: Double? {
    if case .worse(let factor) = self { return factor }
    return nil
  }

  func isTripped(by report: AuditReport, _ change: BaselineChange?) -> Bool {
    switch self {
    case .severity(let severity): report.fails(on: severity)
    case .worse: !(change?.worse.isEmpty ?? true)
    }
  }
}
