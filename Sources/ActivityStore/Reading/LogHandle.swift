internal import ActivityCore

/// What a subject index finds commits by.
public enum LogHandle: Hashable, Sendable {
  case activity(String)
  /// The token's digest, as the log keeps it.
  case token(String)
  case channel(String)
  case key(String)
  /// Finds rows that carry no handle but this.
  case apnsID(String)
  /// Finds rows about an app that carry neither handle nor apns-id.
  case device(String)

  package var hash: UInt32 {
    switch self {
    case .activity(let name): Self.hash(1, name)
    case .token(let name): Self.hash(2, name)
    case .channel(let name): Self.hash(3, name)
    case .key(let name): Self.hash(4, name)
    case .apnsID(let name): Self.hash(SubjectHash.apnsID, name)
    case .device(let name): Self.hash(SubjectHash.device, name)
    }
  }

  /// Whether the commit that introduces the subject of such a row is always found by the handle
  /// too. The subject of a row about an app may have come with any row about that app.
  var findsItsNames: Bool {
    switch self {
    case .activity, .token, .channel, .key: true
    case .apnsID, .device: false
    }
  }

  /// Kind and name of a handle that is a subject; nil for an apns-id and a device.
  var named: (kind: HandleKind, name: String)? {
    switch self {
    case .activity(let name): (.activity, name)
    case .token(let name): (.token, name)
    case .channel(let name): (.channel, name)
    case .key(let name): (.key, name)
    case .apnsID, .device: nil
    }
  }

  private static func hash(_ kind: UInt8, _ name: String) -> UInt32 {
    SubjectHash.of(kind, ArraySlice(Array(name.utf8)))
  }
}
