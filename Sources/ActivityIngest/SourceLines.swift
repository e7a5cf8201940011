package import ActivityCore

/// Chunks of a source's bytes in, event lines of ours out, one by one, with the places between them
/// where the source can be left.
///
/// It holds at most one unfinished line and one unfinished record, whatever comes. A byte order
/// mark at the start, CR before LF, and a last line without LF are accepted. A long line of JSON
/// objects, such as an array on one line, is handed on in parts, so that only its records are
/// limited.
package struct SourceLines: Sendable {
  package enum Step {
    /// An event line of ours, only borrowed; the number of the source's line it comes from; and the
    /// record it was made of, nil where that is the line itself.
    case event(UnsafeRawBufferPointer, line: Int, record: [UInt8]?)
    /// A line that holds nothing.
    case blank
    /// Understood, and not about a Live Activity; in words to count by.
    case skipped(String)
    /// What was not taken, and its bytes (of what is too long the first 4 096).
    case refused(LineRefusal, ArraySlice<UInt8>)
    /// All lines before this position of the source are done with.
    case end(Int)
  }

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let sampleLength = 4_096

  /// Lines begun.
  package private(set) var lines: Int

  /// Nil when the source's lines are event lines of ours.
  private var foreign: ForeignRecords?
  private var steps: [ForeignRecords.Step] = []
  /// The beginning of a line whose end has not come.
  private var pending: [UInt8] = []
  /// Whether the rest of the present line is thrown away, because it was too long.
  private var isDropping = false
  /// Of the present line, once it is long: where it can be cut. Nil where lines are never cut.
  private var long: LongLine?
  /// Whether the beginning of the present line was handed on.
  private var isCut = false
  private var position: Int
  /// Up to here the source was taken before: it is only read for what it teaches.
  private let known: Int

  /// - Parameters:
  ///   - format: what the source is written in.
  ///   - position: where in the source the first byte lies, when an earlier run took the rest.
  ///   - line: how many lines lie before it.
  ///   - known: up to here nothing is handed out, because it was taken before.
  package init(
    _ format: SourceFormat = .ndjson, position: Int = 0, line: Int = 0, known: Int = 0
  ) {
    if format.framing != .lines || !format.settings.constants.isEmpty {
      let framing = format.framing == .lines ? .json : format.framing
      foreign = ForeignRecords(format.dialect, framing, format.settings)
      if framing == .json { long = LongLine() }
    }
    self.position = position
    self.known = known
    lines = line
  }

  /// Whether every line is an event line of ours as it stands.
  var isPlain: Bool { foreign == nil }

  /// Whether the next byte begins a line of ours, and not the first, which may begin with a mark.
  var isBetweenLines: Bool { foreign == nil && lines > 0 && pending.isEmpty && !isDropping }

  /// Steps over whole event lines that somebody else read; the position behind them is returned.
  mutating func pass(lines count: Int, bytes: Int) -> Int {
    lines += count
    position += bytes
    return position
  }

  /// Takes the next bytes of the source.
  package mutating func take(
    _ chunk: ArraySlice<UInt8>, _ step: (Step) throws -> Void
  ) rethrows {
    try chunk.withUnsafeBytes { try take($0, step) }
  }

  mutating func take(
    _ bytes: UnsafeRawBufferPointer, _ step: (Step) throws -> Void
  ) rethrows {
    var start = 0
    while let feed = LineBreaks.next(in: bytes, from: start) {
      try take(part: UnsafeRawBufferPointer(rebasing: bytes[start..<feed]), isEnd: true, step)
      start = feed + 1
    }
    try take(part: UnsafeRawBufferPointer(rebasing: bytes[start...]), isEnd: false, step)
  }

  /// Takes the end of the source: a last line without line feed, and what only the end tells.
  package mutating func finish(_ step: (Step) throws -> Void) rethrows {
    if !pending.isEmpty || isDropping {
      position -= 1
      try take(part: UnsafeRawBufferPointer(start: nil, count: 0), isEnd: true, step)
    }
    guard foreign != nil else { return }
    let isHolding = isHolding
    foreign?.finish(line: max(1, lines), into: &steps)
    try hand(step, isKnown: position <= known && !isHolding)
    // What only the end brought out may read otherwise when the source goes on.
    if !isHolding { try step(.end(position)) }
  }

  /// Takes the end of what there is, where the source may go on: an unfinished line or record is
  /// left, and only what the dialect holds is handed out.
  package mutating func leave(_ step: (Step) throws -> Void) rethrows {
    foreign?.leave(line: max(1, lines), into: &steps)
    try hand(step, isKnown: false)
  }

  /// Whether the source's dialect holds what only the end would bring out.
  package var isHolding: Bool { foreign?.isHolding ?? false }

  /// Whether a line with something on it has begun and not ended.
  package var isInLine: Bool { isDropping || pending.contains { $0 > 0x20 } }

  /// Takes a piece of a line; `isEnd` when a line feed follows it.
  private mutating func take(
    part: UnsafeRawBufferPointer, isEnd: Bool, _ step: (Step) throws -> Void
  ) rethrows {
    position += part.count + (isEnd ? 1 : 0)
    if isDropping {
      if isEnd { try refuseLongLine(step) }
      return
    }
    let length = pending.count + part.count
    if long != nil, length > (isEnd ? LineReader.lineLimit : LongLine.length) {
      pending.append(contentsOf: part)
      try cutLongLine(step)
      let rest = UnsafeRawBufferPointer(start: nil, count: 0)
      guard isEnd || pending.count > LineReader.lineLimit else { return }
      return try settle(part: rest, isEnd: isEnd, step)
    }
    try settle(part: part, isEnd: isEnd, step)
  }

  private mutating func settle(
    part: UnsafeRawBufferPointer, isEnd: Bool, _ step: (Step) throws -> Void
  ) rethrows {
    if pending.count + part.count > LineReader.lineLimit {
      drop(part)
      if isEnd { try refuseLongLine(step) }
      return
    }
    guard isEnd else { return pending.append(contentsOf: part) }
    guard !pending.isEmpty else { return try read(part, step) }
    pending.append(contentsOf: part)
    let line = pending
    pending = []
    try line.withUnsafeBytes { try read($0, step) }
  }

  /// Throws the line away but for its beginning.
  private mutating func drop(_ part: UnsafeRawBufferPointer) {
    pending.append(contentsOf: part.prefix(max(0, SourceLines.sampleLength - pending.count)))
    pending.removeSubrange(min(pending.count, SourceLines.sampleLength)...)
    isDropping = true
  }

  /// Hands on the whole objects that a long line begins with, unless it goes on with what lines
  /// before it began.
  private mutating func cutLongLine(_ step: (Step) throws -> Void) rethrows {
    guard foreign?.isInside == false, let end = long?.cut(pending), end > 0 else { return }
    long = LongLine()
    let objects = pending[..<end]
    pending.removeSubrange(..<end)
    if !isCut { lines += 1 }
    isCut = true
    objects.withUnsafeBytes { bytes in
      let bytes = unmarked(bytes)
      foreign?.take(bytes, number: lines, into: &steps)
    }
    try hand(step, isKnown: position <= known)
  }

  private mutating func refuseLongLine(_ step: (Step) throws -> Void) rethrows {
    beginLine()
    let refusal = LineRefusal(
      line: lines, column: LineReader.lineLimit + 1, reason: .lineTooLong)
    let sample = pending[...]
    pending = []
    isDropping = false
    if position > known { try step(.refused(refusal, sample)) }
    try step(.end(position))
  }

  /// Counts a line, unless its beginning was counted.
  private mutating func beginLine() {
    if !isCut { lines += 1 }
    isCut = false
    if long != nil { long = LongLine() }
  }

  /// A line without the byte order mark that the first one may have.
  private func unmarked(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard lines == 1, line.starts(with: SourceLines.mark) else { return line }
    return UnsafeRawBufferPointer(rebasing: line[3...])
  }

  /// Reads one whole line, or what is left of it; it may still end in CR.
  private mutating func read(
    _ whole: UnsafeRawBufferPointer, _ step: (Step) throws -> Void
  ) rethrows {
    let isRest = isCut
    beginLine()
    var line = unmarked(whole)
    if line.last == UInt8(ascii: "\r") { line = UnsafeRawBufferPointer(rebasing: line.dropLast()) }
    guard foreign != nil else {
      try step(.event(line, line: lines, record: nil))
      return try step(.end(position))
    }
    if !isRest, !line.contains(where: { $0 > 0x20 }) { try readEmpty(line, step) }
    foreign?.take(line, number: lines, into: &steps)
    try hand(step, isKnown: position <= known)
    if foreign?.isInside != true { try step(.end(position)) }
  }

  /// Says of a line without visible characters what it is: NUL bytes are a hole that a crash or a
  /// truncation left, and what stood there is lost.
  private func readEmpty(
    _ line: UnsafeRawBufferPointer, _ step: (Step) throws -> Void
  ) rethrows {
    guard position > known else { return }
    guard line.contains(0), foreign?.isInside == false else { return try step(.blank) }
    let refusal = LineRefusal(line: lines, column: 1, reason: .notJSON(.nulByte))
    try step(.refused(refusal, Array(line)[...]))
  }

  /// - Parameter isKnown: whether it was taken before.
  private mutating func hand(
    _ step: (Step) throws -> Void, isKnown: Bool
  ) rethrows {
    defer { steps.removeAll(keepingCapacity: true) }
    guard !isKnown else { return }
    for made in steps {
      switch made {
      case .event(let bytes, let line, let record):
        try bytes.withUnsafeBytes { try step(.event($0, line: line, record: record)) }
      case .skipped(let why): try step(.skipped(why))
      case .refused(let refusal, let bytes):
        let isTooLong = refusal.reason == .lineTooLong
        try step(.refused(refusal, isTooLong ? bytes.prefix(SourceLines.sampleLength) : bytes[...]))
      }
    }
  }
}
