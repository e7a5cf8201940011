/// How an activity stands; ActivityKit's words, and `none` for one that never came to be.
public enum Phase: UInt8, Sendable, CaseIterable {
  case none, pending, active, stale, ended, dismissed

  /// ActivityKit's spelling.
  public var word: String { String(describing: self) }
  /// F9: a state's word in any case; a word we do not know shows nothing.
  package init(shownAs word: String) {
    self =
      switch word.lowercased() {
      case "pending": .pending
      case "active": .active
      case "stale": .stale
      case "ended": .ended
      case "dismissed": .dismissed
      default: .none
      }
  }

  /// Active or stale: on screen and running.
  public var isLive: Bool { self == .active || self == .stale }
  /// Ended or dismissed.
  public var isOver: Bool { self == .ended || self == .dismissed }
}

/// Who asked for an act.
package enum Source: UInt8, Sendable {
  case absent, app, intent, schedule, push, broadcast, system, person, other

  package init(word: String?) {
    self =
      switch word {
      case nil: .absent
      case "app": .app
      case "intent": .intent
      case "schedule": .schedule
      case "push": .push
      case "broadcast": .broadcast
      case "system": .system
      case "person": .person
      default: .other
      }
  }

  /// What an end by this source gives as `end-reason`.
  package func endReason(byPush: Bool) -> EndReason {
    switch self {
    case .app, .intent: .app
    case .push: .push
    case .broadcast: .broadcast
    case .person: .person
    case .absent: byPush ? .push : .unknown
    case .schedule, .system, .other: .unknown
    }
  }
}

/// What became of a push: nothing known, taken, refused, or refused because the token is gone.
package enum Answer: UInt8, Sendable {
  case none, accepted, refused, gone

  package init(status: Int64) {
    self = status == 200 ? .accepted : status == 410 ? .gone : .refused
  }

  package var refuses: Bool { self == .refused || self == .gone }
}

/// Why an act did not take effect, or that it did; names as `show` prints them.
public enum Outcome: UInt8, Sendable {
  case applied
  /// An end with an older timestamp: applied all the same.
  case appliedOlder
  /// Evidence that moved nothing, because what it shows was known or came too close to an end.
  case noted
  case refused
  case older
  case afterEnd
  case future
  case tooBig
  case noAlert
  case undecodable
  /// An alert with nothing on screen to alert of.
  case noLife

  /// As `show` prints it.
  public var word: String {
    switch self {
    case .appliedOlder: "older-end"
    case .afterEnd: "after-end"
    case .tooBig: "too-big"
    case .noAlert: "no-alert"
    case .noLife: "no-life"
    case .applied, .noted, .refused, .older, .future, .undecodable: String(describing: self)
    }
  }

  /// Whether the act took effect.
  public var isApplied: Bool { self == .applied || self == .appliedOlder }
}
