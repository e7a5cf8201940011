internal import ActivityCore

/// Takes tokens and credentials out of what a record says beside our own members: wherever they
/// stand, a token becomes its digest, and a credential `[removed]`.
///
/// - A run of 64 hex digits or more, what follows `/3/device/`, and a token of FCM are tokens
///   anywhere, also in names. Base64 of 32 bytes or more is one under a name with `token` in it.
/// - What follows `bearer`, and a text that begins with `eyJ`, are credentials anywhere; so are
///   texts under the names of keys and passwords.
struct SecretScrub {
  static let removed = "[removed]"
  private static let digitsMin = 64
  private static let depthMax = 8

  /// The name of the member whose value is read.
  private var name: String
  private let depth: Int

  private init(_ name: String, _ depth: Int) {
    self.name = name
    self.depth = depth
  }

  /// A JSON value without what must not be kept.
  ///
  /// - Parameter name: the name it stands under.
  static func scrubbed(_ value: [UInt8], named name: String) -> [UInt8] {
    guard mayHoldSecret(value, name) else { return value }
    var scrub = SecretScrub(name, 0)
    return scrub.walk(value)
  }

  /// A text without what must not be kept.
  static func scrubbed(_ text: String, named name: String = "") -> String {
    guard mayHoldSecret(Array(text.utf8), name) else { return text }
    return SecretScrub(name, 0).text(text)
  }

  // MARK: What is looked for

  /// Names whose texts are as good as the key itself.
  static let secrets: Set<String> = [
    "authorization", "authtoken", "jwt", "bearer", "bearertoken", "providertoken", "signingkey",
    "privatekey", "passphrase", "p8", "secret", "password", "apikey", "cookie", "authkey",
    "keypem", "setcookie", "accesstoken", "refreshtoken", "clientsecret",
  ]

  private static func isSecret(_ name: String) -> Bool {
    name.utf8.count <= 32 && secrets.contains(RequestFields.key(name))
  }

  private static func isTokenName(_ name: String) -> Bool {
    name.utf8.count >= 5 && RequestFields.key(name).holds("token")
  }

  /// Whether a closer look is worth it: nearly all values have nothing of all this in them.
  private static func mayHoldSecret(_ value: [UInt8], _ name: String) -> Bool {
    if isSecret(name) || isTokenName(name) { return true }
    guard value.count >= 16 else { return false }
    var digits = 0
    return value.withUnsafeBufferPointer { bytes in
      for index in bytes.indices {
        let byte = bytes[index]
        digits = HexDigit.value(byte) == nil ? 0 : digits + 1
        if digits == digitsMin { return true }
        let mark: StaticString
        switch byte {
        case UInt8(ascii: "J"): mark = "eyJ"
        case UInt8(ascii: "r"), UInt8(ascii: "R"): mark = "bearer"
        case UInt8(ascii: "n"), UInt8(ascii: "N"): mark = "token"
        case UInt8(ascii: "1"): mark = ":APA91"
        case UInt8(ascii: "e"): mark = "/device"
        case UInt8(ascii: "\""):
          if isSecretName(before: index, bytes) { return true }
          continue
        default: continue
        }
        if ends(with: mark, at: index, bytes) { return true }
      }
      return false
    }
  }

  /// Whether a name that ends here, with its quote, is one of a key or a password.
  private static func isSecretName(
    before end: Int, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard end + 1 < bytes.count, bytes[end + 1] == UInt8(ascii: ":") || bytes[end + 1] == 0x20
    else { return false }
    guard let start = bytes[..<end].lastIndex(of: UInt8(ascii: "\"")), end - start <= 33
    else { return false }
    return isSecret(String(decoding: bytes[(start + 1)..<end], as: UTF8.self))
  }

  private static func ends(
    with mark: StaticString, at index: Int, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    mark.withUTF8Buffer { mark in
      guard index + 1 >= mark.count else { return false }
      let start = index + 1 - mark.count
      return (0..<mark.count).allSatisfy { place in
        bytes[start + place] == mark[place]
          || bytes[start + place] | 0x20 == mark[place] && mark[place] >= UInt8(ascii: "a")
      }
    }
  }

  // MARK: Values

  /// Goes through JSON text by its strings; everything between them stays as it is.
  private mutating func walk(_ value: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(value.count)
    var place = 0
    while place < value.count {
      guard value[place] == UInt8(ascii: "\"") else {
        bytes.append(value[place])
        place += 1
        continue
      }
      let end = Self.end(ofStringAt: place, in: value)
      let spelled = value[place..<end]
      place = end
      guard let string = JSONSlice(Array(spelled))?.string else {
        bytes += spelled
        continue
      }
      let next = value[end...].first { $0 > 0x20 }
      let isName = next == UInt8(ascii: ":")
      if isName { name = string }
      let scrubbed = isName ? Self.withoutTokens(string) : text(string)
      if scrubbed == string {
        bytes += spelled
      } else {
        MemberSpelling.append(scrubbed, to: &bytes)
      }
    }
    return bytes
  }

  /// Behind the closing quote of a string.
  private static func end(ofStringAt start: Int, in bytes: [UInt8]) -> Int {
    var place = start + 1
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
      place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(place + 1, bytes.count)
  }

  /// A text as the value of the present name.
  private func text(_ text: String) -> String {
    if text.isEmpty { return text }
    if Self.isSecret(name) { return Self.removed }
    if Self.isTokenName(name), Self.isOpaque(text) { return TokenDigest.digest(of: text) }
    if depth < Self.depthMax, text.utf8.contains(UInt8(ascii: "\"")), let json = Self.json(text) {
      var inner = SecretScrub(name, depth + 1)
      return String(decoding: inner.walk(json), as: UTF8.self)
    }
    return Self.withoutTokens(Self.withoutCredentials(text))
  }

  /// JSON that stands in a text.
  private static func json(_ text: String) -> [UInt8]? {
    let first = text.utf8.first(where: { $0 > 0x20 })
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
    let bytes = Array(text.utf8)
    return JSONSlice(bytes) == nil ? nil : bytes
  }

  /// A token by its looks, under a name that says token.
  private static func isOpaque(_ text: String) -> Bool {
    if TokenText.looksLikeToken(text) { return true }
    return text.utf8.count >= digitsMin && !text.holds("://")
      && !text.utf8.contains { $0 <= 0x20 || $0 == UInt8(ascii: "{") }
  }
}
