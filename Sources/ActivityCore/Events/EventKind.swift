/// What a row says happened; raw values are wire numbers of format v1 and are never reused.
///
/// `start` `update` `alert` `end` are acts: somebody asked for them. The others are evidence: what
/// was seen or answered. An unknown kind is kept and written back and moves nothing.
public enum EventKind: UInt8, CaseIterable, Sendable {
  case unknown = 0
  case start = 1
  case update = 2
  case alert = 3
  case end = 4
  case stale = 5
  case dismiss = 6
  case state = 7
  case inventory = 8
  case response = 9
  case failure = 10
  case token = 11
  case authorization = 12
  case channel = 13
  case work = 14
  case coverage = 15

  /// The word in the line's `event` member; empty for an unknown kind, whose word stays in its
  /// payload.
  public var word: String {
    self == .unknown ? "" : String(describing: self)
  }

  /// Whether somebody asked for it.
  public var isAct: Bool { (EventKind.start.rawValue...EventKind.end.rawValue).contains(rawValue) }

  /// Whether it can carry content: `start`, `update`, `end`.
  public var isContentAct: Bool { isAct && self != .alert }

  /// The members this kind lifts into columns, beside those every kind lifts.
  package var members: [Member] { declaration.members }

  /// The one registry of kinds: a new kind is its file and a line here.
  package var declaration: any EventDeclaration.Type {
    switch self {
    case .unknown: UnknownEvent.self
    case .start: Start.self
    case .update: Update.self
    case .alert: Alert.self
    case .end: End.self
    case .stale: Stale.self
    case .dismiss: Dismiss.self
    case .state: State.self
    case .inventory: Inventory.self
    case .response: Response.self
    case .failure: Failure.self
    case .token: Token.self
    case .authorization: Authorization.self
    case .channel: Channel.self
    case .work: Work.self
    case .coverage: Coverage.self
    }
  }
}

/// One kind's file: which of its members become columns; how it moves an activity is in an
/// extension of the same file.
package protocol EventDeclaration {
  static var kind: EventKind { get }
  static var members: [Member] { get }
}
