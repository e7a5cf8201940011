internal import ActivityAudit
internal import ActivityCore

/// Findings and reports for programs; every name is a promise.
enum FindingJSON {
  static let findingSchema = "activitylog.finding/1"
  static let reportSchema = "activitylog.report/1"
  static let groupSchema = "activitylog.group/1"

  /// One object.
  static func show(_ page: AuditPage, _ console: Console) throws {
    var json = JSONText()
    write(page.report, page, into: &json)
    json.newline()
    try console.write(json.bytes)
  }

  /// A line a finding, then a line a group when groups were asked for.
  static func showLines(_ page: AuditPage, _ console: Console) throws {
    var json = JSONText()
    for finding in page.report.findings {
      write(finding, into: &json)
      json.newline()
      try console.write(json.bytes)
      json.removeAll()
    }
    guard let comparison = page.comparison else { return }
    for group in comparison.groups {
      json.object {
        $0.member("schema", groupSchema)
        $0.member("by", comparison.grouping.rawValue)
        write(group, members: &$0)
      }
      json.newline()
    }
    try console.write(json.bytes)
  }

  static func write(_ finding: Finding, into json: inout JSONText) {
    json.object {
      $0.member("schema", findingSchema)
      $0.member("rule", finding.rule)
      $0.member("severity", finding.severity.rawValue)
      $0.member("verdict", finding.verdict.rawValue)
      $0.member("scope", finding.scope.rawValue)
      $0.member("name", finding.name)
      $0.member("activity-id", finding.activityID)
      $0.member("key", finding.key)
      $0.member("device", finding.device)
      $0.member("build", finding.build)
      $0.member("attributes-type", finding.attributesType)
      $0.member("from", finding.from.rfc3339)
      $0.member("until", finding.until?.rfc3339)
      $0.member("visible-until", finding.visibleUntil?.rfc3339)
      $0.member("wrong-card-seconds", finding.wrongCard.microseconds / 1_000_000)
      $0.member("count", finding.count)
      $0.member("first", finding.first)
      $0.member("last", finding.last)
      $0.member("devices", finding.devices)
      $0.array("evidence") { for seq in finding.evidence { $0.value(seq) } }
      $0.array("because") {
        for cause in finding.because {
          $0.object {
            $0.member("rule", cause.rule)
            $0.member("fingerprint", cause.fingerprint)
          }
        }
      }
      $0.array("also") { for rule in finding.also { $0.value(rule) } }
      $0.member("message", finding.message)
      $0.member("advice", finding.advice)
      $0.member("fingerprint", finding.fingerprint)
    }
  }

  /// A report; of an audit with what else was asked for.
  static func write(
    _ report: AuditReport, _ page: AuditPage? = nil, into json: inout JSONText
  ) {
    json.object {
      $0.member("schema", reportSchema)
      $0.member("now", report.coverage.now.rfc3339)
      $0.object("coverage") { write(report.coverage, members: &$0) }
      $0.array("uncovered") { for missing in page?.uncovered ?? [] { write(missing, &$0) } }
      $0.object("headline") { write(report.headline, members: &$0) }
      $0.member("live", report.liveCount)
      $0.member("infos", report.infoCount)
      $0.object("decided") { write(decided: report, members: &$0) }
      write(groupsBy: page?.comparison, member: &$0)
      write(baseline: page?.change, member: &$0)
      if let page {
        let silent = Set(report.coverage.notJudged.map(\.rule))
        $0.array("rules") {
          for rule in page.rules where !silent.contains(rule.id) { $0.value(rule.id) }
        }
      }
      if let assumed = page?.assumed { assumed.write(member: &$0) }
      $0.array("findings") { for finding in report.findings { write(finding, into: &$0) } }
      $0.array("suppressed") { for entry in report.suppressed { write(entry, &$0) } }
      $0.array("live-activities") { for state in report.live { $0.value(state.name) } }
    }
  }

  private static func write(_ coverage: AuditCoverage, members json: inout JSONText) {
    json.member("clock", coverage.clock.rawValue)
    json.member("from", coverage.window?.from.rfc3339)
    json.member("until", coverage.window?.until.rfc3339)
    json.member("events", coverage.rows)
    json.member("unattached-answers", coverage.unattachedAnswers)
    json.member("unfollowed-events", coverage.unfollowed)
    json.member("unnamed-events", coverage.unnamedRows)
    json.member("redacted-cards", coverage.redactedCards)
    json.array("recorders") {
      for recorder in coverage.recorders {
        $0.object {
          $0.member("recorder", recorder.name)
          $0.member("first", recorder.first.rfc3339)
          $0.member("last", recorder.last.rfc3339)
          $0.member("events", recorder.rows)
          $0.array("holes") {
            for hole in recorder.holes {
              $0.object {
                $0.member("from", hole.from.rfc3339)
                $0.member("until", hole.until.rfc3339)
              }
            }
          }
          $0.array("losses") {
            for loss in recorder.losses {
              $0.object {
                $0.member("why", loss.why)
                $0.member("lines", loss.lines)
              }
            }
          }
        }
      }
    }
    json.array("not-judged") {
      for entry in coverage.notJudged {
        $0.object {
          $0.member("rule", entry.rule)
          $0.array("missing") { for need in entry.missing { $0.value(need.rawValue) } }
        }
      }
    }
  }

  private static func write(_ headline: Headline, members json: inout JSONText) {
    for (name, total) in [("confirmed", headline.confirmed), ("inferred", headline.inferred)] {
      json.object(name) {
        $0.member("wrong-card-seconds", total.wrongCard.microseconds / 1_000_000)
        $0.member("cards", total.cards)
        $0.member("devices", total.devices)
        $0.member("cards-without-device", total.cardsWithoutDevice)
      }
    }
    json.member("cards", headline.cards)
    json.member("missing-cards", headline.missingCards)
    json.member("since", headline.since?.rfc3339)
    json.array("attributes-types") { for type in headline.types { $0.value(type) } }
    json.array("builds") { for build in headline.builds { $0.value(build) } }
  }
}
