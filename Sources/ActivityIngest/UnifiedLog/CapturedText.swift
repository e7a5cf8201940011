internal import ActivityCore

/// What stands at a place of a log line; redaction may have been there before.
enum CapturedText: Sendable, Hashable {
  case plain(String)
  /// A stable hash of it, in base64.
  case hash(String)
  /// `<private>`.
  case redacted

  private static let longest = 256
  private static let tokenBytesMin = 32
  private static let hidden = Array("<private>".utf8)
  private static let mask = Array("<mask.hash: '".utf8)

  /// The text as a member of ours has it; nil where it is not known.
  var text: String? {
    switch self {
    case .plain(let text): text
    case .hash(let hash): "hash:\(hash)"
    case .redacted: nil
    }
  }

  /// Reads what stands at `place` and moves behind it; nil when nothing of its kind does.
  init?(_ message: [UInt8], _ place: inout Int, until end: Int, _ kind: MessageTemplate.Kind) {
    if let redacted = Self.redaction(message, &place) {
      self = redacted
      return
    }
    let start = place
    switch kind {
    case .text, .fields:
      place = end
      self = .plain(String(decoding: message[start..<end], as: UTF8.self).trimmedBlanks)
    case .number:
      let digits = message[start..<end].prefix { $0 >= 0x30 && $0 <= 0x39 }
      guard !digits.isEmpty, digits.count <= 18 else { return nil }
      place = digits.endIndex
      self = .plain(String(decoding: digits, as: UTF8.self))
    case .word:
      let run = message[start..<end].prefix { $0 > 0x20 && !",;)]}\"'".utf8.contains($0) }
      let word = Self.withoutFullStop(run)
      guard !word.isEmpty, word.count <= 4 * Self.longest else { return nil }
      place = word.endIndex
      self = .plain(String(decoding: word, as: UTF8.self))
    case .name:
      let run = message[start..<end].prefix { Self.isWordByte($0) || $0 == UInt8(ascii: ".") }
      let word = Self.withoutFullStop(run)
      guard !word.isEmpty, word.count <= Self.longest else { return nil }
      place = word.endIndex
      self = .plain(String(decoding: word, as: UTF8.self))
    case .token:
      let run = message[start..<end].prefix { Self.isWordByte($0) || "+/=:".utf8.contains($0) }
      let word = Self.withoutFullStop(run)
      guard word.count >= Self.tokenBytesMin else { return nil }
      place = word.endIndex
      self = .plain(String(decoding: word, as: UTF8.self))
    case .id, .uuid:
      if place < end, "\"'([".utf8.contains(message[place]) { place += 1 }
      if let redacted = Self.redaction(message, &place) {
        self = redacted
        return
      }
      let run = message[place..<end].prefix { Self.isWordByte($0) || $0 == UInt8(ascii: ".") }
      let word = Self.withoutFullStop(run)
      guard kind == .uuid ? Self.isUUID(word) : Self.isID(word) else { return nil }
      place = word.endIndex
      self = .plain(String(decoding: word, as: UTF8.self))
    }
  }

  static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte | 0x20 {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
  }

  /// Ids are UUIDs in practice and opaque in principle; a word of a sentence has no digit, and a
  /// number is one of a process or of an os_activity.
  private static func isID(_ word: ArraySlice<UInt8>) -> Bool {
    let digits = word.count { $0 >= 0x30 && $0 <= 0x39 }
    return (6...longest).contains(word.count) && digits > 0 && digits < word.count
  }

  private static func isUUID(_ word: ArraySlice<UInt8>) -> Bool {
    let parts = word.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return parts.map(\.count) == [8, 4, 4, 4, 12]
      && parts.allSatisfy { $0.allSatisfy { HexDigit.value($0) != nil } }
  }

  private static func withoutFullStop(_ run: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    run[
      run
        .startIndex..<(run.lastIndex { $0 != UInt8(ascii: ".") }.map { $0 + 1 }
        ?? run.startIndex)]
  }

  private static func redaction(_ message: [UInt8], _ place: inout Int) -> CapturedText? {
    let rest = message[min(place, message.count)...]
    if rest.starts(with: hidden) {
      place += hidden.count
      return .redacted
    }
    guard rest.starts(with: mask) else { return nil }
    let hash = rest.dropFirst(mask.count).prefix { $0 != UInt8(ascii: "'") }
    guard message[hash.endIndex...].starts(with: "'>".utf8), !hash.isEmpty,
      hash.count <= longest
    else { return nil }
    place = hash.endIndex + 2
    return .hash(String(decoding: hash, as: UTF8.self))
  }

  /// The `name=value` pairs of a text; a value ends at a blank, unless it is quoted or redacted.
  static func fields(of text: String) -> [(name: String, value: CapturedText)] {
    let bytes = Array(text.utf8)
    var fields: [(name: String, value: CapturedText)] = []
    var place = 0
    while place < bytes.count {
      let name = bytes[place...].prefix { isWordByte($0) }
      place = name.endIndex
      guard !name.isEmpty, place < bytes.count, bytes[place] == UInt8(ascii: "=") else {
        place += 1
        continue
      }
      place += 1
      guard let value = fieldValue(bytes, &place), isFieldName(name) else { continue }
      fields.append((String(decoding: name, as: UTF8.self), value))
    }
    return fields
  }

  /// Names are words: what has digits may be a piece of a token.
  private static func isFieldName(_ name: ArraySlice<UInt8>) -> Bool {
    name.count <= 32 && !name.contains { $0 >= 0x30 && $0 <= 0x39 }
  }

  private static func fieldValue(_ bytes: [UInt8], _ place: inout Int) -> CapturedText? {
    if let redacted = redaction(bytes, &place) { return redacted }
    if place < bytes.count, bytes[place] == UInt8(ascii: "\"") {
      let inside = bytes[(place + 1)...].prefix { $0 != UInt8(ascii: "\"") }
      place = min(bytes.count, inside.endIndex + 1)
      return inside.isEmpty ? nil : .plain(String(decoding: inside, as: UTF8.self))
    }
    return CapturedText(bytes, &place, until: bytes.count, .word)
  }
}
