internal import ActivityCore

/// Reads from one payload line what rules ask of it.
struct ContentReader {
  /// What one line says; `shape` spells out the members only when they are a new set.
  struct Reading {
    var digest: UInt64 = 0
    var relevance: Double?
    var marks: ContentFacts.Marks = []
    var shapeDigest: UInt64?
    var rare: [(WritableKeyPath<ContentFacts.Rare, Int32>, String)] = []
    fileprivate var content: JSONSlice?

    func shape() -> ContentShape {
      var shape = ContentShape()
      for (name, value) in content?.members ?? [] {
        if let kind = ContentReader.kind(value.type, value.text) { shape.members[name] = kind }
      }
      return shape
    }
  }

  private let bytes: [UInt8]
  private let keyPath: String?
  private var members: [JSONMember] = []
  private var inner: [JSONMember] = []

  init(_ bytes: [UInt8], keyPath: String?) {
    self.bytes = bytes
    self.keyPath = keyPath
  }

  /// Nil for a line with nothing that any rule asks for.
  mutating func read(_ range: Range<Int>, of kind: EventKind) -> Reading? {
    guard scan(range, into: &members) else { return nil }
    var reading = Reading()
    var isOfUse = false
    for member in members where member.value.type != .null {
      let place = moved(member.value.range, range)
      isOfUse = take(moved(member.name, range), place, member.value.type, kind, &reading) || isOfUse
    }
    if let found = PersonalData.first(in: bytes[range]) {
      reading.rare.append((\.sensitive, found.pointer))
      reading.rare.append((\.looksLike, found.kind))
    }
    if let keyPath, kind.isContentAct,
      let key = JSONSlice(bytes: bytes, range: range, type: .object)[pointer: keyPath]
    {
      reading.rare.append((\.key, key.string ?? key.spelling))
    }
    return isOfUse || !reading.rare.isEmpty ? reading : nil
  }

  private func scan(_ range: Range<Int>, into members: inout [JSONMember]) -> Bool {
    let result = bytes[range].withUnsafeBytes { JSONScanner.members(of: $0, into: &members) }
    guard case .success(.object) = result else { return false }
    return true
  }

  private func moved(_ place: Range<Int>, _ line: Range<Int>) -> Range<Int> {
    (place.lowerBound + line.lowerBound)..<(place.upperBound + line.lowerBound)
  }

  private mutating func take(
    _ name: Range<Int>, _ value: Range<Int>, _ type: JSONType, _ kind: EventKind,
    _ reading: inout Reading
  ) -> Bool {
    let name = bytes[name]
    func isNamed(_ word: StaticString) -> Bool {
      word.utf8CodeUnitCount == name.count
        && name.elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: name.count))
    }
    if isNamed("content-state") {
      takeContent(value, type, &reading)
    } else if isNamed("alert") {
      takeAlert(value, type, &reading)
    } else if isNamed("relevance-score") {
      reading.relevance = Double(spelled(value))
    } else if isNamed("input-push-token") {
      guard spelled(value) == "1" || type == .true else { return false }
      reading.marks.insert(.inputPushToken)
    } else if isNamed("frequent") {
      reading.marks.insert(type == .true ? .frequent : .infrequent)
    } else {
      return takeRare(spelled(name.indices), value, type, kind, &reading)
    }
    return true
  }

  private func spelled(_ place: Range<Int>) -> String {
    String(decoding: bytes[place], as: UTF8.self)
  }

  private func takeRare(
    _ name: String, _ value: Range<Int>, _ type: JSONType, _ kind: EventKind,
    _ reading: inout Reading
  ) -> Bool {
    let slice = JSONSlice(bytes: bytes, range: value, type: type)
    let text = slice.string ?? slice.spelling
    switch (kind, name) {
    case (.failure, "case"): reading.rare.append((\.failureCase, text))
    case (.failure, "code"): reading.rare.append((\.failureCode, text))
    case (.failure, "message"): reading.rare.append((\.message, text))
    case (.channel, "message-storage-policy"): reading.rare.append((\.storagePolicy, text))
    default:
      guard kind.isAct, MemberAliases.meant[name] != nil else { return false }
      reading.rare.append((\.alias, name))
    }
    return true
  }

  private mutating func takeContent(
    _ value: Range<Int>, _ type: JSONType, _ reading: inout Reading
  ) {
    reading.digest = ContentReader.digest(bytes[value], 0)
    guard type == .object, scan(value, into: &inner) else { return }
    if inner.isEmpty { reading.marks.insert(.empty) }
    // A sum, since the order of members is no part of the shape.
    var sum: UInt64 = 1
    for member in inner {
      let place = moved(member.value.range, value)
      guard let kind = ContentReader.kind(member.value.type, bytes[place]) else { continue }
      sum &+= ContentReader.digest(
        bytes[moved(member.name, value)], UInt64(kind.rawValue))
    }
    reading.shapeDigest = sum
    reading.content = JSONSlice(bytes: bytes, range: value, type: .object)
  }

  private mutating func takeAlert(
    _ value: Range<Int>, _ type: JSONType, _ reading: inout Reading
  ) {
    guard type == .object else {
      if type == .string { reading.marks.insert(.body) }
      return
    }
    for (name, part) in JSONSlice(bytes: bytes, range: value, type: .object).members
    where part.type != .null && part.string != "" {
      if name == "title" || name == "title-loc-key" { reading.marks.insert(.title) }
      if name == "body" || name == "loc-key" { reading.marks.insert(.body) }
    }
  }

  /// Nil for null, which counts as absent.
  static func kind(_ type: JSONType, _ text: ArraySlice<UInt8>) -> ContentShape.Kind? {
    switch type {
    case .string: .string
    case .true, .false: .boolean
    case .object: .object
    case .array: .array
    case .null: nil
    case .number:
      text.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
        ? .fraction : .integer
    }
  }

  /// 64 bits of bytes: equal for equal bytes, different for others as far as chance allows.
  static func digest(_ bytes: ArraySlice<UInt8>, _ seed: UInt64) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ (seed &* 0x9E37_79B9_7F4A_7C15)
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return (hash ^ (hash >> 32)) &* 0xD6E8_FEB8_6659_FD93
  }
}

/// Names that senders write for members of ours; APNs and ActivityKit pass them over in silence.
enum MemberAliases {
  /// The right name of each.
  static let meant: [String: String] = [
    "contentState": "content-state", "content_state": "content-state",
    "attributesType": "attributes-type", "attributes_type": "attributes-type",
    "staleDate": "stale-date", "stale_date": "stale-date",
    "dismissalDate": "dismissal-date", "dismissal_date": "dismissal-date",
    "relevanceScore": "relevance-score", "relevance_score": "relevance-score",
    "inputPushToken": "input-push-token", "input_push_token": "input-push-token",
    "inputPushChannel": "input-push-channel", "events": "event",
  ]
}
