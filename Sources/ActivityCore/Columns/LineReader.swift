/// Turns lines of NDJSON into batches of columns.
///
/// A line is checked whole before anything of it is kept: a refused line leaves no trace. What a
/// line says is decided by Meaning and by the members its kind declares; what no column reproduces
/// byte for byte stays JSON in the row's payload.
public struct LineReader: Sendable {
  /// The most rows a batch takes.
  public static let rowLimit = 65_536
  /// A batch with this much payload, in bytes, is worth cutting.
  public static let payloadTarget = 1 << 20
  /// The most payload, in bytes, that a batch takes.
  public static let payloadLimit = 4 << 20
  /// The longest line, in bytes: the largest payload and what columns hold of it.
  public static let lineLimit = payloadLimit + (64 << 10)
  static let textLimit = 4_096
  static let inventoryLimit = 4_096
  static let inventoryBytesLimit = 1 << 20
  private static let valueTarget = 262_144

  /// Whether `seq` and `recorded-at` of the lines are demanded and kept, as the inverse of an
  /// export; else a `recorded-at` stands in for a missing `at` until the log stamps its own.
  public let isRestoring: Bool

  // The batch being made.
  var room = RowRoom(rows: 64, payload: 4_096)
  var texts = LineTexts()
  var subjects = LineSubjects()
  var inventory: [EventColumns.InventoryEntry] = []
  var statedSeq: [Int64] = []
  var valueCount = 0

  // Of the line being read; kept between lines for its memory.
  var members: [JSONMember] = []
  var facts = LineFacts()
  var tokens = LineTokens()
  /// The members that stay JSON, as one object and a line feed.
  var payload: [UInt8] = []
  let names = LineName.words
  let kinds = EventKind.words
  let lifts = LineLift.shared

  /// Where the business key lies on lines that name none.
  let keyPath: KeyPointer?

  /// A reader of one stream; restoring keeps `seq` and `recorded-at` of the lines, and looks for no
  /// keys, since an export names them.
  public init(restoring: Bool = false, keyPath: KeyPointer? = nil) {
    isRestoring = restoring
    self.keyPath = restoring ? nil : keyPath
  }

  /// How many rows wait for `finish`.
  public var rowCount: Int { room.count }

  /// How many bytes of payload wait for `finish`.
  public var payloadByteCount: Int { room.payloadCount }

  /// Whether the batch has reached a size worth cutting at.
  public var isFull: Bool {
    room.count >= LineReader.rowLimit || room.payloadCount >= LineReader.payloadTarget
      || texts.table.byteCount >= LineReader.payloadTarget || valueCount >= LineReader.valueTarget
  }

  /// Reads one line, without its line feed, as the batch's next row.
  ///
  /// - Parameter number: the line's number, for the refusal.
  /// - Returns: what became of it; after `.full` call `finish` and read the same line again.
  public mutating func read(_ line: ArraySlice<UInt8>, number: Int) -> LineOutcome {
    line.withUnsafeBytes { read($0, number: number) }
  }

  /// As above, over bytes that are only borrowed.
  package mutating func read(_ line: UnsafeRawBufferPointer, number: Int) -> LineOutcome {
    readCommon(line) ? .row : readCarefully(line, number: number)
  }

  /// Reads a line as runs of lines are read; false, and nothing done, where it must be looked at.
  private mutating func readCommon(_ line: UnsafeRawBufferPointer) -> Bool {
    guard keyPath == nil, !isFull, line.first == UInt8(ascii: "{"),
      line.count <= QuickScanner.copyLimit, LineBreaks.next(in: line, from: 0) == nil
    else { return false }
    return QuickScanner.withCopy(of: line) { readAlone($0) }
  }

  /// Reads a line that may be anything.
  mutating func readCarefully(_ line: UnsafeRawBufferPointer, number: Int) -> LineOutcome {
    guard room.count < LineReader.rowLimit else { return .full }
    do {
      return try take(line)
    } catch {
      return .refused(
        LineRefusal(line: number, column: error.offset + 1, reason: error.reason))
    }
  }

  /// Hands out the rows read since the last time.
  public mutating func finish() -> EventColumns {
    var finished = room.columns()
    finished.texts = texts.finish()
    finished.subjects = subjects.finish()
    finished.statedSeq = statedSeq
    finished.inventory = inventory
    if isKnownUniquelyReferenced(&room) { room.clear() } else { room = RowRoom(like: room) }
    statedSeq = []
    inventory = []
    valueCount = 0
    return finished
  }

  /// Makes room for another row with so much payload.
  @inline(__always)
  mutating func makeRoom(payload bytes: Int) {
    if room.count == room.capacity || room.payloadCount &+ bytes > room.payloadCapacity {
      room = room.copy(
        rows: room.count == room.capacity ? 2 * room.capacity : room.capacity,
        payload: max(room.payloadCapacity, 2 * (room.payloadCount + bytes)))
    } else if !isKnownUniquelyReferenced(&room) {
      room = room.copy(rows: room.capacity, payload: room.payloadCapacity)
    }
  }

  private mutating func take(_ line: UnsafeRawBufferPointer) throws(LineProblem) -> LineOutcome {
    guard line.count <= LineReader.lineLimit else {
      throw LineProblem(offset: LineReader.lineLimit, reason: .lineTooLong)
    }
    switch JSONScanner.members(of: line, into: &members) {
    case .success(.object): break
    case .success: throw LineProblem(offset: 0, reason: .notAnObject)
    case .failure(let failure):
      if failure.offset == line.count, line.allSatisfy({ LineReader.isBlank($0) }) {
        return .blank
      }
      throw LineProblem(offset: failure.offset, reason: .notJSON(failure.reason))
    }
    facts.begin()
    tokens.begin()
    try classify(line)
    let lifted = lifts.names(of: facts.kind)
    for index in members.indices { try lift(index, lifted, line) }
    if facts.key == nil, let keyPath { takeKey(at: keyPath, line) }
    try checkRequirements()
    payload.removeAll(keepingCapacity: true)
    try appendPayload(line)
    guard room.payloadCount + payload.count <= LineReader.payloadLimit else {
      if room.count > 0 { return .full }
      throw LineProblem(offset: LineReader.payloadLimit, reason: .lineTooLong)
    }
    commit(line)
    return .row
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}

/// What one line says, gathered before anything of it is kept.
struct LineFacts: Sendable {
  /// A text as a place in the line, or in `scratch` where it had to be rewritten.
  struct Text: Sendable {
    var range: Range<Int>
    var isInScratch: Bool
  }

  /// What becomes of a member.
  enum Fate: Sendable {
    /// Columns say it.
    case lifted
    /// It stays in the payload, whether columns say it too or not.
    case kept
    /// It stays in the payload with this digest as its value.
    case keptAsDigest(Text)
  }

  var kind = EventKind.unknown
  var flags: RowFlags = []
  var at = EventColumns.absent
  var recordedAt = EventColumns.absent
  var seq = EventColumns.absent
  var attributesBytes: Int?
  var contentBytes: Int?
  var seen = LineNameSet()
  /// What each member's name means, and what becomes of it.
  var names: [LineName] = []
  var fates: [Fate] = []

  var activityID: Text?
  var token: Text?
  var channel: Text?
  var key: Text?
  var replaces: Text?
  var environment: Text?
  var bundle: Text?
  var device: Text?

  var values: [(member: Member, value: Int64)] = []
  var texts: [(member: Member, text: Text)] = []
  var entries: [(id: Text, state: Text?)] = []
  var scratch: [UInt8] = []

  var hasHandle: Bool { activityID != nil || token != nil || channel != nil || key != nil }

  func has(_ member: Member) -> Bool { texts.contains { $0.member == member } }

  /// Forgets everything but the memory.
  mutating func begin() {
    var fresh = LineFacts()
    swap(&fresh.names, &names)
    swap(&fresh.fates, &fates)
    swap(&fresh.values, &values)
    swap(&fresh.texts, &texts)
    swap(&fresh.entries, &entries)
    swap(&fresh.scratch, &scratch)
    self = fresh
    names.removeAll(keepingCapacity: true)
    fates.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
    scratch.removeAll(keepingCapacity: true)
  }
}
