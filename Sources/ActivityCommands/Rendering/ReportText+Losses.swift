internal import ActivityAudit
internal import ActivityCore

/// What recorders had and could not record, and what to change so that they can.
extension ReportText {
  func printLosses(_ coverage: AuditCoverage) throws {
    var order: [String] = []
    var byReason: [String: [(AuditCoverage.Recorder, AuditCoverage.Loss)]] = [:]
    for recorder in coverage.recorders {
      for loss in recorder.losses {
        if byReason[loss.why] == nil { order.append(loss.why) }
        byReason[loss.why, default: []].append((recorder, loss))
      }
    }
    for why in order.sorted() { try wrapped(Self.losses(byReason[why] ?? [], why)) }
    if coverage.redactedCards > 0 {
      try wrapped(
        "\(Self.count(coverage.redactedCards, "card")) without a readable id: told apart by "
          + "process and time alone, so nothing is judged of them.")
    }
    if byReason["redacted"] != nil || coverage.redactedCards > 0 {
      try wrapped("To change in the app: " + Self.publicLine)
    }
  }

  /// How an app logs a card so that an export can tell it from others.
  static let publicLine =
    #"log the id as public, logger.notice("… id=\(activity.id, privacy: .public)"); "#
    + "the next export then names every card."

  private static func losses(
    _ all: [(recorder: AuditCoverage.Recorder, loss: AuditCoverage.Loss)], _ why: String
  ) -> String {
    let lost = all.reduce(into: Int64(0)) { $0 += $1.loss.lines }
    let kept = all.reduce(into: Int64(0)) { $0 += Int64($1.recorder.rows - $1.loss.rows) }
    let share = Quantity.share(lost, of: lost + kept)
    let recorders = count(all.count, "recorder")
    let lines = "\(share) of lines (\(lost) of \(lost + kept))"
    guard why == "redacted" else { return "\(recorders), \(lines) lost: \(why)." }
    return "\(recorders), \(lines) unattributable because their ids are redacted (<private>) and "
      + "more than one card, or none, was open in the process."
  }
}

extension RuleInfo.Need {
  /// What a log has none of, when this is not covered. The tokens meant are those that devices told
  /// of; those that pushes were sent to every push log has.
  var said: String {
    switch self {
    case .tokens: "token events"
    case .deviceEvidence: "device evidence"
    case .work: "work events"
    case .key: "keys"
    case .responses, .headers, .content: rawValue
    }
  }
}
