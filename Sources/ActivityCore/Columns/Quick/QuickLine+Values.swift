internal import CActivityLog

/// From members to what a row says; every function is false, or nil, to decline the line.
extension QuickLine {
  /// Takes what every member says.
  mutating func lift(_ lifted: LineNameSet) -> Bool {
    begin()
    for index in 0..<count {
      let member = lists.found + index
      let bit = UInt64(member.pointee.known.bit)
      if lifted.contains(bit: bit) {
        guard seen.insert(bit: bit), take(member) else { return false }
      } else {
        guard keep(member) else { return false }
        lists.kept[keptCount] = member
        keptCount &+= 1
      }
    }
    return hasWhatItNeeds
  }

  @inline(__always)
  private mutating func begin() {
    keptCount = 0
    valueCount = 0
    textCount = 0
    flags = []
    at = EventColumns.absent
    recordedAt = EventColumns.absent
    seq = EventColumns.absent
    attributesBytes = -1
    contentBytes = -1
    seen = LineNameSet()
    activityID.length = 0
    token.length = 0
    channel.length = 0
    key.length = 0
    replaces.length = 0
    environment.length = 0
    bundle.length = 0
    device.length = 0
  }

  /// What a member says that stays JSON.
  @inline(__always)
  private mutating func keep(_ member: Place) -> Bool {
    guard member.pointee.first != UInt8(ascii: "n") else { return true }
    switch member.pointee.known.form {
    case .alert: flags.insert(.alert)
    case .content:
      flags.insert(.content)
      if contentBytes < 0 { contentBytes = Int(member.pointee.end &- member.pointee.value) }
    case .attributes:
      flags.insert(.attributes)
      if attributesBytes < 0 { attributesBytes = Int(member.pointee.end &- member.pointee.value) }
    case .activities: return kind != .inventory
    case .inputPushToken: return member.pointee.first != UInt8(ascii: "\"")
    default: break
    }
    return true
  }

  @inline(__always)
  private mutating func take(_ member: Place) -> Bool {
    switch member.pointee.known.form {
    case .event: return true
    case .at:
      at = instant(member)
      return at != EventColumns.absent
    case .recordedAt:
      recordedAt = instant(member)
      return recordedAt != EventColumns.absent
    case .seq:
      guard let number = digits(member, 17), number >= 1 else { return false }
      seq = number
      return true
    case .activityID, .environment, .bundleID, .device, .channel, .key, .token, .replaces:
      return takeName(member)
    case .seconds:
      guard let seconds = digits(member, 12) else { return false }
      return value(member, seconds &* 1_000_000)
    case .whole:
      guard let number = digits(member, 17) else { return false }
      return value(member, number)
    case .flag:
      guard member.pointee.first == UInt8(ascii: "t") || member.pointee.first == UInt8(ascii: "f")
      else {
        return false
      }
      return value(member, member.pointee.first == UInt8(ascii: "t") ? 1 : 0)
    case .state:
      return isText(member)
        && !scanner.hasCapital(Int(member.pointee.value), Int(member.pointee.end)) && text(member)
    case .word, .text: return isText(member) && text(member)
    case .kept, .attributes, .content, .alert, .activities, .inputPushToken: return false
    }
  }

  /// Handles and what they are in.
  @inline(__always)
  private mutating func takeName(_ member: Place) -> Bool {
    switch member.pointee.known.form {
    case .activityID:
      activityID = piece(member)
      return activityID.length > 0
    case .environment:
      environment = piece(member)
      return environment.length > 0
    case .bundleID:
      bundle = piece(member)
      return bundle.length > 0
    case .device:
      device = piece(member)
      return device.length > 0
    case .channel:
      channel = piece(member)
      return channel.length > 0
    case .key:
      key = piece(member)
      return key.length > 0
    case .token:
      token = digest(member)
      return token.length > 0
    case .replaces:
      replaces = digest(member)
      return replaces.length > 0
    default: return false
    }
  }

  @inline(__always)
  private mutating func value(_ member: Place, _ value: Int64) -> Bool {
    lists.values[valueCount] = (Int(member.pointee.known.bit), value)
    valueCount &+= 1
    return true
  }

  @inline(__always)
  private mutating func text(_ member: Place) -> Bool {
    lists.texts[textCount] = member
    textCount &+= 1
    return true
  }

  /// A text that is neither empty nor long, and spelled as export would.
  @inline(__always)
  private func isText(_ member: Place) -> Bool {
    let length = textLength(member)
    return member.pointee.first == UInt8(ascii: "\"") && !member.pointee.hasEscapes && length > 0
      && length <= LineReader.textLimit
  }

  @inline(__always)
  private func piece(_ member: Place) -> Piece {
    guard isText(member) else { return Piece() }
    return Piece(start: Int(member.pointee.value) &+ 1, length: textLength(member))
  }

  /// A token that is a digest already.
  @inline(__always)
  private func digest(_ member: Place) -> Piece {
    let start = Int(member.pointee.value) &+ 1
    guard isText(member), textLength(member) == TokenDigest.length,
      // "sha256:", whatever the byte behind it.
      scanner.word(start) & 0x00FF_FFFF_FFFF_FFFF == 0x003A_3635_3261_6873,
      al_are_small_digits(scanner.base + (start &+ 7)) != 0
    else { return Piece() }
    return Piece(start: start, length: textLength(member))
  }

  /// A number of digits alone.
  @inline(__always)
  private func digits(_ member: Place, _ limit: Int) -> Int64? {
    let length = Int(member.pointee.end &- member.pointee.value)
    guard member.pointee.first &- UInt8(ascii: "0") < 10, length <= limit else { return nil }
    let start = Int(member.pointee.value)
    guard length <= 16 else { return digits(oneByOne: start, length) }
    guard length > 8 else { return scanner.eightDigits(start, length) }
    guard let upper = scanner.eightDigits(start, length &- 8),
      let lower = scanner.eightDigits(start &+ length &- 8, 8)
    else { return nil }
    return upper &* 100_000_000 &+ lower
  }

  private func digits(oneByOne start: Int, _ length: Int) -> Int64? {
    var number: Int64 = 0
    for place in start..<(start &+ length) {
      let digit = scanner.byte(place) &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      number = number &* 10 &+ Int64(digit)
    }
    return number
  }

  /// An instant that has a text, in microseconds; `absent` to decline the line.
  @inline(__always)
  private mutating func instant(_ member: Place) -> Int64 {
    guard member.pointee.first == UInt8(ascii: "\""), !member.pointee.hasEscapes else {
      return EventColumns.absent
    }
    return clock.read(scanner, Int(member.pointee.value) &+ 1, textLength(member))
      ?? EventColumns.absent
  }

  /// What a kind's line must say at least, as `LineReader.checkRequirements` has it.
  @inline(__always)
  private var hasWhatItNeeds: Bool {
    let hasHandle = activityID.length | token.length | channel.length | key.length != 0
    switch kind {
    case .start, .update, .alert, .end, .state, .stale, .dismiss: return hasHandle
    case .response, .failure: return hasHandle || seen.contains(bit: UInt64(Member.apnsID.rawValue))
    case .token: return token.length > 0
    case .channel: return channel.length > 0
    case .work: return key.length > 0
    case .coverage: return seen.contains(bit: UInt64(Member.recorder.rawValue))
    case .unknown, .authorization, .inventory: return true
    }
  }
}

// Apart from the line, which is large and would be copied for a call that is not inlined.
extension QuickScanner {
  /// The number that 1 to 8 bytes spell; nil if they are not all digits.
  @inline(__always)
  fileprivate func eightDigits(_ place: Int, _ length: Int) -> Int64? {
    // Digits become their values; those that are missing become zeros in front.
    let values =
      (word(place) ^ 0x3030_3030_3030_3030) &<< UInt64(truncatingIfNeeded: 64 &- 8 &* length)
    guard (values | (values &+ 0x0606_0606_0606_0606)) & 0xF0F0_F0F0_F0F0_F0F0 == 0 else {
      return nil
    }
    // Pairs of digits, then all four pairs at once.
    let pairs = values &* 10 &+ values &>> 8
    let odd = (pairs & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
    let even = (pairs &>> 16 & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
    return Int64((odd &+ even) &>> 32)
  }

  /// Whether a text has letters in upper case.
  fileprivate func hasCapital(_ start: Int, _ end: Int) -> Bool {
    for place in start..<end where byte(place) &- UInt8(ascii: "A") < 26 { return true }
    return false
  }

  /// Whether a text longer than `QuickWord.longest` is a name we know.
  func isLongName(_ place: Int, _ length: Int) -> Bool {
    LineName.words.value(of: UnsafeRawBufferPointer(start: base + place, count: length)) != nil
  }
}
