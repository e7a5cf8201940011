internal import ActivityAudit
internal import ActivityCore

/// What a report is compared by: decided cards, groups, a baseline, suppressions.
extension FindingJSON {
  /// What a later report needs of this one as its baseline.
  static func write(decided report: AuditReport, members json: inout JSONText) {
    json.member("cards", report.decided.total.cards)
    json.member("leaked", report.decided.total.leaked)
    json.array("rules") { for rate in report.rates { write(rate, &$0) } }
  }

  static func write(groupsBy comparison: Comparison?, member json: inout JSONText) {
    json.name("groups-by")
    guard let comparison else { return json.null() }
    json.object {
      $0.member("by", comparison.grouping.rawValue)
      $0.array("groups") {
        for group in comparison.groups { $0.object { write(group, members: &$0) } }
      }
    }
  }

  static func write(_ group: Comparison.Group, members json: inout JSONText) {
    json.member("value", group.value)
    json.member("decided", group.decided.cards)
    json.member("leaked", group.decided.leaked)
    json.member("findings", group.findings)
    json.member("findings-per-1000", RateText.number(group.perThousand))
    json.member(
      "confirmed-wrong-card-seconds", group.headline.confirmed.wrongCard.microseconds / 1_000_000)
    json.member(
      "inferred-wrong-card-seconds", group.headline.inferred.wrongCard.microseconds / 1_000_000)
    json.array("rules") { for rate in group.rates { write(rate, &$0) } }
  }

  private static func write(_ rate: RuleRate, _ json: inout JSONText) {
    json.object {
      $0.member("rule", rate.rule)
      $0.member("findings", rate.findings)
      $0.member("findings-per-1000", RateText.number(rate.perThousand))
    }
  }

  static func write(baseline change: BaselineChange?, member json: inout JSONText) {
    json.name("baseline")
    guard let change else { return json.null() }
    json.object {
      $0.array("new") { for fingerprint in change.new { $0.value(fingerprint) } }
      $0.array("gone") {
        for entry in change.gone {
          $0.object {
            $0.member("rule", entry.rule)
            $0.member("fingerprint", entry.fingerprint)
          }
        }
      }
      $0.array("worse") { for entry in change.worse { write(entry, &$0) } }
    }
  }

  private static func write(_ worse: BaselineChange.Worse, _ json: inout JSONText) {
    json.object {
      $0.member("rule", worse.now.rule)
      $0.member("findings", worse.now.findings)
      $0.member("findings-per-1000", RateText.number(worse.now.perThousand))
      $0.member("before", worse.before.flatMap { RateText.number($0.perThousand) })
    }
  }

  static func write(_ entry: SuppressedFinding, _ json: inout JSONText) {
    json.object {
      $0.member("rule", entry.finding.rule)
      $0.member("fingerprint", entry.finding.fingerprint)
      $0.member("name", entry.finding.name)
      $0.member("key", entry.finding.key)
      $0.member("reason", entry.suppression.reason)
      $0.member("until", entry.suppression.until.rfc3339)
    }
  }

  static func write(_ missing: RequiredCoverage.Missing, _ json: inout JSONText) {
    json.object {
      $0.member("recorder", missing.recorder)
      $0.member("why", missing.why)
    }
  }
}
