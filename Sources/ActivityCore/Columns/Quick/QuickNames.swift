/// What a member's name asks the quick reader to do with its value.
enum QuickForm: UInt8, Sendable {
  /// It stays JSON.
  case kept
  case attributes, content, alert
  /// Long to read, and rare.
  case activities, inputPushToken
  case event, at, recordedAt, seq
  case activityID, environment, bundleID, device, channel, key, token, replaces
  case seconds, whole, flag, word, text, state

  init(_ name: LineName) {
    switch name {
    case .other: self = .kept
    case .event: self = .event
    case .at: self = .at
    case .recordedAt: self = .recordedAt
    case .seq: self = .seq
    case .activityID: self = .activityID
    case .environment: self = .environment
    case .bundleID: self = .bundleID
    case .device: self = .device
    case .alert: self = .alert
    case .contentState: self = .content
    case .attributes: self = .attributes
    case .activities: self = .activities
    case .inputPushToken: self = .inputPushToken
    case .member(let member): self = QuickForm(member)
    }
  }

  private init(_ member: Member) {
    switch member.storage {
    case .seconds: self = .seconds
    case .whole: self = .whole
    case .flag: self = .flag
    case .text: self = .text
    case .word: self = member == .state ? .state : .word
    case .size: self = .kept
    case .handle:
      switch member {
      case .channel: self = .channel
      case .key: self = .key
      case .token: self = .token
      default: self = .replaces
      }
    }
  }
}

/// A name the quick reader knows.
struct QuickName: Sendable {
  /// Its bit in a `LineNameSet`, which for a member is its number; 0 for a name we do not know.
  var bit: UInt8 = 0
  var form = QuickForm.kept

  static let words = QuickWords(
    LineName.all.filter { $0.spelling.utf8.count <= QuickWord.longest }
      .map { ($0.spelling, QuickName(bit: UInt8($0.bit), form: QuickForm($0))) },
    free: QuickName())
}

extension EventKind {
  static let quickWords = QuickWords(
    EventKind.allCases.filter { $0 != .unknown }.map { ($0.word, $0) }, free: .unknown)
}
