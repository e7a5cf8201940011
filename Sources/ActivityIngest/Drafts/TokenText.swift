internal import ActivityCore

/// What texts in the place of a token are.
enum TokenText {
  /// Whether a text can be a token at all: what stands for all tokens alike (`[REDACTED]`,
  /// `$TOKEN`, `<token>`, `***`) would make one card of many.
  static func isToken(_ text: String) -> Bool {
    if text.utf8.count >= 4, isHex(text) || looksLikeToken(text) { return true }
    guard !text.utf8.contains(where: { isPlaceholderMark($0) }) else { return false }
    let letters = text.lowercased().filter { $0.isLetter || $0.isNumber }
    guard letters.count >= 2, letters.contains(where: { $0 != "x" && $0 != "0" }),
      !placeholders.contains(letters)
    else { return false }
    // A long random text may have any short word in it.
    return letters.utf8.count >= 40 || !covers.contains { letters.contains($0) }
  }

  private static let covers = [
    "redact", "filter", "mask", "hidden", "removed", "undefined", "secret",
  ]
  private static let placeholders: Set<String> = [
    "token", "devicetoken", "pushtoken", "activitytoken", "apnstoken", "yourtoken",
    "yourdevicetoken", "yourpushtoken", "null", "nil", "none", "unknown", "empty", "true", "false",
  ]

  /// What templates, shells and redaction write, and no spelling of a token has.
  private static func isPlaceholderMark(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, UInt8(ascii: "$"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "<"),
      UInt8(ascii: ">"), UInt8(ascii: "*"), UInt8(ascii: "["), UInt8(ascii: "]"),
      UInt8(ascii: ";"), UInt8(ascii: "("), UInt8(ascii: "%"):
      true
    default: false
    }
  }

  static func isHex(_ text: String) -> Bool {
    text.utf8.allSatisfy { HexDigit.value($0) != nil }
  }

  /// Whether a text is the digest of a token, or 32 bytes or more in hex or base64.
  static func looksLikeToken(_ text: String) -> Bool {
    guard text.utf8.count >= TokenDigest.length else { return false }
    if text.utf8.count >= 64, text.utf8.count.isMultiple(of: 2), isHex(text) { return true }
    let bytes = Array(text.utf8)
    return TokenDigest.isDigest(bytes) || (TokenDigest.decoded(bytes)?.count ?? 0) >= 32
  }
}
