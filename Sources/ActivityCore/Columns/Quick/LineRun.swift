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
    var run = LineRun(end: start)
    guard keyPath == nil, let base = bytes.baseAddress, bytes.count < Int(Int32.max),
      let feed = LineBreaks.last(in: bytes, before: bytes.count - QuickScanner.margin)
    else { return run }
    QuickLine.withLine(QuickScanner(base, feed: feed)) { line in
      while run.end <= feed, !isFull {
        let end = line.gather(run.end)
        guard end >= 0, line.classify(), line.lift(lifts.names(of: line.kind)), take(line)
        else { return }
        run.end = end
        run.rows += 1
      }
    }
    return run
  }

  /// Adds a line's row; false where `read` has to decide.
  @inline(__always)
  private mutating func take(_ line: borrowing QuickLine) -> Bool {
    if isRestoring {
      guard line.seq != EventColumns.absent, line.recordedAt != EventColumns.absent else {
        return false
      }
    }
    guard room.payloadCount + line.payloadBytes <= LineReader.payloadLimit else { return false }
    makeRoom(payload: line.payloadBytes)
    if isRestoring { statedSeq.append(line.seq) }
    let scope = LineSubjects.Key(
      kind: .app, name: -1, environment: code(line.environment, line),
      bundle: code(line.bundle, line),
      device: code(line.device, line))
    let activity = ordinal(.activity, line.activityID, scope, line)
    let token = ordinal(.token, line.token, scope, line)
    let channel = ordinal(.channel, line.channel, scope, line)
    let key = ordinal(.key, line.key, scope, line)
    let replaces = ordinal(.token, line.replaces, scope, line)
    var first = activity
    if first < 0 { first = token }
    if first < 0 { first = channel }
    if first < 0 { first = key }
    if first < 0 { first = subjects.ordinal(of: scope) }
    room.appendRow(
      kind: line.kind, flags: line.flags, subject: first,
      at: line.at != EventColumns.absent ? line.at : line.recordedAt, recordedAt: line.recordedAt)
    if token >= 0, activity >= 0 { set(.token, token) }
    if channel >= 0, activity >= 0 || token >= 0 { set(.channel, channel) }
    if key >= 0, activity >= 0 || token >= 0 || channel >= 0 { set(.key, key) }
    if replaces >= 0 { set(.replaces, replaces) }
    takeMembers(line)
    writePayload(line)
    return true
  }

  @inline(__always)
  private mutating func takeMembers(_ line: borrowing QuickLine) {
    for index in 0..<line.valueCount {
      let (member, value) = line.lists.values[index]
      room.set(member, value)
    }
    for index in 0..<line.textCount {
      let member = line.lists.texts[index]
      let piece = QuickLine.Piece(
        start: Int(member.pointee.value) &+ 1, length: line.textLength(member))
      let isOwn = member.pointee.known.form == .text
      let code = isOwn ? ownCode(piece, line) : code(piece, line)
      room.set(Int(member.pointee.known.bit), Int64(code))
    }
    valueCount &+= 5 &+ line.valueCount &+ line.textCount
    let size = max(0, line.attributesBytes) &+ max(0, line.contentBytes)
    if size >= 1_000, line.kind.isContentAct {
      room.set(Int(Member.contentBytes.rawValue), Int64(size))
    }
  }

  /// Adds the members that stay JSON; each name and value is copied as it stands.
  @inline(__always)
  private func writePayload(_ line: borrowing QuickLine) {
    let base = line.scanner.base
    var mark = UInt8(ascii: "{")
    for index in 0..<line.keptCount {
      let member = line.lists.kept[index].pointee
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
    _ line: borrowing QuickLine
  ) -> Int32 {
    guard name.length > 0 else { return -1 }
    var key = scope
    key.kind = kind
    key.name = code(name, line)
    return subjects.ordinal(of: key)
  }

  /// A shared text's code, −1 for none.
  @inline(__always)
  private mutating func code(_ piece: QuickLine.Piece, _ line: borrowing QuickLine) -> Int32 {
    guard piece.length > 0 else { return -1 }
    let start = line.scanner.base + piece.start
    guard piece.length <= LineTexts.shortLength else {
      return Int32(truncatingIfNeeded: texts.code(ofLong: start, piece.length))
    }
    let word = line.scanner.shortWord(piece.start, piece.length)
    return Int32(
      truncatingIfNeeded: texts.code(ofShort: start, piece.length, word.first, word.last))
  }

  @inline(__always)
  private mutating func ownCode(_ piece: QuickLine.Piece, _ line: borrowing QuickLine) -> Int32 {
    let bytes = UnsafeRawBufferPointer(start: line.scanner.base + piece.start, count: piece.length)
    return Int32(truncatingIfNeeded: texts.append(bytes))
  }
}

extension QuickLine {
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

  /// Lends a line that has its tables and lists on the stack.
  @inline(__always)
  fileprivate static func withLine(
    _ scanner: QuickScanner, _ body: (inout QuickLine) -> Void
  ) {
    QuickName.words.entries.withUnsafeBufferPointer { names in
      EventKind.quickWords.entries.withUnsafeBufferPointer { kinds in
        QuickLists.withLists { lists in
          guard let names = names.baseAddress, let kinds = kinds.baseAddress else { return }
          var line = QuickLine(scanner, names: names, kinds: kinds, lists: lists)
          body(&line)
        }
      }
    }
  }
}

extension QuickLists {
  @inline(__always)
  fileprivate static func withLists(_ body: (QuickLists) -> Void) {
    let limit = QuickLine.memberLimit
    withUnsafeTemporaryAllocation(of: QuickLine.Found.self, capacity: limit) { found in
      withUnsafeTemporaryAllocation(of: QuickLine.Place.self, capacity: 2 * limit) { places in
        withUnsafeTemporaryAllocation(
          of: (member: Int, value: Int64).self, capacity: limit
        ) { values in
          guard let found = found.baseAddress, let places = places.baseAddress,
            let values = values.baseAddress
          else { return }
          body(
            QuickLists(found: found, kept: places, values: values, texts: places + limit))
        }
      }
    }
  }
}
