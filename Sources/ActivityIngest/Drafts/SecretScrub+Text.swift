internal import ActivityCore

/// Runs inside texts.
extension SecretScrub {
  /// A text with every token in it as its digest.
  static func withoutTokens(_ text: String) -> String {
    guard text.utf8.count >= 16 else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var place = 0
    while place < bytes.count {
      let end = endOfRun(from: place, in: bytes)
      guard end > place else {
        result.append(bytes[place])
        place += 1
        continue
      }
      let run = bytes[place..<end]
      let isInPath = result.suffix(8).elementsEqual("/device/".utf8)
      if isInPath, run.count >= 8, TokenText.isToken(String(decoding: run, as: UTF8.self)) {
        TokenDigest.append(digestOf: Array(run), to: &result)
      } else if let colon = run.firstIndex(of: UInt8(ascii: ":")),
        run[colon...].starts(with: ":APA91".utf8)
      {
        TokenDigest.append(digestOf: Array(run), to: &result)
      } else {
        appendWithoutHex(run, to: &result)
      }
      place = end
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Where the characters that tokens are spelled in end.
  private static func endOfRun(from start: Int, in bytes: [UInt8]) -> Int {
    bytes[start...].firstIndex { !isTokenByte($0) && $0 != UInt8(ascii: ":") } ?? bytes.count
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    let small = byte | 0x20
    return small >= UInt8(ascii: "a") && small <= UInt8(ascii: "z")
      || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "+")
      || byte == UInt8(ascii: "=")
  }

  /// Adds bytes, every run of 64 hex digits or more as its digest.
  private static func appendWithoutHex(_ bytes: ArraySlice<UInt8>, to result: inout [UInt8]) {
    var rest = bytes
    while let first = rest.firstIndex(where: { HexDigit.value($0) != nil }) {
      result += rest[..<first]
      let run = rest[first...].prefix { HexDigit.value($0) != nil }
      if run.count >= 64 {
        TokenDigest.append(digestOf: Array(run), to: &result)
      } else {
        result += run
      }
      rest = rest[run.endIndex...]
    }
    result += rest
  }

  /// A text without what follows `bearer`, and without what begins with `eyJ`.
  static func withoutCredentials(_ text: String) -> String {
    guard text.holds("eyJ") || text.lowercased().holds("bearer") else { return text }
    var result: [UInt8] = []
    var isBehindBearer = false
    for part in text.utf8.split(separator: 0x20, omittingEmptySubsequences: false) {
      if !result.isEmpty || part.startIndex > text.utf8.startIndex { result.append(0x20) }
      let word = String(decoding: part, as: UTF8.self)
      let isBearer = word.utf8.count <= 24 && word.lowercased().hasSuffix("bearer")
      if isBehindBearer, word.utf8.count >= 12 {
        result += removed.utf8
      } else if let start = startOfKey(word) {
        result += word[..<start].utf8
        result += removed.utf8
        result += word[start...].utf8.drop { isTokenByte($0) || $0 == UInt8(ascii: ".") }
      } else {
        result += part
      }
      isBehindBearer = isBearer || isBehindBearer && word.isEmpty
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Where `eyJ` begins a key, at the beginning of a word or behind what is no letter.
  private static func startOfKey(_ word: String) -> String.Index? {
    guard let range = word.firstRange(of: "eyJ") else { return nil }
    guard range.lowerBound > word.startIndex else { return range.lowerBound }
    let before = word.utf8[word.utf8.index(before: range.lowerBound)]
    return isTokenByte(before) && before != UInt8(ascii: "=") ? nil : range.lowerBound
  }
}
