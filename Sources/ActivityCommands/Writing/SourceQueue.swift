internal import ActivityCore
internal import ActivityIngest

/// One source of a merge: what was read of it and not yet taken.
final class SourceQueue {
  /// An event line of ours.
  struct Event {
    let line: [UInt8]
    /// Of the source's line it comes from, as this run counts.
    let number: Int
    /// What it was made of; nil where that is the line itself.
    let record: [UInt8]?
    /// When it happened, as far as the merge cares: of an event that does not say, the time of the
    /// one before it.
    let at: Int64
  }

  private enum Item {
    case event(Event)
    case skipped(String)
    case refused(LineRefusal, ArraySlice<UInt8>)
    case end(Int)
  }

  /// What comes next before the next event.
  enum Step {
    case event
    case skipped(String)
    case refused(LineRefusal, ArraySlice<UInt8>)
    /// Nothing more, or nothing at the moment.
    case nothing
  }

  let source: IngestSource
  /// Behind the last line that is done with.
  private(set) var end: Int
  /// Up to here the log has it.
  var committed: Int
  /// Events taken of it.
  var rows = 0
  private(set) var hasRefused = false
  /// What is odd about its lines, where somebody wants to know.
  var remarks: EventRemarks?

  /// The check of what was read so far, as it was read.
  private var mark: (position: Int, check: [UInt8])?
  private var lines: SourceLines
  private var items: ArraySlice<Item> = []
  /// Whether `at` is looked for: with one source there is nothing to merge.
  private let isMerged: Bool
  private let grows: Bool
  private var lastAt = Int64.min
  private(set) var isOver = false
  private var isClosed = false
  /// The last line has no end, and was left for the next time.
  private(set) var isLastLineLeft = false
  /// The last record is refused: it may still be growing.
  private var isRefusedAtEnd = false

  /// - Parameter grows: whether the end of the input is only the present one: a line without its
  ///   end is then never taken.
  init(_ source: IngestSource, isMerged: Bool, grows: Bool) {
    self.source = source
    self.isMerged = isMerged
    self.grows = grows && !source.input.isPacked
    lines = SourceLines(
      source.format, position: source.entry, line: source.entry > 0 ? 1 : 0,
      known: source.entry < source.start ? source.start : 0)
    end = source.start
    committed = source.start
  }

  /// The event that comes next; nil when another step does.
  var head: Event? {
    if case .event(let event)? = items.first { event } else { nil }
  }

  /// Of a line, where it stands in the source.
  func place(_ number: Int) throws -> String {
    "\(source.name):\(number + (try source.linesBefore()))"
  }

  /// Takes the head away.
  func pop() -> Event? {
    guard case .event(let event)? = items.first else { return nil }
    items.removeFirst()
    return event
  }

  /// Says that what was taken last was refused.
  func refuseLast() {
    hasRefused = true
    // What only the end of the input brought out may still be growing.
    if isOver { isRefusedAtEnd = true }
  }

  /// Goes on to the next event, or to what has to be said before it.
  ///
  /// - Parameter reading: told how many bytes of the file were read.
  func step(_ reading: (Int) throws -> Void) throws -> Step {
    while true {
      switch items.first {
      case .event: return .event
      case .skipped(let what):
        items.removeFirst()
        return .skipped(what)
      case .refused(let refusal, let bytes):
        items.removeFirst()
        refuseLast()
        return .refused(refusal, bytes)
      case .end(let position):
        items.removeFirst()
        if !isRefusedAtEnd { end = max(end, position) }
      case nil:
        guard !isOver, !isClosed, try refill(reading) else { return .nothing }
      }
    }
  }

  /// Whether nothing behind `end` was read that only the source's end would bring out: the log may
  /// be told that all before `end` is taken.
  var isSettled: Bool { !grows || isClosed || !lines.isHolding }

  /// Ends a source that may go on later: what its dialect holds comes out with what was read, and
  /// nothing more is read.
  func close() {
    guard !isOver, !isClosed else { return }
    isClosed = true
    var made = Array(items)
    lines.leave { step in add(step, to: &made) }
    items = made[...]
  }

  /// Ends the source where it broke off; what stands behind the last line feed is left.
  func breakOff() {
    isOver = true
    isRefusedAtEnd = true
  }

  /// Reads on; false at the present end of a source that may grow.
  private func refill(_ reading: (Int) throws -> Void) throws -> Bool {
    let input = source.input
    input.forget(before: min(end, input.position) - IngestFeed.span)
    let chunk = try input.next(isMerged ? Self.mergedBytes : IngestInput.chunkBytes)
    try reading(input.count())
    var made: [Item] = []
    guard !chunk.isEmpty else {
      guard !grows else { return false }
      isOver = true
      if needsLineEnd, lines.isInLine {
        isLastLineLeft = true
        lines.leave { step in add(step, to: &made) }
      } else {
        lines.finish { step in add(step, to: &made) }
      }
      items = made[...]
      return true
    }
    lines.take(chunk[...]) { step in add(step, to: &made) }
    items = made[...]
    return true
  }

  /// Whether half a line may look like a whole one, as half an object never does, and the other
  /// half may still be written.
  private var needsLineEnd: Bool {
    source.input.isDirect && (source.format.framing == .text || source.format.framing == .csv)
  }

  /// How much of each of several sources is read at once.
  private static let mergedBytes = 128 << 10

  private func add(_ step: SourceLines.Step, to made: inout [Item]) {
    switch step {
    case .blank: break
    case .event(let line, let number, let record):
      if isMerged, let at = EventLineTime.at(of: line) { lastAt = at }
      remarks?.look(at: line, number: number)
      made.append(
        .event(Event(line: Array(line), number: number, record: record, at: lastAt)))
    case .skipped(let what): made.append(.skipped(what))
    case .refused(let refusal, let bytes): made.append(.refused(refusal, bytes))
    case .end(let position):
      // Of several ends in a row only the last one matters.
      if case .end? = made.last { made.removeLast() }
      made.append(.end(position))
    }
  }
}

extension SourceQueue {
  /// Notes how what was read looks.
  func remember() throws {
    let input = source.input
    guard input.isDirect, input.position > 0, input.position != mark?.position else { return }
    mark = (input.position, try IngestFeed.check(of: input, before: input.position))
  }

  /// Whether another file looks as this one did where it was left.
  func isRemembered(in other: IngestSource) throws -> Bool {
    guard let mark, try isMarked(other.input) else { return false }
    return try other.hasRows(before: mark.position)
  }

  private func isMarked(_ input: IngestInput) throws -> Bool {
    guard let mark, input.isDirect else { return false }
    return try IngestFeed.check(of: input, before: mark.position) == mark.check
  }

  /// Whether the file was cut, and perhaps written anew, since it was read.
  func wasCut() throws -> Bool {
    let input = source.input
    guard !input.isPacked else { return false }
    input.look()
    if let size = input.size, size < input.taken { return true }
    return try mark != nil && !isMarked(input)
  }
}

/// When an event line says that it happened, without reading all of it.
enum EventLineTime {
  /// Microseconds; nil when the line does not say, or is none.
  static func at(of line: UnsafeRawBufferPointer) -> Int64? {
    var members: [JSONMember] = []
    guard line.count <= LineReader.lineLimit,
      case .success(.object) = JSONScanner.members(of: line, into: &members)
    else { return nil }
    for name in ["at", "recorded-at"] {
      let found = members.first { member in
        member.name.count == name.utf8.count && line[member.name].elementsEqual(name.utf8)
      }
      guard let value = found?.value else { continue }
      return instant(value, line)?.microseconds
    }
    return nil
  }

  private static func instant(
    _ value: JSONPlace, _ line: UnsafeRawBufferPointer
  ) -> Timestamp? {
    switch value.type {
    case .number: Timestamp(number: UnsafeRawBufferPointer(rebasing: line[value.range]))
    case .string: Timestamp(rfc3339: UnsafeRawBufferPointer(rebasing: line[value.inner]))
    case .object, .array, .true, .false, .null: nil
    }
  }
}
