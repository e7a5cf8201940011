internal import ActivityAudit
internal import ActivityCore

/// An audit as SARIF 2.1.0, the format that code scanning reads.
///
/// One run; a result a finding, suppressed ones included and marked as such.
enum FindingSARIF {
  static func show(_ page: AuditPage, _ console: Console) throws {
    var json = JSONText()
    json.object {
      $0.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
      $0.member("version", "2.1.0")
      $0.array("runs") { $0.object { write(run: page, members: &$0) } }
    }
    json.newline()
    try console.write(json.bytes)
  }

  private static func write(run page: AuditPage, members json: inout JSONText) {
    let coverage = page.report.coverage
    json.object("tool") {
      $0.object("driver") {
        $0.member("name", "activitylog")
        $0.member("version", Program.version)
        $0.array("rules") { for rule in page.rules { write(rule, &$0) } }
      }
    }
    let places = Dictionary(
      page.rules.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    json.array("results") {
      for finding in page.report.findings {
        write(finding, nil, places[finding.rule], page, &$0)
      }
      for entry in page.report.suppressed {
        write(entry.finding, entry.suppression, places[entry.finding.rule], page, &$0)
      }
    }
    json.object("properties") {
      $0.member("schema", "activitylog.sarif/1")
      $0.member("now", coverage.now.rfc3339)
      $0.member("live", page.report.liveCount)
      $0.array("not-judged") { for entry in coverage.notJudged { $0.value(entry.rule) } }
    }
  }

  private static func write(_ rule: RuleInfo, _ json: inout JSONText) {
    json.object {
      $0.member("id", rule.id)
      $0.object("shortDescription") { $0.member("text", message(rule.summary)) }
      $0.object("fullDescription") { $0.member("text", message(rule.reason)) }
      $0.object("help") { $0.member("text", message(rule.advice)) }
      $0.object("defaultConfiguration") { $0.member("level", level(rule.severity)) }
      $0.object("properties") { $0.member("scope", rule.scope.rawValue) }
    }
  }

  private static func write(
    _ finding: Finding, _ suppression: Suppression?, _ place: Int?, _ page: AuditPage,
    _ json: inout JSONText
  ) {
    json.object {
      $0.member("ruleId", finding.rule)
      if let place { $0.member("ruleIndex", place) }
      $0.member("level", level(finding.severity))
      $0.object("message") { $0.member("text", message(finding.message)) }
      $0.object("partialFingerprints") { $0.member("activitylog/v1", finding.fingerprint) }
      $0.array("locations") { $0.object { write(locationOf: finding, page.path, members: &$0) } }
      if page.suppresses {
        $0.array("suppressions") {
          if let suppression { write(suppression, &$0) }
        }
      }
      if let change = page.change {
        $0.member("baselineState", change.isNew(finding) ? "new" : "unchanged")
      }
      $0.object("properties") { write(propertiesOf: finding, members: &$0) }
    }
  }

  private static func write(
    locationOf finding: Finding, _ path: String, members json: inout JSONText
  ) {
    json.object("physicalLocation") {
      $0.object("artifactLocation") { $0.member("uri", uri(path)) }
    }
    json.array("logicalLocations") {
      if finding.name != FindingScope.unnamed {
        $0.object {
          $0.member("name", finding.name)
          $0.member("kind", "activity")
        }
      }
      if let key = finding.key {
        $0.object {
          $0.member("name", key)
          $0.member("kind", "key")
        }
      }
    }
  }

  private static func write(_ suppression: Suppression, _ json: inout JSONText) {
    json.object {
      $0.member("kind", "external")
      $0.member("status", "accepted")
      $0.member("justification", suppression.reason)
      $0.object("properties") { $0.member("until", suppression.until.rfc3339) }
    }
  }

  private static func write(propertiesOf finding: Finding, members json: inout JSONText) {
    json.member("verdict", finding.verdict.rawValue)
    json.member("scope", finding.scope.rawValue)
    json.member("activity-id", finding.activityID)
    json.member("key", finding.key)
    json.member("device", finding.device)
    json.member("build", finding.build)
    json.member("attributes-type", finding.attributesType)
    json.member("from", finding.from.rfc3339)
    json.member("until", finding.until?.rfc3339)
    json.member("visible-until", finding.visibleUntil?.rfc3339)
    json.member("wrong-card-seconds", finding.wrongCard.microseconds / 1_000_000)
    json.member("count", finding.count)
    json.array("evidence") { for seq in finding.evidence { $0.value(seq) } }
    json.array("because") { for cause in finding.because { $0.value(cause.fingerprint) } }
    json.array("also") { for rule in finding.also { $0.value(rule) } }
  }

  private static func level(_ severity: Severity) -> String {
    switch severity {
    case .error: "error"
    case .warning: "warning"
    case .info: "note"
    }
  }

  /// A plain text message: brackets would make a link of a log's words, braces a placeholder.
  static func message(_ text: String) -> String {
    var spelled = ""
    for character in Escape.text(text).unicodeScalars {
      switch character {
      case "[", "]", "\\": spelled += "\\\(character)"
      case "{": spelled += "{{"
      case "}": spelled += "}}"
      default: spelled.unicodeScalars.append(character)
      }
    }
    return spelled
  }

  /// A path as a relative reference: everything but the plainest characters as %XX.
  static func uri(_ path: String) -> String {
    var spelled = ""
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"):
        spelled.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        spelled += "%" + (digits.count < 2 ? "0" : "") + digits
      }
    }
    return spelled
  }
}
