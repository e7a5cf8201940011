internal import ActivityCore

/// A line of text about a module: a time, tags, a name, and JSON behind it:
/// `LOG  [LiveActivity] updateActivity("5F2C…", {"title":"Oven"}) -> true`.
struct ModuleCallText: Sendable {
  private let bytes: [UInt8]
  /// Where the first object begins: names are looked for before it.
  private let head: Int

  init(_ text: [UInt8]) {
    bytes = text
    head = text.firstIndex(of: UInt8(ascii: "{")) ?? text.count
  }

  /// What stands before the first object.
  var lead: String { String(decoding: bytes[..<head], as: UTF8.self) }

  /// The first object, when the line ends with it: a logger's record behind its tag.
  var record: JSONSlice? {
    guard let end = valueEnd(from: head),
      !bytes[end...].contains(where: { $0 > 0x20 && $0 != UInt8(ascii: ")") })
    else { return nil }
    return JSONSlice(Array(bytes[head..<end]))
  }

  /// The time at the beginning of the line, or behind one or two tags there; or one that lacks its
  /// zone.
  func time(_ clock: SourceTime) -> (instant: Timestamp?, bad: String?) {
    let words = lead.split(separator: " ").prefix(5).map { word in
      String(word.filter { $0 != "[" && $0 != "]" })
    }
    for start in words.indices.prefix(3) {
      for count in stride(from: min(3, words.count - start), to: 0, by: -1) {
        let text = words[start..<(start + count)].joined(separator: " ")
        if let instant = clock.instant(text) { return (instant, nil) }
        if clock.lacksZone(text) { return (nil, text) }
      }
    }
    return (nil, nil)
  }

  /// A call as the line has it.
  struct Found {
    var name = ""
    var arguments: [JSONSlice] = []
    var result: JSONSlice?
    var error: JSONSlice?
  }

  /// The first name that is known, and what follows it.
  func call(where isKnown: (String) -> Bool) -> Found? {
    var place = 0
    while place < head {
      guard Self.isWord(bytes[place]) else {
        place += 1
        continue
      }
      var end = place
      while end < bytes.count, Self.isWord(bytes[end]) { end += 1 }
      let word = String(decoding: bytes[place..<end], as: UTF8.self)
      if isKnown(word) { return found(word, from: end) }
      place = end
    }
    return nil
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static let results: Set<String> = ["->", "=>", "→", "returned", "returns", "result"]
  private static let errors: Set<String> = ["failed", "threw", "error", "rejected"]

  /// How many arguments a call has at most.
  private static let argumentsMax = 64

  private func found(_ name: String, from start: Int) -> Found {
    var found = Found(name: name)
    var isResult = false
    var place = start
    while found.arguments.count < Self.argumentsMax,
      let first = bytes[place...].firstIndex(where: { !Self.isBetween($0) })
    {
      place = first
      if "{[\"".utf8.contains(bytes[place]) {
        // A value that does not end is cut off, and so is what was behind it.
        guard let end = valueEnd(from: place), let value = JSONSlice(Array(bytes[place..<end]))
        else {
          return found
        }
        place = end
        guard isResult else {
          found.arguments.append(value)
          continue
        }
        found.result = value
        return found
      }
      let end = bytes[place...].firstIndex { Self.isBetween($0) } ?? bytes.count
      let word = String(decoding: bytes[place..<end], as: UTF8.self)
      place = end
      if Self.results.contains(word) {
        isResult = true
      } else if Self.errors.contains(word) {
        found.error = Self.text(bytes[place...].drop { Self.isBetween($0) })
        return found
      } else if isResult {
        found.result = Self.literal(word)
        return found
      } else {
        found.arguments.append(Self.literal(word))
      }
    }
    return found
  }

  private static func isBetween(_ byte: UInt8) -> Bool {
    byte <= 0x20 || "(),:".utf8.contains(byte)
  }

  /// A number, `true`, `null`; any other word is a text without quotes.
  private static func literal(_ word: String) -> JSONSlice {
    JSONSlice(Array(word.utf8)) ?? text(Array(word.utf8)[...])
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> JSONSlice {
    let quoted = MemberSpelling.quoted(String(decoding: bytes, as: UTF8.self))
    return JSONSlice(bytes: quoted, range: 0..<quoted.count, type: .string)
  }

  /// Where an object, array or string that begins at a place ends; nil when none begins there.
  private func valueEnd(from start: Int) -> Int? {
    guard start < bytes.count, "{[\"".utf8.contains(bytes[start]) else { return nil }
    var depth = 0
    var isInString = false
    var place = start
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if isInString {
        if byte == UInt8(ascii: "\\") {
          place += 1
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
      }
      if depth == 0, !isInString { return min(place, bytes.count) }
    }
    return nil
  }
}
