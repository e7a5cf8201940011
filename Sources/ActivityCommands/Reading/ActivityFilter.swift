internal import ActivityCore

/// What `--where` asks for: every name given must hold; one name given twice, either value.
struct ActivityFilter: Sendable {
  /// The names an activity answers to, which are also those of an event's row.
  static let names = [
    "activity-id", "attributes-type", "build", "bundle-id", "device", "environment", "key",
    "phase", "producer", "style",
  ]

  private let wanted: WantedValues
  var isEmpty: Bool { wanted.isEmpty }

  init(_ given: Arguments) throws(UsageError) {
    wanted = try WantedValues(given, names: ActivityFilter.names, of: "activities") { _ in
      "one of \(ActivityFilter.names.joined(separator: ", "))"
    }
  }

  func matches(_ state: ActivityState) -> Bool {
    wanted.hold { name, values in
      let value: String? =
        switch name {
        case "activity-id": state.activityID
        case "attributes-type": state.attributesType
        case "build": state.build
        case "bundle-id": state.bundleID
        case "device": state.device
        case "environment": state.environment
        case "key": state.key
        case "phase": state.phase.word
        case "producer": state.producer
        default: state.style
        }
      return value.map(values.contains) ?? false
    }
  }
}
