internal import ActivityAudit
internal import ActivityCore

/// `--assume`: the same log folded as if, told beside what it is.
struct AssumedText {
  /// What was assumed, in the order given.
  let assumptions: [Assumption]
  let before: AuditReport
  let after: AuditReport

  /// The assumptions as typed.
  static func read(_ texts: [String]) throws(UsageError) -> [Assumption] {
    var assumptions: [Assumption] = []
    for text in texts {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      switch parts[0] {
      case "retry-ends" where parts.count == 1: assumptions.append(.retryEnds)
      case "stale-date" where parts.count == 2:
        let length = parts[1].hasPrefix("+") ? parts[1].dropFirst() : parts[1]
        guard let span = DurationText.parse(String(length)), span.microseconds > 0 else {
          throw UsageError(
            "--assume stale-date: '\(parts[1])' is no length of time", hint: "stale-date=+15m")
        }
        assumptions.append(.staleDate(after: span))
      default:
        throw UsageError(
          "--assume: '\(text)' is nothing that can be assumed",
          hint: "stale-date=+15m or retry-ends")
      }
    }
    return assumptions
  }

  /// What it would have changed, in two lines.
  var lines: [String] {
    let names = assumptions.map(\.words).joined(separator: ", and ")
    func total(_ report: AuditReport) -> String {
      let headline = report.headline
      let confirmed = ReportText.minutes(headline.confirmed.wrongCard)
      let inferred = ReportText.grouped(headline.inferred.wrongCard.microseconds / 60_000_000)
      return "\(confirmed) confirmed, \(inferred) inferred, on "
        + "\(ReportText.count(headline.cards, "card")); "
        + ReportText.count(report.count(atLeast: .error), "error")
    }
    return [
      "What if \(names):", "  as it is  \(total(before))", "  as if     \(total(after))",
    ]
  }

  /// As a member of a report's JSON.
  func write(member json: inout JSONText) {
    json.object("assumed") {
      $0.array("assumptions") { for each in assumptions { $0.value(each.name) } }
      for (name, report) in [("before", before), ("after", after)] {
        $0.object(name) {
          let headline = report.headline
          $0.member(
            "confirmed-wrong-card-seconds", headline.confirmed.wrongCard.microseconds / 1_000_000)
          $0.member(
            "inferred-wrong-card-seconds", headline.inferred.wrongCard.microseconds / 1_000_000)
          $0.member("cards", headline.cards)
          $0.member("missing-cards", headline.missingCards)
          $0.member("errors", report.count(atLeast: .error))
        }
      }
    }
  }
}

extension Assumption {
  /// As a sentence says it.
  fileprivate var words: String {
    switch self {
    case .staleDate(let span):
      "content without a stale date had gone stale after \(DurationText.text(span))"
    case .retryEnds: "refused ends had been repeated until they were taken"
    }
  }
}
