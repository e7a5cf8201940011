/// What became of a run of lines.
package struct LineRun: Hashable, Sendable {
  /// Lines read; each is a row of the batch.
  package var rows = 0
  /// Behind the last of them.
  package var end: Int
}

extension LineReader {
  /// Reads whole lines one after the other as the batch's next rows, until the batch is full, the
  /// bytes end, or a line comes that `read` must look at: one that is rare in some way, wrong, or
  /// among the last bytes.
  package mutating func readRun(_ bytes: UnsafeRawBufferPointer, from start: Int) -> LineRun {
    readRun(bytes, from: start, by: 8)
  }

  /// Reads one line, of which `bytes` is a copy as `QuickScanner` needs it; false where it must be
  /// looked at.
  mutating func readAlone(_ bytes: UnsafeRawBufferPointer) -> Bool {
    readRun(bytes, from: 0, by: 1).rows == 1
  }

  /// - Parameter group: so many lines wait for the memory they will be looked up in.
  @inline(never)
  private mutating func readRun(
    _ bytes: UnsafeRawBufferPointer, from start: Int, by group: Int
  ) -> LineRun {
    var run = LineRun(end: start)
    guard keyPath == nil, let base = bytes.baseAddress, bytes.count < Int(Int32.max),
      let feed = LineBreaks.last(in: bytes, before: bytes.count - QuickScanner.margin)
    else { return run }
    QuickLine.withLines(group, QuickScanner(base, feed: feed)) { lines in
      while run.end <= feed, !isFull {
        let count = gather(lines, group, from: run.end, to: feed)
        for line in lines..<(lines + count) {
          guard !isFull, take(line) else { return }
          run.end = line.pointee.end
          run.rows += 1
        }
        guard count == group else { return }
      }
    }
    return run
  }

  /// Reads lines as far as they alone say what they mean, and asks for the memory that `take` will
  /// look them up in: most of the time of a line would be spent waiting for it.
  ///
  /// - Returns: how many, fewer than a group before one that `read` has to decide, and at the end.
  @inline(__always)
  private mutating func gather(
    _ lines: QuickLine.Pointer, _ group: Int, from start: Int, to feed: Int
  ) -> Int {
    let hashes = texts.hashes
    var count = 0
    var place = start
    while count < group, place <= feed {
      let line = lines + count
      place = line.pointee.gather(place)
      guard place >= 0, line.pointee.classify(),
        line.pointee.lift(lifts.names(of: line.pointee.kind))
      else { break }
      line.pointee.hashNames(hashes)
      prefetch(line)
      count &+= 1
    }
    for line in lines..<(lines + count) {
      if line.pointee.activityID.length > 0 { texts.prefetchBytes(line.pointee.activityID.hash) }
      if line.pointee.token.length > 0 { texts.prefetchBytes(line.pointee.token.hash) }
    }
    return count
  }

  @inline(__always)
  private mutating func prefetch(_ line: QuickLine.Pointer) {
    let app = LineSubjects.Key.hash(
      line.pointee.environment.hash, line.pointee.bundle.hash, line.pointee.device.hash)
    prefetch(.activity, line.pointee.activityID, app)
    prefetch(.token, line.pointee.token, app)
    prefetch(.key, line.pointee.key, app)
    if line.pointee.device.length > 0 { texts.prefetch(line.pointee.device.hash) }
  }

  @inline(__always)
  private mutating func prefetch(_ kind: HandleKind, _ name: QuickLine.Piece, _ app: UInt64) {
    guard name.length > 0 else { return }
    texts.prefetch(name.hash)
    subjects.prefetch(LineSubjects.Key.hash(kind, name.hash, in: app))
  }

  /// Adds a line's row; false where `read` has to decide.
  @inline(__always)
  private mutating func take(_ line: QuickLine.Pointer) -> Bool {
    if isRestoring {
      guard line.pointee.seq != EventColumns.absent,
        line.pointee.recordedAt != EventColumns.absent
      else { return false }
    }
    guard room.payloadCount + line.pointee.payloadBytes <= LineReader.payloadLimit else {
      return false
    }
    makeRoom(payload: line.pointee.payloadBytes)
    if isRestoring { statedSeq.append(line.pointee.seq) }
    let scope = LineSubjects.Key(
      environment: text(line.pointee.environment, line), bundle: text(line.pointee.bundle, line),
      device: text(line.pointee.device, line))
    let activity = ordinal(.activity, line.pointee.activityID, scope, line)
    let token = ordinal(.token, line.pointee.token, scope, line)
    let channel = ordinal(.channel, line.pointee.channel, scope, line)
    let key = ordinal(.key, line.pointee.key, scope, line)
    let replaces = ordinal(.token, line.pointee.replaces, scope, line)
    var first = activity
    if first < 0 { first = token }
    if first < 0 { first = channel }
    if first < 0 { first = key }
    if first < 0 { first = subjects.ordinal(of: scope) }
    let at = line.pointee.at
    room.appendRow(
      kind: line.pointee.kind, flags: line.pointee.flags, subject: first,
      at: at != EventColumns.absent ? at : line.pointee.recordedAt,
      recordedAt: line.pointee.recordedAt)
    if token >= 0, activity >= 0 { set(.token, token) }
    if channel >= 0, activity >= 0 || token >= 0 { set(.channel, channel) }
    if key >= 0, activity >= 0 || token >= 0 || channel >= 0 { set(.key, key) }
    if replaces >= 0 { set(.replaces, replaces) }
    takeMembers(line)
    writePayload(line)
    return true
  }

  @inline(__always)
  private mutating func takeMembers(_ line: QuickLine.Pointer) {
    let lists = line.pointee.lists
    for index in 0..<line.pointee.valueCount {
      let (member, value) = lists.values[index]
      room.set(member, value)
    }
    for index in 0..<line.pointee.textCount {
      let member = lists.texts[index]
      var piece = QuickLine.Piece(
        start: Int(member.pointee.value) &+ 1, length: line.pointee.textLength(member))
      let code: Int32
      if member.pointee.known.form == .text {
        code = ownCode(piece, line)
      } else {
        line.pointee.hash(&piece, texts.hashes)
        code = text(piece, line).code
      }
      room.set(Int(member.pointee.known.bit), Int64(code))
    }
    valueCount &+= 5 &+ line.pointee.valueCount &+ line.pointee.textCount
    let size = max(0, line.pointee.attributesBytes) &+ max(0, line.pointee.contentBytes)
    if size >= 1_000, line.pointee.kind.isContentAct {
      room.set(Int(Member.contentBytes.rawValue), Int64(size))
    }
  }

  /// Adds the members that stay JSON; each name and value is copied as it stands.
  @inline(__always)
  private func writePayload(_ line: QuickLine.Pointer) {
    let base = line.pointee.scanner.base
    let lists = line.pointee.lists
    var mark = UInt8(ascii: "{")
    for index in 0..<line.pointee.keptCount {
      let member = lists.kept[index].pointee
      room.appendPayload(mark)
      mark = UInt8(ascii: ",")
      if member.value == member.nameEnd &+ 1 {
        room.appendPayload(loosely: base + Int(member.name), Int(member.end &- member.name))
      } else {
        room.appendPayload(loosely: base + Int(member.name), Int(member.nameEnd &- member.name))
        room.appendPayload(UInt8(ascii: ":"))
        room.appendPayload(loosely: base + Int(member.value), Int(member.end &- member.value))
      }
    }
    if mark == UInt8(ascii: "{") { room.appendPayload(mark) }
    room.appendPayload(UInt8(ascii: "}"))
    room.appendPayload(UInt8(ascii: "\n"))
  }

  @inline(__always)
  private func set(_ member: Member, _ ordinal: Int32) {
    room.set(Int(member.rawValue), Int64(ordinal))
  }

  /// A handle's ordinal, −1 for none.
  @inline(__always)
  private mutating func ordinal(
    _ kind: HandleKind, _ name: QuickLine.Piece, _ scope: LineSubjects.Key,
    _ line: QuickLine.Pointer
  ) -> Int32 {
    guard name.length > 0 else { return -1 }
    return subjects.ordinal(of: scope.named(kind, text(name, line)))
  }

  /// A shared text, whose hash is known.
  @inline(__always)
  private mutating func text(_ piece: QuickLine.Piece, _ line: QuickLine.Pointer) -> LineText {
    guard piece.length > 0 else { return LineText() }
    let start = line.pointee.scanner.base + piece.start
    guard piece.length <= LineTexts.shortLength else {
      let code = texts.code(ofLong: start, piece.length, piece.hash)
      return LineText(code: code, hash: piece.hash)
    }
    let word = line.pointee.scanner.shortWord(piece.start, piece.length)
    return LineText(code: texts.code(ofShort: start, word, piece.hash), hash: piece.hash)
  }

  @inline(__always)
  private mutating func ownCode(_ piece: QuickLine.Piece, _ line: QuickLine.Pointer) -> Int32 {
    let base = line.pointee.scanner.base
    let bytes = UnsafeRawBufferPointer(start: base + piece.start, count: piece.length)
    return Int32(truncatingIfNeeded: texts.append(bytes))
  }
}

extension QuickLine {
  /// Finds the hashes of all texts that subjects are known by.
  @inline(__always)
  fileprivate mutating func hashNames(_ hashes: LineHashes) {
    hash(&environment, hashes)
    hash(&bundle, hashes)
    hash(&device, hashes)
    hash(&activityID, hashes)
    hash(&token, hashes)
    hash(&channel, hashes)
    hash(&key, hashes)
    hash(&replaces, hashes)
  }

  @inline(__always)
  fileprivate func hash(_ piece: inout Piece, _ hashes: LineHashes) {
    guard piece.length > 0 else {
      piece.hash = 0
      return
    }
    piece.hash =
      piece.length <= LineTexts.shortLength
      ? hashes.hash(of: scanner.shortWord(piece.start, piece.length))
      : hashes.hash(ofLong: scanner.base + piece.start, piece.length)
  }

  /// At most so many bytes of payload, line feed included.
  @inline(__always)
  fileprivate var payloadBytes: Int {
    var bytes = 3
    for index in 0..<keptCount {
      let member = lists.kept[index]
      bytes &+= Int(member.pointee.end &- member.pointee.name) &+ 1
    }
    return bytes
  }
}
