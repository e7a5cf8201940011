#if canImport(CryptoKit)
  internal import CryptoKit
#else
  internal import CSodium
#endif

/// What a log keeps of a push token: `sha256:` and the first 32 hex digits of the digest of its
/// bytes. A token is 32 random bytes or more, so the digest cannot be reversed, and logs of
/// different hosts join.
public enum TokenDigest {
  /// How long every digest's text is.
  package static let length = 7 + 32

  /// The digest of a token as anybody spells it: hex in any case or base64 (also base64url) are
  /// decoded first, anything else is taken as its bytes, and a digest is returned as it is.
  public static func digest(of token: String) -> String {
    var text: [UInt8] = []
    append(digestOf: Array(token.utf8), to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  package static func append(digestOf token: [UInt8], to text: inout [UInt8]) {
    guard !isDigest(token) else { return text.append(contentsOf: token) }
    let bytes = decodedHex(token) ?? decodedBase64(token) ?? token
    text.append(contentsOf: "sha256:".utf8)
    for byte in sha256(bytes).prefix(16) {
      text.append(HexDigit.lowercase(byte >> 4))
      text.append(HexDigit.lowercase(byte & 15))
    }
  }

  /// The bytes behind a token spelled as hex or base64; nil when it is neither.
  package static func decoded(_ token: [UInt8]) -> [UInt8]? {
    decodedHex(token) ?? decodedBase64(token)
  }

  /// Whether it is `sha256:` and 32 lowercase hex digits already.
  package static func isDigest(_ token: some Collection<UInt8>) -> Bool {
    guard token.count == length, token.starts(with: "sha256:".utf8) else { return false }
    return token.dropFirst(7).allSatisfy { HexDigit.value($0) != nil && $0 | 0x20 == $0 }
  }

  package static func isHex(_ token: [UInt8]) -> Bool {
    !token.isEmpty && token.count.isMultiple(of: 2)
      && token.allSatisfy { HexDigit.value($0) != nil }
  }

  private static func decodedHex(_ token: [UInt8]) -> [UInt8]? {
    guard isHex(token) else { return nil }
    return stride(from: 0, to: token.count, by: 2).map { index in
      (HexDigit.value(token[index]) ?? 0) << 4 | (HexDigit.value(token[index + 1]) ?? 0)
    }
  }

  /// The bytes behind base64 or base64url, padded or not; nil when it is neither, mixes the two
  /// alphabets, or has bits left over that a sender would have had to invent.
  private static func decodedBase64(_ token: [UInt8]) -> [UInt8]? {
    let unpadded = token.prefix(while: { $0 != UInt8(ascii: "=") })
    let padding = token.count - unpadded.count
    guard unpadded.count % 4 != 1, !unpadded.isEmpty,
      padding == 0 || (token.count.isMultiple(of: 4) && padding <= 2),
      token[unpadded.count...].allSatisfy({ $0 == UInt8(ascii: "=") }),
      !(unpadded.contains(where: { $0 == 0x2B || $0 == 0x2F })
        && unpadded.contains(where: { $0 == 0x2D || $0 == 0x5F }))
    else { return nil }
    var bytes: [UInt8] = []
    var pending: UInt32 = 0
    var bits = 0
    for byte in unpadded {
      guard let value = sextet(byte) else { return nil }
      pending = pending << 6 | value
      bits += 6
      guard bits >= 8 else { continue }
      bits -= 8
      bytes.append(UInt8(truncatingIfNeeded: pending >> UInt32(bits)))
      pending &= (1 << UInt32(bits)) - 1
    }
    return pending == 0 ? bytes : nil
  }

  private static func sextet(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }

  /// The 32 bytes of SHA-256.
  package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    #if canImport(CryptoKit)
      return Array(SHA256.hash(data: bytes))
    #else
      var digest = [UInt8](repeating: 0, count: 32)
      crypto_hash_sha256(&digest, bytes, UInt64(bytes.count))
      return digest
    #endif
  }
}
