internal import ActivityAudit
internal import ActivityCore

/// What `--where` asks of findings.
struct FindingFilter: Sendable {
  static let names = [
    "activity-id", "attributes-type", "build", "device", "key", "name", "rule", "severity",
    "verdict",
  ]

  private let wanted: [String: Set<String>]
  var isEmpty: Bool { wanted.isEmpty }

  init(_ given: Arguments) throws(UsageError) {
    var wanted: [String: Set<String>] = [:]
    for (name, value) in try given.pairs(ReadingOptions.filter) {
      guard FindingFilter.names.contains(name) else {
        throw UsageError(
          "--where: findings have no '\(name)'",
          hint: "one of \(FindingFilter.names.joined(separator: ", "))")
      }
      wanted[name, default: []].insert(value)
    }
    self.wanted = wanted
  }

  func matches(_ finding: Finding) -> Bool {
    wanted.allSatisfy { name, values in
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
}
