/// One line of those that nearly all logs are made of, read in one pass and copied nowhere.
///
/// It declines whatever is rare (escapes in what becomes a column, raw tokens, nulls, numbers with
/// fractions, inventories, unknown kinds) and whatever is wrong: `LineReader.take` then reads the
/// line again, and decides. What it accepts means exactly what `take` would make of it.
struct QuickLine {
  /// A line with more members is declined.
  static let memberLimit = 48
  /// A longer line is declined.
  static let lengthLimit = 1 << 20

  /// A member as places.
  struct Found {
    /// The opening quote of the name.
    var name: Int32
    /// Behind the closing quote.
    var nameEnd: Int32
    var value: Int32
    var end: Int32
    var known: QuickName
    /// The value's first byte, which tells its type.
    var first: UInt8
    /// True of a string with a backslash.
    var hasEscapes: Bool
  }

  typealias Place = UnsafeMutablePointer<Found>

  /// A text as a place; no length for none.
  struct Piece {
    var start = 0
    var length = 0
    /// As `LineTexts` has it, once it was asked for.
    var hash: UInt64 = 0
  }

  var scanner: QuickScanner
  let names: QuickWords<QuickName>.Table
  let kinds: QuickWords<EventKind>.Table
  let lists: QuickLists
  /// Which entry of `names` came behind each other one the last time, and at the end, behind none:
  /// lines resemble each other, and a name that is expected need not be looked for.
  private let following: UnsafeMutablePointer<UInt8>
  private var lastName = QuickWord.tableSize
  var clock = QuickClock()

  /// Behind the line feed.
  private(set) var end = 0
  var count = 0
  private var event = -1
  /// How many of each list are in use.
  var keptCount = 0
  var valueCount = 0
  var textCount = 0

  var kind = EventKind.unknown
  var flags: RowFlags = []
  var at = EventColumns.absent
  var recordedAt = EventColumns.absent
  var seq = EventColumns.absent
  var attributesBytes = -1
  var contentBytes = -1
  var seen = LineNameSet()
  var activityID = Piece()
  var token = Piece()
  var channel = Piece()
  var key = Piece()
  var replaces = Piece()
  var environment = Piece()
  var bundle = Piece()
  var device = Piece()

  init(
    _ scanner: QuickScanner, names: QuickWords<QuickName>.Table,
    kinds: QuickWords<EventKind>.Table, lists: QuickLists,
    following: UnsafeMutablePointer<UInt8>
  ) {
    self.scanner = scanner
    self.names = names
    self.kinds = kinds
    self.lists = lists
    self.following = following
  }

  /// Finds the members of the line at `start`; its end, behind the line feed, or negative.
  mutating func gather(_ start: Int) -> Int {
    count = 0
    event = -1
    lastName = QuickWord.tableSize
    var place = scanner.blanks(start)
    guard scanner.byte(place) == UInt8(ascii: "{") else { return -1 }
    place = scanner.blanks(place &+ 1)
    while true {
      place = member(place)
      guard place >= 0 else { return -1 }
      place = scanner.blanks(place)
      let next = scanner.byte(place)
      place = scanner.blanks(place &+ 1)
      if next == UInt8(ascii: "}") { break }
      guard next == UInt8(ascii: ",") else { return -1 }
    }
    if scanner.byte(place) == UInt8(ascii: "\r") { place &+= 1 }
    guard scanner.byte(place) == UInt8(ascii: "\n"), place &- start < QuickLine.lengthLimit
    else { return -1 }
    end = place &+ 1
    return end
  }

  /// Behind the member whose name begins at `start`.
  @inline(__always)
  private mutating func member(_ start: Int) -> Int {
    guard scanner.byte(start) == UInt8(ascii: "\""), count < QuickLine.memberLimit else {
      return -1
    }
    var nameEnd = start &+ 2 &+ names[Int(following[lastName])].length
    var colon = nameEnd
    if isExpected(start) {
      lastName = Int(following[lastName])
    } else {
      scanner.sawEscape = false
      nameEnd = scanner.string(start)
      guard nameEnd >= 0, !scanner.sawEscape, findName(start &+ 1, nameEnd &- start &- 2) else {
        return -1
      }
      colon = scanner.blanks(nameEnd)
      guard scanner.byte(colon) == UInt8(ascii: ":") else { return -1 }
    }
    let known = names[lastName].value
    if known.form == .event {
      guard event < 0 else { return -1 }
      event = count
    }
    let value = scanner.blanks(colon &+ 1)
    let first = scanner.byte(value)
    scanner.sawEscape = false
    let end = first == UInt8(ascii: "\"") ? scanner.string(value) : scanner.value(value, 1)
    guard end >= 0 else { return -1 }
    let found = lists.found + count
    found.pointee.name = Int32(truncatingIfNeeded: start)
    found.pointee.nameEnd = Int32(truncatingIfNeeded: nameEnd)
    found.pointee.value = Int32(truncatingIfNeeded: value)
    found.pointee.end = Int32(truncatingIfNeeded: end)
    found.pointee.known = known
    found.pointee.first = first
    found.pointee.hasEscapes = scanner.sawEscape
    count &+= 1
    return end
  }

  /// Whether the name whose opening quote is at `start` is the one that is expected, and a colon
  /// follows it.
  @inline(__always)
  private func isExpected(_ start: Int) -> Bool {
    let name = names + Int(following[lastName])
    let length = name.pointee.length
    let word = scanner.shortWord(start &+ 1, length)
    return word.first == name.pointee.first && word.last == name.pointee.last
      && scanner.byte(start &+ 1 &+ length) == UInt8(ascii: "\"")
      && scanner.byte(start &+ 2 &+ length) == UInt8(ascii: ":") && length > 0
  }

  /// Looks a name up and expects it the next time; false to decline the line.
  ///
  /// One we do not know becomes the free entry where it would be.
  @inline(__always)
  private mutating func findName(_ place: Int, _ length: Int) -> Bool {
    var slot = QuickWord.unnamed
    if length > QuickWord.longest {
      guard !scanner.isLongName(place, length) else { return false }
    } else if length > 0 {
      slot = QuickWords.slot(of: scanner.shortWord(place, length), in: names)
    }
    following[lastName] = UInt8(truncatingIfNeeded: slot)
    lastName = slot
    return true
  }

  /// Finds what the line's word of `event` means; false to decline the line.
  @inline(__always)
  mutating func classify() -> Bool {
    guard event >= 0 else { return false }
    let word = lists.found + event
    let length = textLength(word)
    guard word.pointee.first == UInt8(ascii: "\""), !word.pointee.hasEscapes, length > 0,
      length <= QuickWord.longest,
      let kind = QuickWords.value(
        of: scanner.shortWord(Int(word.pointee.value) &+ 1, length), in: kinds)
    else { return false }
    self.kind = kind
    return true
  }

  /// Of a string, how long it is between its quotes.
  @inline(__always)
  func textLength(_ member: Place) -> Int {
    Int(member.pointee.end &- member.pointee.value) &- 2
  }
}

/// Where a line's members wait, sorted by what becomes of them; each list has room for
/// `QuickLine.memberLimit`.
struct QuickLists {
  /// In the order of the line.
  let found: QuickLine.Place
  /// Those that stay JSON.
  let kept: UnsafeMutablePointer<QuickLine.Place>
  /// Columns of numbers.
  let values: UnsafeMutablePointer<(member: Int, value: Int64)>
  /// Columns of texts.
  let texts: UnsafeMutablePointer<QuickLine.Place>
}
