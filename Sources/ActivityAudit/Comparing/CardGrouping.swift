internal import ActivityCore

/// What cards are compared by.
public enum CardGrouping: String, Sendable, CaseIterable {
  case build
  case attributesType = "attributes-type"
  /// Who asked for the card: the source of its applied start, else of its first row.
  case source
  /// Who wrote that row.
  case recorder
  case device

  /// A card's value; nil when it is not known.
  package func value(of life: Timeline) -> String? {
    switch self {
    case .build: life.state.build
    case .attributesType: life.log.text(life.type)
    case .source: life.origin.flatMap { CardGrouping.word($0) }
    case .recorder: life.origin.flatMap { life.log.text($0.recorder) }
    case .device: life.state.device
    }
  }

  /// A push often does not name its source.
  private static func word(_ entry: Entry) -> String? {
    guard entry.source == .absent else { return "\(entry.source)" }
    return entry.isByPush ? "push" : nil
  }
}

extension Timeline {
  /// The row a card came from: its applied start, else the first row that speaks of it.
  fileprivate var origin: Entry? {
    entries.first { $0.kind == .start && $0.isAppliedAct } ?? entries.first { $0.kind != nil }
  }
}
