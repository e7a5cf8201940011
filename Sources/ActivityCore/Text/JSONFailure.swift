/// What kind of value a piece of JSON text is.
public enum JSONType: UInt8, Sendable {
  case object
  case array
  case string
  case number
  case `true`
  case `false`
  case null
}

/// Where a text stops being JSON, and why.
public struct JSONFailure: Error, Hashable, Sendable {
  /// How many bytes before the offending one.
  public var offset: Int
  public var reason: Reason

  /// A failure at a byte of the document.
  public init(offset: Int, reason: Reason) {
    self.offset = offset
    self.reason = reason
  }

  /// What the grammar did not allow.
  public enum Reason: String, CaseIterable, Hashable, Sendable {
    case unexpectedEnd = "unexpected-end"
    case unexpectedByte = "unexpected-byte"
    case trailingBytes = "trailing-bytes"
    case controlCharacter = "control-character"
    case nulByte = "nul-byte"
    case invalidUTF8 = "invalid-utf8"
    case invalidEscape = "invalid-escape"
    case loneSurrogate = "lone-surrogate"
    case invalidNumber = "invalid-number"
    case tooDeep = "too-deep"

    /// One sentence: what is wrong and what to do about it.
    public var sentence: String {
      switch self {
      case .unexpectedEnd:
        "The JSON ends too early; write the whole object on one line."
      case .unexpectedByte:
        "This byte cannot stand here in JSON; write one JSON object a line."
      case .trailingBytes:
        "Something follows the object; write one JSON object a line."
      case .controlCharacter:
        "A control character stands bare in a string; write it as an escape such as \\n."
      case .nulByte:
        "There is a NUL byte; the file may be cut short or not be text."
      case .invalidUTF8:
        "These bytes are not UTF-8; convert the file to UTF-8."
      case .invalidEscape:
        "This escape is none of JSON's; after a backslash comes one of \"\\/bfnrt or uXXXX."
      case .loneSurrogate:
        "Half a surrogate pair stands alone; write both \\u escapes or the character itself."
      case .invalidNumber:
        "This is no JSON number; write digits such as 20, 20.5 or 2e1."
      case .tooDeep:
        "The JSON is nested deeper than \(JSONScanner.depthLimit) levels; flatten it."
      }
    }
  }
}
