internal import ActivityAudit
internal import ActivityCore

/// What `--where` asks of findings.
struct FindingFilter: Sendable {
  static let names = [
    "activity-id", "attributes-type", "build", "device", "key", "name", "rule", "severity",
    "verdict",
  ]

  let wanted: WantedValues
  var isEmpty: Bool { wanted.isEmpty }

  init(_ given: Arguments) throws(UsageError) {
    wanted = try WantedValues(given, names: FindingFilter.names, of: "findings") { _ in
      "one of \(FindingFilter.names.joined(separator: ", "))"
    }
  }

  func matches(_ finding: Finding) -> Bool {
    wanted.hold { name, values in
      let value: String? =
        switch name {
        case "activity-id": finding.activityID
        case "attributes-type": finding.attributesType
        case "build": finding.build
        case "device": finding.device
        case "key": finding.key
        case "name": finding.name
        case "rule": finding.rule
        case "severity": finding.severity.rawValue
        default: finding.verdict.rawValue
        }
      return value.map(values.contains) ?? false
    }
  }

  /// Whether a card could have findings that match: what only a finding has is not asked for.
  func mayMatch(_ card: ActivityState) -> Bool {
    wanted.hold { name, values in
      let value: String?
      switch name {
      case "activity-id": value = card.activityID
      case "attributes-type": value = card.attributesType
      case "build": value = card.build
      case "device": value = card.device
      case "key": value = card.key
      case "name": value = card.name
      default: return true
      }
      return value.map(values.contains) ?? false
    }
  }
}
