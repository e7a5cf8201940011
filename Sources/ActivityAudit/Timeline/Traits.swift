internal import ActivityCore

/// What a life has at all, so that rules about rare things pass by the lives without them.
package struct Traits: OptionSet, Sendable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// A push by anybody.
  package static let push = Traits(rawValue: 1)
  /// A push that starts.
  package static let pushStart = Traits(rawValue: 2)
  /// A refused push.
  package static let refusal = Traits(rawValue: 4)
  /// A push whose headers are recorded.
  package static let headers = Traits(rawValue: 8)
  /// Two `token` rows or more.
  package static let tokens = Traits(rawValue: 16)
  /// A phase that a device shows, live.
  package static let shownLive = Traits(rawValue: 32)
  /// A `state` with content.
  package static let shownContent = Traits(rawValue: 64)

  init(_ entries: [Entry]) {
    var traits: Traits = []
    var tokens = 0
    for entry in entries {
      guard let kind = entry.kind else { continue }
      if entry.isByPush {
        traits.insert(.push)
        if kind == .start { traits.insert(.pushStart) }
        if entry.isRefused { traits.insert(.refusal) }
        if entry.hasHeaders { traits.insert(.headers) }
      } else if kind == .token {
        tokens += 1
      } else if entry.shown.isLive {
        traits.insert(.shownLive)
      }
      if kind == .state, entry.hasContent { traits.insert(.shownContent) }
    }
    if tokens > 1 { traits.insert(.tokens) }
    self = traits
  }
}
