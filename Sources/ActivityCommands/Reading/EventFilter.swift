internal import ActivityCore

/// What `--where` asks of events: `event=alert`, `key=A-1042`, `status=403`.
struct EventFilter: Sendable {
  /// Names that are no lifted member.
  private static let own = [
    "event", "activity-id", "token", "channel", "key", "device", "bundle-id", "environment",
  ]

  private let wanted: WantedValues
  var isEmpty: Bool { wanted.isEmpty }

  init(_ given: Arguments) throws(UsageError) {
    let names = EventFilter.own + Member.allCases.map(\.name).filter { !$0.isEmpty }
    wanted = try WantedValues(given, names: names, of: "events") { name in
      Spelling.nearest(to: name, among: names)
        ?? "event, activity-id, key, device, build, source, status, …"
    }
  }

  func matches(_ row: EventRow) -> Bool {
    wanted.hold { name, values in EventFilter.has(row, name, values) }
  }

  private static func has(_ row: EventRow, _ name: String, _ values: Set<String>) -> Bool {
    // EVENTS 1: filters for alert see both an alert alone and one on an act.
    if name == "event", values.contains("alert"), row.flags.contains(.alert) { return true }
    let value: String? =
      switch name {
      case "event": row.kindWord
      case "activity-id": row.activityID
      case "device": row.device
      case "bundle-id": row.bundleID
      case "environment": row.environment
      default: member(row, name)
      }
    return value.map(values.contains) ?? false
  }

  private static func member(_ row: EventRow, _ name: String) -> String? {
    guard let member = Member.allCases.first(where: { $0.name == name }) else { return nil }
    switch member.storage {
    case .word, .text, .handle: return row.text(member)
    case .whole: return row.value(member).map(String.init)
    case .flag: return row.value(member).map { $0 == 1 ? "true" : "false" }
    case .seconds: return row.instant(member).map { String($0.wholeSeconds) }
    case .size: return nil
    }
  }
}
