internal import ActivityAudit
internal import ActivityCore

/// What the audit's rules can rest on in a log, and which of them cannot be judged.
extension LogCensus {
  /// A need of rules as a share of what it could be.
  struct Share: Equatable {
    /// As `info` names it.
    var name: String
    var value: String
  }

  /// What the rules need, and how much of it there is.
  var shares: [Share] {
    func count(_ kind: EventKind) -> Int64 { kinds[kind] ?? 0 }
    func perStart(_ part: Int64) -> String {
      // A log whose cards a server started has no start of many of them.
      guard count(.start) > 0, part <= count(.start) else { return "\(part)" }
      return "\(part), \(Quantity.share(part, of: count(.start))) of the starts"
    }
    return [
      Share(name: "starts", value: "\(count(.start))"),
      Share(name: "ends", value: perStart(count(.end))),
      Share(name: "pushes answered", value: of(needs.answered, needs.pushes)),
      Share(name: "pushes with headers", value: of(needs.withHeaders, needs.pushes)),
      Share(name: "token events", value: perStart(count(.token))),
      Share(name: "device evidence", value: of(needs.deviceEvidence, events)),
      Share(name: "work events", value: "\(count(.work))"),
      Share(name: "events with a key", value: of(needs.withKey, events)),
    ]
  }

  private func of(_ part: Int64, _ whole: Int64) -> String {
    "\(part) of \(whole)" + (whole > 0 ? " (\(Quantity.share(part, of: whole)))" : "")
  }

  /// Needs that the log meets; its content can always be read.
  var met: Set<RuleInfo.Need> {
    let present: [(RuleInfo.Need, Bool)] = [
      (.content, true), (.responses, needs.answered > 0), (.tokens, kinds[.token] ?? 0 > 0),
      (.deviceEvidence, needs.deviceEvidence > 0), (.work, kinds[.work] ?? 0 > 0),
      (.key, needs.withKey > 0), (.headers, needs.withHeaders > 0),
    ]
    return Set(present.filter(\.1).map(\.0))
  }

  /// Needs that the log does not meet, each with the rules that it keeps from being judged.
  var unmet: [(need: RuleInfo.Need, rules: [String])] {
    RuleInfo.Need.allCases.filter { !met.contains($0) }.map { need in
      (need, RuleInfo.all.filter { $0.allNeeds.contains(need) }.map(\.id))
    }
  }
}
