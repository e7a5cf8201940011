/// From members to facts: which are lifted, and whether a column reproduces them.
extension LineReader {
  /// Finds what every name means, and the line's kind.
  mutating func classify(_ line: UnsafeRawBufferPointer) throws(LineProblem) {
    var event: Int?
    for index in members.indices {
      let name = meaning(of: members[index], line)
      facts.names.append(name)
      guard name == .event else { continue }
      guard event == nil else { throw repeated(index) }
      event = index
    }
    guard let event, members[event].value.type != .null else {
      throw LineProblem(offset: 0, reason: .missingEvent)
    }
    let place = members[event].value
    let word = try text(place, .event, line)
    facts.kind = withBytes(word, line) { kinds.value(of: $0) } ?? .unknown
  }

  private func meaning(of member: JSONMember, _ line: UnsafeRawBufferPointer) -> LineName {
    let bytes = UnsafeRawBufferPointer(rebasing: line[member.name])
    guard member.nameHasEscapes else { return names.value(of: bytes) ?? .other }
    var name: [UInt8] = []
    JSONText.unescape(bytes, into: &name)
    return name.withUnsafeBytes { names.value(of: $0) } ?? .other
  }

  private func repeated(_ index: Int) -> LineProblem {
    LineProblem(
      offset: members[index].name.lowerBound - 1,
      reason: .repeatedMember(facts.names[index].spelling))
  }

  /// Takes what member `index` says, and decides whether it stays in the payload.
  mutating func lift(
    _ index: Int, _ lifted: LineNameSet, _ line: UnsafeRawBufferPointer
  ) throws(LineProblem) {
    let member = members[index]
    let name = facts.names[index]
    let place = member.value
    guard lifted.contains(name) else {
      return facts.fates.append(try keep(name, place, index, line))
    }
    guard !facts.seen.contains(name) else { throw repeated(index) }
    facts.seen.insert(name)
    switch name {
    case .at, .recordedAt, .seq:
      if place.type != .null { try takeStamp(name, place, line) }
      facts.fates.append(.lifted)
    case .event:
      let isSaid = facts.kind != .unknown && !place.hasEscapes && !member.nameHasEscapes
      facts.fates.append(isSaid ? .lifted : .kept)
    case .member(.token), .member(.replaces):
      guard place.type != .null else { return facts.fates.append(.kept) }
      let digest = try digest(place, name, line)
      if name == .member(.token) { facts.token = digest } else { facts.replaces = digest }
      facts.fates.append(member.nameHasEscapes ? .keptAsDigest(digest) : .lifted)
    default:
      guard place.type != .null else { return facts.fates.append(.kept) }
      let isReproduced = try takeValue(name, place, line)
      facts.fates.append(isReproduced && !member.nameHasEscapes ? .lifted : .kept)
    }
  }

  /// What a member says that stays JSON.
  private mutating func keep(
    _ name: LineName, _ place: JSONPlace, _ index: Int, _ line: UnsafeRawBufferPointer
  ) throws(LineProblem) -> LineFacts.Fate {
    guard place.type != .null else { return .kept }
    switch name {
    case .alert: facts.flags.insert(.alert)
    case .contentState:
      facts.flags.insert(.content)
      facts.contentBytes = facts.contentBytes ?? place.range.count
    case .attributes:
      facts.flags.insert(.attributes)
      facts.attributesBytes = facts.attributesBytes ?? place.range.count
    case .activities where facts.kind == .inventory:
      guard !facts.seen.contains(name) else { throw repeated(index) }
      facts.seen.insert(name)
      try takeInventory(place, line)
    case .inputPushToken where place.type == .string:
      return .keptAsDigest(try digest(place, name, line))
    default: break
    }
    return .kept
  }

  /// `at`, `recorded-at` and `seq`, which export spells anew.
  private mutating func takeStamp(
    _ name: LineName, _ place: JSONPlace, _ line: UnsafeRawBufferPointer
  ) throws(LineProblem) {
    guard name != .seq else {
      facts.seq = try whole(place, name, line)
      guard facts.seq >= 1 else { throw problem(place, .notWhole(member: name.spelling)) }
      return
    }
    let instant = Timestamp(microseconds: try time(place, name, line))
    guard instant.hasText else { throw problem(place, .timeOutOfRange(member: name.spelling)) }
    if name == .at {
      facts.at = instant.microseconds
    } else {
      facts.recordedAt = instant.microseconds
    }
  }

  /// Any other lifted member; true when its column reproduces its bytes.
  private mutating func takeValue(
    _ name: LineName, _ place: JSONPlace, _ line: UnsafeRawBufferPointer
  ) throws(LineProblem) -> Bool {
    guard case .member(let member) = name else {
      let value = try text(place, name, line)
      switch name {
      case .activityID: facts.activityID = value
      case .environment: facts.environment = value
      case .bundleID: facts.bundle = value
      default: facts.device = value
      }
      return isCanonical(place, line)
    }
    switch member.storage {
    case .seconds:
      let value = try time(place, name, line)
      facts.values.append((member, value))
      return place.type == .number && DecimalText.isCanonical(bytes(place, line), seconds: value)
    case .whole:
      facts.values.append((member, try whole(place, name, line)))
      return DecimalText.isPlain(bytes(place, line))
    case .flag:
      guard place.type == .true || place.type == .false else {
        throw wrongType(place, name, "true or false")
      }
      facts.values.append((member, place.type == .true ? 1 : 0))
      return true
    case .handle:
      let value = try text(place, name, line)
      if member == .channel { facts.channel = value } else { facts.key = value }
      return isCanonical(place, line)
    case .word where member == .state:
      let (state, isReproduced) = try stateWord(place, name, line)
      facts.texts.append((member, state))
      return isReproduced
    case .word, .text:
      facts.texts.append((member, try text(place, name, line)))
      return isCanonical(place, line)
    case .size: return false
    }
  }

  /// A state's word in lower case, from a word in any case or from Swift's own coding of the enum,
  /// `{"active":{}}`; true when it was spelled that way already.
  private mutating func stateWord(
    _ place: JSONPlace, _ name: LineName, _ line: UnsafeRawBufferPointer
  ) throws(LineProblem) -> (LineFacts.Text, Bool) {
    var word: LineFacts.Text
    if place.type == .object {
      var cases: [JSONMember] = []
      _ = JSONScanner.members(of: bytes(place, line), into: &cases)
      guard cases.count == 1, !cases[0].nameHasEscapes, !cases[0].name.isEmpty,
        cases[0].value.type == .object, cases[0].name.count <= LineReader.textLimit
      else { throw wrongType(place, name, "a word such as \"active\"") }
      let start = place.range.lowerBound
      let range = cases[0].name
      word = LineFacts.Text(
        range: (start + range.lowerBound)..<(start + range.upperBound), isInScratch: false)
    } else {
      word = try text(place, name, line)
    }
    let isLowercase = withBytes(word, line) { bytes in
      bytes.allSatisfy { !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }
    guard !isLowercase else { return (word, place.type == .string && isCanonical(place, line)) }
    let lowered = withBytes(word, line) { bytes in
      bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
    let start = facts.scratch.count
    facts.scratch.append(contentsOf: lowered)
    return (LineFacts.Text(range: start..<facts.scratch.count, isInScratch: true), false)
  }

  /// The entries of an inventory's `activities`.
  private mutating func takeInventory(
    _ place: JSONPlace, _ line: UnsafeRawBufferPointer
  ) throws(LineProblem) {
    let expected = "an array of objects, each with \"activity-id\""
    guard place.type == .array else { throw wrongType(place, .activities, expected) }
    guard place.range.count <= LineReader.inventoryBytesLimit else {
      throw problem(place, .inventoryTooLong)
    }
    var elements: [JSONPlace] = []
    _ = JSONScanner.elements(of: bytes(place, line), into: &elements)
    guard elements.count <= LineReader.inventoryLimit else {
      throw problem(place, .inventoryTooLong)
    }
    for element in elements {
      let entry = element.moved(by: place.range.lowerBound)
      guard entry.type == .object else { throw wrongType(entry, .activities, expected) }
      var parts: [JSONMember] = []
      _ = JSONScanner.members(of: bytes(entry, line), into: &parts)
      var id: LineFacts.Text?
      var state: LineFacts.Text?
      for part in parts where part.value.type != .null {
        let value = part.value.moved(by: entry.range.lowerBound)
        var name = part
        name.name = part.name.moved(by: entry.range.lowerBound)
        switch meaning(of: name, line) {
        case .activityID where id == nil: id = try text(value, .activityID, line)
        case .member(.state) where state == nil:
          state = try stateWord(value, .member(.state), line).0
        default: break
        }
      }
      guard let id else { throw wrongType(entry, .activities, expected) }
      facts.entries.append((id, state))
    }
  }
}

extension Range<Int> {
  func moved(by distance: Int) -> Range<Int> {
    (lowerBound + distance)..<(upperBound + distance)
  }
}

extension JSONPlace {
  func moved(by distance: Int) -> JSONPlace {
    JSONPlace(range: range.moved(by: distance), type: type, hasEscapes: hasEscapes)
  }
}
