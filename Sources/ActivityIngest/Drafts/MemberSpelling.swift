internal import ActivityCore

/// How values of foreign records are spelled as members of ours.
enum MemberSpelling {
  private static let byName: [String: Member] = Dictionary(
    uniqueKeysWithValues: Member.allCases.filter { !$0.name.isEmpty }.map { ($0.name, $0) })

  /// Members that every line may have and no column is named for.
  private static let texts: Set<String> = [
    "event", "at", "recorded-at", "activity-id", "environment", "bundle-id", "device",
  ]
  private static let others: Set<String> = [
    "seq", "attributes", "content-state", "alert", "relevance-score", "input-push-token",
    "activities", "raw", "rest", "gone-since", "final", "domain", "code", "case", "message",
    "frequent", "message-storage-policy", "lost", "why", "apns-collapse-id",
  ]

  private static let unnamed = texts.union(others)

  /// Whether a name means something on our lines.
  static func isOurs(_ name: String) -> Bool {
    byName[name] != nil || unnamed.contains(name)
  }

  /// Free texts of ours, in which a server may have written anything.
  private static let free: Set<String> = ["message", "domain", "code", "case", "reason", "why"]

  /// Whether a member's value is meant exactly as it is.
  static func isExact(_ name: String) -> Bool { isOurs(name) && !free.contains(name) }

  /// Whether a member is an instant in Unix seconds.
  static func isSeconds(_ name: String) -> Bool { byName[name]?.storage == .seconds }

  static func quoted(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 2)
    append(text, to: &bytes)
    return bytes
  }

  /// Adds a text in quotes.
  static func append(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { append($0, to: &bytes) }
  }

  /// Adds the bytes of a text in quotes.
  static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    let isPlain = text.allSatisfy {
      $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    guard isPlain else { return JSONText.append(text, to: &bytes) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: text)
    bytes.append(UInt8(ascii: "\""))
  }

  /// A text as the member has it: a number where numbers are wanted and it spells one.
  static func spelled(_ text: String, for name: String) -> [UInt8] {
    switch byName[name]?.storage {
    case .whole, .seconds:
      let bytes = Array(text.utf8)
      if JSONSlice(bytes)?.type == .number { return bytes }
    case .flag:
      if text == "true" || text == "false" { return Array(text.utf8) }
      if text == "1" { return Array("true".utf8) }
      if text == "0" { return Array("false".utf8) }
    case .word, .text, .handle, .size, nil: break
    }
    return quoted(text)
  }

  /// A value as the member has it; nil where it has no place there.
  static func spelled(_ value: JSONSlice, for name: String) -> [UInt8]? {
    let storage = byName[name]?.storage
    let isText =
      storage == .word || storage == .text || storage == .handle
      || storage == nil && texts.contains(name)
    switch value.type {
    case .null: return nil
    case .string:
      guard let text = value.string, !(isText && text.isEmpty) else { return nil }
      let wantsNumber = storage == .whole || storage == .seconds || storage == .flag
      return wantsNumber ? spelled(text, for: name) : Array(value.text)
    case .number:
      if isText, name != "at", name != "recorded-at" { return quoted(value.spelling) }
      if storage == .flag { return spelled(value.spelling, for: name) }
      return Array(value.text)
    case .true, .false:
      return isText || storage == .whole || storage == .seconds ? nil : Array(value.text)
    case .object, .array:
      return storage == nil && !isText ? Array(value.text) : nil
    }
  }
}

extension Timestamp {
  /// Unix seconds as a JSON number, with a fraction only where there is one.
  var unixSpelling: [UInt8] {
    var bytes: [UInt8] = []
    DecimalText.appendSeconds(microseconds, to: &bytes)
    return bytes
  }
}
