internal import ActivityCore

/// Reads from one payload line what rules ask of it: one scan of its members, and one of those of
/// its content. Of a member that is written twice the first that is not null counts, as it does
/// everywhere else in the log.
struct ContentReader {
  /// What one line says.
  struct Reading {
    var digest: UInt64 = 0
    var relevance: Double?
    var marks: ContentFacts.Marks = []
    /// Equal for contents with the same members of the same types; nil where there is no object, or
    /// one with more members than anybody decodes.
    var shapeDigest: UInt64?
    /// Where `content-state` lies in the line; empty when there is none.
    var content = 0..<0
    /// Bytes of attributes and content-state together.
    var size = 0
    var key: String?
    var rare: [(WritableKeyPath<ContentFacts.Rare, Int32>, String)] = []
    fileprivate var seen = Names()
  }

  /// Which members of ours were met.
  fileprivate struct Names {
    private var bits: UInt16 = 0

    /// Whether a name is met for the first time.
    mutating func insert(_ name: Name) -> Bool {
      let bit: UInt16 = 1 << name.rawValue
      defer { bits |= bit }
      return bits & bit == 0
    }
  }

  /// Members that rules ask of every kind.
  fileprivate enum Name: UInt16 {
    case content, alert, relevance, inputPushToken, frequent, attributes
    case timestamp, staleDate, dismissalDate

    var word: StaticString {
      switch self {
      case .content: "content-state"
      case .alert: "alert"
      case .relevance: "relevance-score"
      case .inputPushToken: "input-push-token"
      case .frequent: "frequent"
      case .attributes: "attributes"
      case .timestamp: "timestamp"
      case .staleDate: "stale-date"
      case .dismissalDate: "dismissal-date"
      }
    }

    /// The member of that name; its length leaves one or two to compare with.
    init?(_ name: MemberName) {
      let known: Name
      switch name.count {
      case 5: known = .alert
      case 8: known = .frequent
      case 9: known = .timestamp
      case 10: known = name.isSpelled(Name.attributes.word) ? .attributes : .staleDate
      case 13: known = .content
      case 14: known = .dismissalDate
      case 15: known = .relevance
      case 16: known = .inputPushToken
      default: return nil
      }
      guard name.isSpelled(known.word) else { return nil }
      self = known
    }
  }

  /// More members than this in one content are no struct's.
  static let membersMax = 256
  /// Texts of rare facts are cut here.
  static let textMax = 512

  private let path: [[UInt8]]?
  private var members: [JSONMember] = []
  private var inner: [JSONMember] = []

  init(path: [[UInt8]]?) { self.path = path }

  /// Nil for a line with nothing that any rule asks for.
  mutating func read(_ line: UnsafeRawBufferPointer, of kind: EventKind) -> Reading? {
    guard case .success(.object) = JSONScanner.members(of: line, into: &members) else { return nil }
    var reading = Reading()
    var isOfUse = false
    for member in members where member.value.type != .null {
      isOfUse = take(member, line, kind, &reading) || isOfUse
    }
    if let found = PersonalData.first(in: line) {
      reading.rare.append((\.sensitive, found.pointer))
      reading.rare.append((\.looksLike, found.kind))
      if found.kind == "card" { reading.marks.insert(.card) }
    }
    if let path, kind.isContentAct { reading.key = value(at: path, line) }
    return isOfUse || reading.key != nil || !reading.rare.isEmpty ? reading : nil
  }

  private mutating func take(
    _ member: JSONMember, _ line: UnsafeRawBufferPointer, _ kind: EventKind,
    _ reading: inout Reading
  ) -> Bool {
    let name = ContentReader.name(of: member, line)
    let place = member.value
    guard let known = Name(name) else {
      return takeRare(name, place, line, kind, &reading)
    }
    guard reading.seen.insert(known) else { return false }
    let value = UnsafeRawBufferPointer(rebasing: line[place.range])
    switch known {
    case .content:
      takeContent(value, place, &reading)
      return true
    case .attributes:
      reading.size += value.count
      return reading.size > ContentFacts.Rare.sizeMin
    case .alert: return takeAlert(value, place.type, &reading)
    case .relevance:
      reading.relevance = place.type == .number ? Double(ContentReader.spelled(value)) : nil
      return reading.relevance != nil
    case .inputPushToken:
      guard ContentReader.spelled(value) == "1" || place.type == .true else { return false }
      reading.marks.insert(.inputPushToken)
    case .frequent:
      guard place.type == .true || place.type == .false else { return false }
      reading.marks.insert(place.type == .true ? .frequent : .infrequent)
    case .timestamp, .staleDate, .dismissalDate:
      if known == .dismissalDate, kind.isAct, kind != .end {
        reading.marks.insert(.strayDismissal)
        return true
      }
      guard kind.isAct, place.type == .string else { return false }
      reading.marks.insert(.textDate)
    }
    return true
  }

  private func takeRare(
    _ name: MemberName, _ place: JSONPlace, _ line: UnsafeRawBufferPointer, _ kind: EventKind,
    _ reading: inout Reading
  ) -> Bool {
    let part: WritableKeyPath<ContentFacts.Rare, Int32>
    switch kind {
    case .failure where name.isSpelled("case"): part = \.failureCase
    case .failure where name.isSpelled("code"): part = \.failureCode
    case .failure where name.isSpelled("message"): part = \.message
    case .channel where name.isSpelled("message-storage-policy"): part = \.storagePolicy
    case .start, .update, .alert, .end:
      guard let word = MemberAliases.alias(name) else { return false }
      reading.rare.append((\.alias, word))
      return true
    default: return false
    }
    reading.rare.append((part, ContentReader.text(place, line)))
    return true
  }

  private mutating func takeContent(
    _ value: UnsafeRawBufferPointer, _ place: JSONPlace, _ reading: inout Reading
  ) {
    reading.digest = TextTable.hash(value)
    reading.content = place.range
    reading.size += value.count
    guard place.type == .object,
      case .success(.object) = JSONScanner.members(of: value, into: &inner)
    else { return }
    if inner.isEmpty { reading.marks.insert(.empty) }
    guard inner.count <= ContentReader.membersMax else { return }
    // A sum, since the order of members is no part of the shape.
    var sum: UInt64 = 1
    for member in inner {
      guard let kind = ContentReader.kind(of: member.value, value) else { continue }
      let name = TextTable.hash(UnsafeRawBufferPointer(rebasing: value[member.name]))
      sum &+= name &* (UInt64(kind.rawValue) &* 2 &+ 0x9E37_79B9_7F4A_7C15)
    }
    reading.shapeDigest = sum
  }

  /// An alert that is a text alone is a body.
  private func takeAlert(
    _ value: UnsafeRawBufferPointer, _ type: JSONType, _ reading: inout Reading
  ) -> Bool {
    if type == .string { reading.marks.insert(.body) }
    var parts: [JSONMember] = []
    guard type == .object, case .success(.object) = JSONScanner.members(of: value, into: &parts)
    else { return true }
    for part in parts where part.value.type != .null {
      let name = ContentReader.name(of: part, value)
      if name.isSpelled("title") || name.isSpelled("title-loc-key") { reading.marks.insert(.title) }
      if name.isSpelled("body") || name.isSpelled("loc-key") { reading.marks.insert(.body) }
    }
    return true
  }

  /// The text of what a path leads to, numbers as they are spelled.
  private func value(at path: [[UInt8]], _ line: UnsafeRawBufferPointer) -> String? {
    var present = line
    var place: JSONPlace?
    for step in path {
      if let place { present = UnsafeRawBufferPointer(rebasing: present[place.range]) }
      place = ContentReader.step(step, present, place?.type ?? .object)
      if place == nil { return nil }
    }
    // As the key itself is taken from a line: a text or a number, and not an empty one.
    guard let place, place.type == .string || place.type == .number else { return nil }
    let text = ContentReader.text(place, present)
    return text.isEmpty || text.utf8.count >= ContentReader.textMax ? nil : text
  }

  private static func step(
    _ name: [UInt8], _ value: UnsafeRawBufferPointer, _ type: JSONType
  ) -> JSONPlace? {
    switch type {
    case .object:
      var members: [JSONMember] = []
      _ = JSONScanner.members(of: value, into: &members)
      return members.first { ContentReader.name(of: $0, value).isSpelled(name) }?.value
    case .array:
      var elements: [JSONPlace] = []
      _ = JSONScanner.elements(of: value, into: &elements)
      let text = String(decoding: name, as: UTF8.self)
      guard let index = Int(text), String(index) == text, elements.indices.contains(index) else {
        return nil
      }
      return elements[index]
    case .string, .number, .true, .false, .null: return nil
    }
  }
}

extension ContentReader {
  /// The members of a content; only asked for when its digest is new.
  static func shape(of content: UnsafeRawBufferPointer) -> ContentShape {
    var shape = ContentShape()
    var members: [JSONMember] = []
    _ = JSONScanner.members(of: content, into: &members)
    for member in members {
      guard let kind = kind(of: member.value, content) else { continue }
      let name = String(decoding: name(of: member, content).bytes, as: UTF8.self)
      if shape.members[name] == nil { shape.members[name] = kind }
    }
    return shape
  }

  /// Nil for null, which counts as absent.
  static func kind(
    of place: JSONPlace, _ bytes: UnsafeRawBufferPointer
  ) -> ContentShape.Kind? {
    switch place.type {
    case .string: .string
    case .true, .false: .boolean
    case .object: .object
    case .array: .array
    case .null: nil
    case .number:
      bytes[place.range].contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
        ? .fraction : .integer
    }
  }

  fileprivate static func name(
    of member: JSONMember, _ bytes: UnsafeRawBufferPointer
  ) -> MemberName {
    let raw = UnsafeRawBufferPointer(rebasing: bytes[member.name])
    guard member.nameHasEscapes else { return MemberName(bytes: raw, unescaped: nil) }
    var name: [UInt8] = []
    JSONText.unescape(raw, into: &name)
    return MemberName(bytes: raw, unescaped: name)
  }

  fileprivate static func spelled(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// What a string stands for, else how a value is spelled; cut at `textMax` bytes.
  fileprivate static func text(_ place: JSONPlace, _ bytes: UnsafeRawBufferPointer) -> String {
    guard place.type == .string else {
      return String(decoding: bytes[place.range].prefix(textMax), as: UTF8.self)
    }
    var text: [UInt8] = []
    JSONText.unescape(bytes[place.inner], into: &text)
    return String(decoding: text.prefix(textMax), as: UTF8.self)
  }
}
