/// What an activity is called after resolution (I1).
package enum ActivityName: Hashable, Sendable {
  /// Codes of the row set's vocabulary.
  case activity(Int32)
  case token(Int32)
  case channel(Int32)
  case key(Int32)
  /// A push start that no activity-id is known for.
  case start(Int64)

  /// As people read it: the id, `token:` + 12 hex digits, `channel:…`, `key:…`, `start:<seq>`.
  package func printed(_ texts: TextTable) -> String {
    switch self {
    case .activity(let code): texts.string(Int(code))
    case .token(let code): "token:" + ActivityName.shortToken(texts.string(Int(code)))
    case .channel(let code): "channel:" + texts.string(Int(code))
    case .key(let code): "key:" + texts.string(Int(code))
    case .start(let seq): "start:\(seq)"
    }
  }

  /// The first 12 hex digits of a stored token.
  package static func shortToken(_ token: String) -> String {
    String(token.drop { $0 != ":" }.dropFirst().prefix(12))
  }
}
