internal import ActivityCore

/// A line of text around a request: a time at its beginning, `name=value` and `name: value`, JSON
/// objects, and whole words.
struct RequestText: Sendable {
  private static let failuresMax = 16

  private let bytes: [UInt8]

  init(_ text: String) { bytes = Array(text.utf8) }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The words of the beginning that could be its time, longest first.
  var beginnings: [String] {
    let head = String(decoding: bytes.prefix(64), as: UTF8.self)
    let words = head.split(separator: " ").prefix(3).map { word in
      word.drop { "[(\"<".contains($0) }
    }
    guard let first = words.first?.first, first.isNumber else { return [] }
    return (1...words.count).reversed().map { count in
      var text = words.prefix(count).joined(separator: " ")
      while let last = text.last, "])\"',:;>".contains(last) { text.removeLast() }
      return text
    }
  }

  /// Adds what the text says to what a record holds.
  func take(into found: inout RequestFields, _ path: [String]) {
    var place = 0
    var failures = 0
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: "{"), failures < Self.failuresMax {
        if let object = object(at: place) {
          place += object.text.count
          enter(object, &found, path)
          continue
        }
        failures += 1
      }
      guard Self.isName(byte), place == 0 || !Self.isName(bytes[place - 1]),
        let (name, value, end) = pair(at: place)
      else {
        place += 1
        continue
      }
      found.visit(name, value, path)
      place = end
    }
    takeWords(into: &found, path)
    if found.payload == nil, path.isEmpty, found.batch.isEmpty { found.isBroken = namesPayload }
  }

  /// Whether there is an `aps`, in the spelling of JSON or of Python.
  private var namesPayload: Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.contains("\"aps\":") || text.contains("'aps':") || text.contains("\\\"aps\\\":")
  }

  private func enter(_ object: JSONSlice, _ found: inout RequestFields, _ path: [String]) {
    if found.payload == nil, APNsPayload.isPayload(object) {
      found.payload = RequestFields.Payload(value: object, path: path)
    } else {
      found.enter(object, path)
    }
  }

  /// The object that begins here, if it is one.
  private func object(at start: Int) -> JSONSlice? {
    var depth = 0
    var isInString = false
    var place = start
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if isInString {
        if byte == UInt8(ascii: "\\") { place += 1 }
        if byte == UInt8(ascii: "\"") { isInString = false }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: continue
      }
      if depth == 0 { return JSONSlice(Array(bytes[start..<place])) }
    }
    return nil
  }

  /// `name=value`, `name="value"`, `name: value`, and where it ends.
  private func pair(at start: Int) -> (name: String, value: JSONSlice, end: Int)? {
    var place = bytes[start...].firstIndex { !Self.isName($0) } ?? bytes.count
    guard place < bytes.count, place > start else { return nil }
    let name = String(decoding: bytes[start..<place], as: UTF8.self)
    let mark = bytes[place]
    place += 1
    if mark == UInt8(ascii: ":") {
      guard place < bytes.count, bytes[place] == 0x20 else { return nil }
      place += 1
    } else if mark != UInt8(ascii: "=") {
      return nil
    }
    guard place < bytes.count, bytes[place] != UInt8(ascii: "{") else { return nil }
    if bytes[place] == UInt8(ascii: "\"") {
      var end = place + 1
      while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
        end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
      }
      guard end < bytes.count, let value = JSONSlice(Array(bytes[place...end])) else { return nil }
      return (name, value, end + 1)
    }
    let stops: Set<UInt8> = [0x20, 0x09, 0x2C, 0x3B, 0x29, 0x5D, 0x7D]
    let end = bytes[place...].firstIndex { stops.contains($0) } ?? bytes.count
    guard end > place else { return nil }
    let plain = Array(bytes[place..<end])
    if let number = JSONSlice(plain), number.type != .object, number.type != .array {
      return (name, number, end)
    }
    var quoted: [UInt8] = []
    JSONText.append(plain, to: &quoted)
    return JSONSlice(quoted).map { (name, $0, end) }
  }

  private static func isName(_ byte: UInt8) -> Bool {
    let small = byte | 0x20
    return small >= UInt8(ascii: "a") && small <= UInt8(ascii: "z")
      || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
      || byte == UInt8(ascii: "@")
  }

  /// A path of APNs, and a word that can only be a device token, standing alone in the text.
  private func takeWords(into found: inout RequestFields, _ path: [String]) {
    for part in bytes.split(whereSeparator: { $0 <= 0x20 }) where part.count >= 16 {
      var word = String(decoding: part, as: UTF8.self)
      if word.contains("{") { continue }
      if APNsHeaders.target(word) != nil {
        Self.add("path", word, to: &found, path)
        continue
      }
      word = word.trimming { "[](),;:<>\"'".contains($0) }
      if word.utf8.count >= 64, TokenDigest.isHex(Array(word.utf8)) {
        Self.add("token", word, to: &found, path)
      }
    }
  }

  static func add(
    _ name: String, _ text: String, to found: inout RequestFields, _ path: [String] = []
  ) {
    var quoted: [UInt8] = []
    JSONText.append(text.utf8, to: &quoted)
    if let value = JSONSlice(quoted) { found.add(value, path + [name]) }
  }
}

extension String {
  /// Without the characters at both ends that are to go.
  func trimming(_ goes: (Character) -> Bool) -> String {
    String(drop(while: goes).reversed().drop(while: goes).reversed())
  }
}
