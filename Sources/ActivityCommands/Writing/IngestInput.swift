internal import ActivityIngest

/// The text of one file, or of standard input, from its beginning to its end; what was read can be
/// looked at again until it is forgotten.
///
/// Positions count bytes of text: after unpacking, as UTF-8, behind a byte order mark. So a file
/// and its packed copy have the same ones.
final class IngestInput {
  /// Of the next byte.
  private(set) var position = 0
  /// What the bytes are kept in; nil until their beginning shows it.
  private(set) var kind: InputKind?

  private enum Reading {
    /// Plain UTF-8 in a file, behind so many bytes of mark: any part of it is at hand.
    case direct(mark: Int)
    /// What must be unpacked or transcoded, and streams.
    case through
  }

  private let file: InputFile
  /// Whether the end of the file is only the present one.
  private let grows: Bool
  private var reading = Reading.through
  private var decoding = InputDecoding()
  /// Of the next byte to be decoded.
  private var offset = 0
  private var hasEnded = false
  /// Bytes read since somebody asked.
  private var fresh = 0
  /// Text that was decoded and not forgotten, and where it begins.
  private var kept: [UInt8] = []
  private var keptStart = 0
  /// A position and how many line feeds lie before it.
  private var counted = (position: 0, feeds: 0)

  /// How messages name standard input.
  static let standardInput = "standard input"

  /// How much is read at once.
  static let chunkBytes = 1 << 20
  /// How much of a file shows what it is.
  private static let probeBytes = 8 << 10

  /// A stream that the caller reads.
  init(name: String, reading read: @escaping (Int) throws -> [UInt8]) {
    file = InputFile(name: name, reading: read)
    grows = false
  }

  /// Opens a file; one that cannot be sought, such as a pipe, is a stream.
  ///
  /// - Throws: Also for a file whose beginning shows that it is no text.
  init(path: String, grows: Bool = false) throws(CommandError) {
    file = try InputFile(path: path)
    self.grows = grows && file.size != nil
    try probe()
  }

  /// The same file from its beginning, read apart; nil for a stream.
  func again() -> IngestInput? { file.size == nil ? nil : IngestInput(file) }

  private init(_ file: InputFile) {
    self.file = file
    grows = false
    try? probe()
  }

  /// Whether a path can be opened, found out without opening it.
  static func check(path: String) throws(CommandError) { try InputFile.check(path: path) }

  /// How messages name it.
  var name: String { file.name }
  /// Bytes on the disk when it was last looked at; nil for a stream.
  var size: Int? { file.size }
  /// Which file it is; nil for a stream.
  var identity: FileIdentity? { file.identity }

  /// Bytes of the file behind which reading goes on.
  var taken: Int {
    switch reading {
    case .direct(let mark): position + mark
    case .through: offset
    }
  }

  /// How many bytes of the file were read since this was asked last.
  func count() -> Int {
    defer { fresh = 0 }
    return fresh
  }

  /// Whether any part can be read at any time.
  var isDirect: Bool { if case .direct = reading { true } else { false } }
  /// Whether it is packed, and so never grows.
  var isPacked: Bool { kind.map { $0.packing != .plain } ?? false }

  private func probe() throws(CommandError) {
    guard let size else { return }
    do {
      let head = try file.next(Self.probeBytes, at: 0)
      let probe = InputDecoding()
      probe.give(head[...])
      if !grows, head.count >= size { probe.end() }
      while try probe.next() != nil {}
      found(probe.kind)
    } catch let problem as InputProblem {
      let error = CommandError(problem, in: name)
      guard error.status == .damage else { throw error }
    } catch let error as CommandError {
      throw error
    } catch {}
  }

  private func found(_ kind: InputKind?) {
    guard let kind else { return }
    self.kind = kind
    guard file.size != nil, kind.packing == .plain, kind.encoding == .utf8 else { return }
    reading = .direct(mark: kind.hasMark ? 3 : 0)
    (kept, fresh) = ([], 0)
  }

  /// Asks the system again how long the file is.
  func look() { file.look() }

  /// The next bytes, at most `count`; empty at the end, or the present end.
  func next(_ count: Int = chunkBytes) throws -> [UInt8] {
    if case .direct(let mark) = reading {
      let chunk = try file.next(count, at: position + mark)
      position += chunk.count
      fresh += chunk.count
      return chunk
    }
    if position == keptStart + kept.count {
      guard try decodeMore() else { return isDirect ? try next(count) : [] }
    }
    let start = position - keptStart
    let chunk = Array(kept[start..<min(start + count, kept.count)])
    position += chunk.count
    return chunk
  }

  /// The bytes that `next` will give, at most `count`; fewer only at the end, or where the input
  /// breaks off, which whoever reads it learns.
  func peek(_ count: Int) throws -> [UInt8] {
    do {
      while !isDirect, position + count > keptStart + kept.count, try decodeMore() {}
    } catch let error as CommandError where error.status == .damage {}
    return try bytes(in: position..<(position + count))
  }

  /// Adds text to what is kept; false at the end, or the present end.
  private func decodeMore() throws -> Bool {
    while true {
      if let piece = try piece() {
        kept += piece
        return true
      }
      guard !hasEnded else { return false }
      let raw = try file.next(Self.chunkBytes, at: offset)
      offset += raw.count
      fresh += raw.count
      if !raw.isEmpty {
        decoding.give(raw[...])
      } else if grows, !isPacked {
        found(decoding.kind)
        return false
      } else {
        decoding.end()
        hasEnded = true
      }
    }
  }

  private func piece() throws(CommandError) -> ArraySlice<UInt8>? {
    do throws(InputProblem) {
      let piece = try decoding.next()
      if kind == nil { kind = decoding.kind }
      return piece
    } catch {
      hasEnded = true
      throw CommandError(error, in: name)
    }
  }

  /// Goes on from a position, or from the end where the text is shorter. A stream only goes
  /// forward, or back to what is not forgotten.
  func seek(to target: Int) throws {
    guard !isDirect else {
      position = target
      return
    }
    if target < keptStart, file.size != nil { rewind() }
    while target > keptStart + kept.count, try decodeMore() {
      position = min(target, keptStart + kept.count)
      forget(before: position - IngestFeed.span)
    }
    position = max(keptStart, min(target, keptStart + kept.count))
  }

  private func rewind() {
    decoding = InputDecoding()
    (offset, hasEnded) = (0, false)
    (kept, keptStart, position) = ([], 0, 0)
    counted = (0, 0)
  }

  /// Bytes read before and not forgotten, or any of a plain file; fewer where it ends.
  func bytes(in range: Range<Int>) throws -> [UInt8] {
    switch reading {
    case .through:
      let range = range.clamped(to: keptStart..<(keptStart + kept.count))
      return Array(kept[(range.lowerBound - keptStart)..<(range.upperBound - keptStart)])
    case .direct(let mark):
      var all: [UInt8] = []
      while all.count < range.count {
        let part = try file.next(
          range.count - all.count, at: range.lowerBound + all.count + mark)
        guard !part.isEmpty else { break }
        if all.isEmpty { all = part } else { all += part }
      }
      return all
    }
  }

  /// Says that bytes before a position will not be looked at again.
  func forget(before position: Int) {
    guard !isDirect, position > keptStart else { return }
    if position > counted.position { _ = try? lines(before: position) }
    kept.removeFirst(min(kept.count, position - keptStart))
    keptStart = position
  }

  /// How many line feeds lie before a position that is not forgotten.
  func lines(before position: Int) throws -> Int {
    while counted.position > position {
      let start = max(position, counted.position - Self.chunkBytes)
      let part = try bytes(in: start..<counted.position)
      counted = (start, counted.feeds - part.count { $0 == UInt8(ascii: "\n") })
    }
    while counted.position < position {
      let end = min(position, counted.position + Self.chunkBytes)
      let part = try bytes(in: counted.position..<end)
      guard !part.isEmpty else { break }
      counted.feeds += part.count { $0 == UInt8(ascii: "\n") }
      counted.position += part.count
    }
    return counted.feeds
  }
}
