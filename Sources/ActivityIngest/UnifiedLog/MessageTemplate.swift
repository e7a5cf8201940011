internal import ActivityCore

/// What a log line must hold to match: literal text, with places that are read.
///
/// `{name}` reads up to the literal text behind it, `{name:kind}` what its kind allows, `{*}` is
/// anything; `{activity-id}` and `{token}` read ids and tokens without saying so. It is looked for
/// anywhere in the message, and what follows it does not matter.
struct MessageTemplate: Sendable {
  /// What may stand at a place.
  enum Kind: String, Sendable {
    case id, uuid, name, word, number, token, text
    /// `name=value` pairs up to the end.
    case fields
  }

  enum Part: Sendable {
    case literal([UInt8])
    case capture(name: String, Kind)
    case anything
  }

  /// What stood at a place.
  struct Capture: Sendable {
    var name: String
    var kind: Kind
    var value: CapturedText
  }

  static let partLimit = 32
  /// How many places of a message are tried as the beginning of a match.
  private static let tryLimit = 64

  let parts: [Part]

  /// - Returns: nil with a sentence in `problem` when the text is no template.
  init?(_ text: String, problem: inout String) {
    var parts: [Part] = []
    var rest = Substring(text)
    while !rest.isEmpty {
      let literal = rest.prefix { $0 != "{" }
      if !literal.isEmpty { parts.append(.literal(Array(literal.utf8))) }
      rest = rest[literal.endIndex...]
      guard !rest.isEmpty else { break }
      guard let end = rest.firstIndex(of: "}") else {
        problem = "a { is never closed"
        return nil
      }
      guard let part = Self.place(rest[rest.index(after: rest.startIndex)..<end], &problem) else {
        return nil
      }
      parts.append(part)
      rest = rest[rest.index(after: end)...]
    }
    if let found = Self.problem(of: parts) {
      problem = found
      return nil
    }
    self.parts = parts
  }

  private static func place(_ inside: Substring, _ problem: inout String) -> Part? {
    if inside == "*" { return .anything }
    let words = inside.split(separator: ":", maxSplits: 1).map(String.init)
    guard let name = words.first, !name.isEmpty else {
      problem = "a place needs a name, {activity-id}, or is {*}"
      return nil
    }
    guard words.count == 2 else {
      switch name {
      case "activity-id": return .capture(name: name, .id)
      case "token", "replaces": return .capture(name: name, .token)
      case "fields": return .capture(name: name, .fields)
      default: return .capture(name: name, .text)
      }
    }
    guard let kind = Kind(rawValue: words[1]) else {
      problem = "'\(words[1])' is no kind; there are id, uuid, name, word, number, token, text"
      return nil
    }
    return .capture(name: name, kind)
  }

  private static func problem(of parts: [Part]) -> String? {
    guard parts.contains(where: { if case .literal = $0 { true } else { false } }) else {
      return "it has no literal text, so every line would match"
    }
    guard parts.count <= partLimit else { return "it has more than \(partLimit) parts" }
    for (part, next) in zip(parts, parts.dropFirst()) {
      guard case .capture(let name, let kind) = part else { continue }
      if kind == .fields { return "{\(name)} must be its end" }
      if case .literal = next { continue }
      if kind == .text { return "literal text must follow {\(name)}; or give it a kind" }
    }
    return nil
  }

  /// What a message holds at the places; nil when it does not match.
  func match(_ message: [UInt8]) -> [Capture]? {
    guard let first = parts.first else { return nil }
    var start = 0
    for _ in 0..<Self.tryLimit {
      switch first {
      case .literal(let literal):
        guard let found = Self.find(literal, in: message, from: start) else { return nil }
        start = found
      case .anything, .capture:
        guard let found = placeOf(parts[...], in: message, from: start) else { return nil }
        start = found
      }
      if let captures = match(parts[...], message, at: start) { return captures }
      start += 1
    }
    return nil
  }

  private func match(
    _ parts: ArraySlice<Part>, _ message: [UInt8], at start: Int
  ) -> [Capture]? {
    var captures: [Capture] = []
    var place = start
    for index in parts.indices {
      switch parts[index] {
      case .literal(let literal):
        guard message[place...].starts(with: literal) else { return nil }
        place += literal.count
      case .anything:
        let rest = parts[(index + 1)...]
        guard !rest.isEmpty else { return captures }
        guard let next = placeOf(rest, in: message, from: place) else { return nil }
        place = next
      case .capture(let name, let kind):
        var end = message.count
        if case .literal(let literal)? = parts[(index + 1)...].first, kind == .text {
          guard let next = Self.find(literal, in: message, from: place) else { return nil }
          end = next
        }
        guard let value = CapturedText(message, &place, until: end, kind) else { return nil }
        captures.append(Capture(name: name, kind: kind, value: value))
      }
    }
    return captures
  }

  /// Where what stands first in `parts` could stand next.
  private func placeOf(_ parts: ArraySlice<Part>, in message: [UInt8], from start: Int) -> Int? {
    guard start <= message.count, let part = parts.first else { return nil }
    switch part {
    case .literal(let literal): return Self.find(literal, in: message, from: start)
    case .anything: return start
    case .capture(_, let kind):
      return (start..<max(start, message.count)).first { place in
        // An id does not begin in the middle of a word.
        if place > 0, CapturedText.isWordByte(message[place - 1]) { return false }
        var end = place
        return CapturedText(message, &end, until: message.count, kind) != nil
      }
    }
  }

  /// Whether the literal texts stand in a format, in order: what stands in its arguments was
  /// written by somebody else. A format that is one argument alone says nothing.
  func isBorne(by format: [UInt8]) -> Bool {
    let isWrapper = format.first == UInt8(ascii: "%") && !format.contains(0x20)
    guard !format.isEmpty, !isWrapper else { return true }
    var place = 0
    for case .literal(let literal) in parts {
      let ink = Self.trimmed(literal)
      guard !ink.isEmpty else { continue }
      guard let found = Self.find(ink, in: format, from: place) else { return false }
      place = found + ink.count
    }
    return true
  }

  private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
    Array(bytes.drop { $0 == 0x20 }.reversed().drop { $0 == 0x20 }.reversed())
  }

  static func find(_ wanted: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    guard let first = wanted.first, start + wanted.count <= bytes.count else { return nil }
    return bytes.withUnsafeBufferPointer { bytes in
      wanted.withUnsafeBufferPointer { wanted in
        var place = start
        let last = bytes.count - wanted.count
        search: while place <= last {
          guard bytes[place] == first else {
            place += 1
            continue
          }
          for offset in 1..<max(1, wanted.count) where bytes[place + offset] != wanted[offset] {
            place += 1
            continue search
          }
          return place
        }
        return nil
      }
    }
  }
}
