internal import ActivityCore

/// Packs a log: rewrites its sealed segments, oldest first, each once, beside whoever writes it.
///
/// A segment is written anew under a temporary name, synced, read back and compared row for row
/// with what it is made from, and only then takes its place; stopped anywhere, the log has either
/// the old file or the new one. The log's `maintain.lock` is held while this lives.
public struct LogPacking {
  /// Why no segment follows.
  public enum End: Sendable, Equatable {
    /// Every sealed segment is packed.
    case done
    /// A segment does not verify: neither it nor anything behind it is packed.
    case damaged([DamagedRange])
  }

  /// How many sealed segments were there to be packed when this began.
  public private(set) var segmentCount: Int
  /// How long their files were together.
  public private(set) var byteCount: UInt64
  /// Whether a segment that is still written to follows them.
  public private(set) var hasActiveSegment: Bool
  /// Meaningful once `next` gave nil.
  public private(set) var end = End.done

  private let files: any LogFiles
  private let lock: MaintenanceLock
  private let encoding: CommitEncoding
  /// Segments not packed yet, in order.
  private var rest: ArraySlice<Segment>
  /// The packed segment before them, and the one they follow in any case.
  private let packed: Segment?
  private var previous: Segment?
  /// SHA-256 of the packed file before the next one; nil until it was looked at.
  private var digest: [UInt8]?

  /// A segment as its header and trailer are.
  private struct Segment: Sendable {
    var name: String
    var header: SegmentHeader
    var size: UInt64
    /// Events up to its end, and the seq after them; nil where no trailer says so.
    var through: (count: Int64, nextSeq: Int64)?

    init(_ name: String, _ scanner: SegmentScanner) {
      self.name = name
      header = scanner.header
      size = scanner.size
      through = scanner.trailer.map { (scanner.header.before.count + $0.count, $0.nextSeq) }
    }
  }

  /// Takes the lock and removes what an interrupted packing left.
  ///
  /// - Parameter pause: Called between two attempts to take the lock; false gives up.
  /// - Throws: `.missing`, `.notALog`, `.locked`, `.newerFormat`, `.damaged` where a packed segment
  ///   comes after one that is not, or a failure of the file system.
  package init(
    _ files: any LogFiles, encoding: CommitEncoding = .high, pause: () -> Bool = { false }
  ) throws(LogError) {
    _ = try CommitWriter.segments(files)
    lock = try MaintenanceLock(files, pause: pause)
    self.files = files
    self.encoding = encoding
    for name in try files.list() where SegmentName.isPacking(name) { try files.remove(name) }
    var list: [Segment] = []
    var unreadable: DamagedRange?
    for name in try CommitWriter.segments(files) where unreadable == nil {
      do throws(LogError) {
        list.append(Segment(name, try Self.scanner(name, in: files)))
      } catch {
        guard error.code == .notALog else { throw error }
        unreadable = Self.damage(name, "its headers do not verify")
      }
    }
    let first = list.firstIndex { !$0.header.isPacked } ?? list.count
    if let later = list[first...].first(where: \.header.isPacked) {
      throw LogError(
        .damaged, file: files.path,
        detail: "\(later.name) is packed and \(list[first].name) before it is not: "
          + "a packed segment was replaced")
    }
    packed = first > 0 ? list[first - 1] : nil
    previous = packed
    // The newest segment without a trailer is being written; others are looked at in their turn.
    hasActiveSegment = unreadable == nil && list.count > first && list.last?.through == nil
    rest = hasActiveSegment ? list[first..<list.count - 1] : list[first...]
    segmentCount = rest.count
    byteCount = rest.reduce(0) { $0 + $1.size }
    if let unreadable { end = .damaged([unreadable]) }
  }

  /// Packs the next segment; nil when none follows, and `end` says why.
  ///
  /// - Parameter progress: Told how many bytes of the segment's old file were taken.
  /// - Throws: A failure of the file system, or `.cannotWrite` where what was written reads back
  ///   otherwise; the segment is as it was then.
  public mutating func next(
    _ progress: (UInt64) -> Void = { _ in }
  ) throws(LogError) -> PackedSegment? {
    guard let segment = rest.popFirst() else { return nil }
    var found = try missing(before: segment)
    if found.isEmpty { found = try prepareChain(segment.header.log) }
    if found.isEmpty {
      switch try pack(segment.name, progress) {
      case .packed(let result):
        previous = segment
        previous?.through = (result.through, result.lastSeq + 1)
        digest = result.digest
        return result
      case .damaged(let ranges): found = ranges
      }
    }
    rest = []
    end = .damaged(found)
    return nil
  }

  /// What is missing between a segment and the one before it.
  private func missing(before segment: Segment) throws(LogError) -> [DamagedRange] {
    if let previous, previous.header.log != segment.header.log {
      return [Self.damage(segment.name, "it belongs to another log")]
    }
    guard let through = previous?.through, segment.header.before.count > through.count,
      segment.header.firstSeq > through.nextSeq
    else { return [] }
    return [Self.damage(segment.name, "what came before is missing")]
  }

  /// Finds the digest the next segment is to hold. The packed segment it is of is read whole
  /// first, because a digest of damaged bytes would vouch for them.
  private mutating func prepareChain(_ log: LogID) throws(LogError) -> [DamagedRange] {
    guard digest == nil else { return [] }
    guard let packed else {
      digest = LogChain.origin(log)
      return []
    }
    var check = SegmentCheck(try Self.scanner(packed.name, in: files))
    let damage = try check.run()
    guard damage.isEmpty else { return damage }
    digest = try LogChain.digest(of: check.scanner.file)
    return []
  }

  private enum Outcome {
    case packed(PackedSegment)
    case damaged([DamagedRange])
  }

  private func pack(
    _ name: String, _ progress: (UInt64) -> Void
  ) throws(LogError) -> Outcome {
    let source = try Self.scanner(name, in: files)
    guard !source.header.isNewerForWriting else { throw SegmentScanner.newer(name) }
    if let damage = try Self.whyNotSealed(source, name) { return .damaged(damage) }
    var header = source.header
    header.digest = digest ?? LogChain.origin(header.log)
    header.encodings = .packed
    let temporary = String(name.dropLast(SegmentName.ending.count)) + SegmentName.packing
    do throws(LogError) {
      let outcome = try replace(name, source, by: temporary, header, progress)
      if case .damaged = outcome { try files.remove(temporary) }
      return outcome
    } catch {
      // What is left is removed by the next packing.
      _ = try? files.remove(temporary)
      throw error
    }
  }

  private func replace(
    _ name: String, _ source: SegmentScanner, by temporary: String, _ header: SegmentHeader,
    _ progress: (UInt64) -> Void
  ) throws(LogError) -> Outcome {
    let cursors = try cursors(atEndOf: name)
    var rewrite = try SegmentRewrite(
      source, into: try files.open(temporary, .create), header: header, encoding: encoding)
    let damage = try rewrite.run(cursors: cursors, progress)
    guard damage.isEmpty else { return .damaged(damage) }

    let packed = try Self.scanner(temporary, in: files)
    var comparison = PackedComparison(
      try Self.scanner(name, in: files), packed, header: header, cursors: cursors)
    try comparison.run()
    let digest = try LogChain.digest(of: packed.file)
    try files.rename(temporary, to: name)
    try files.syncDirectory()
    return .packed(
      PackedSegment(
        file: name, firstSeq: header.firstSeq, lastSeq: (packed.trailer?.nextSeq ?? 1) - 1,
        events: packed.trailer?.count ?? 0, commits: (rewrite.commitsRead, rewrite.commits),
        bytes: (source.size, packed.size), digest: digest, healed: rewrite.healed,
        through: rewrite.through.count))
  }

  /// Every feed's cursor as of a segment's end, least recently used first.
  private func cursors(atEndOf name: String) throws(LogError) -> [IngestCursor] {
    let names = try CommitWriter.segments(files)
    guard let place = names.firstIndex(of: name) else { return [] }
    var feeds = FeedTable()
    feeds.advance(all: try CommitWriter.cursors(before: place + 1, names, files))
    return feeds.list
  }

  /// Why a segment that others follow is not closed; nil where it is.
  private static func whyNotSealed(
    _ source: SegmentScanner, _ name: String
  ) throws(LogError) -> [DamagedRange]? {
    guard source.trailer == nil else { return nil }
    var walk = source
    while try walk.next() != nil {}
    guard !walk.isSealed else { return nil }
    let found = walk.end.damage
    return found.isEmpty ? [damage(name, "it was never sealed, and others follow it")] : found
  }

  private static func scanner(
    _ name: String, in files: any LogFiles
  ) throws(LogError) -> SegmentScanner {
    try SegmentScanner(try files.open(name, .read))
  }

  private static func damage(_ name: String, _ why: String) -> DamagedRange {
    DamagedRange(file: name, offset: 0, byteCount: 0, part: .segment, lost: .none, why: why)
  }
}

/// What packing one segment came to.
public struct PackedSegment: Sendable {
  /// The segment's file.
  public let file: String
  /// The seqs it holds.
  public let firstSeq: Int64
  public let lastSeq: Int64
  /// How many events.
  public let events: Int64
  /// How many commits, before and after.
  public let commits: (before: Int, after: Int)
  /// How long its file was and is.
  public let bytes: (before: UInt64, after: UInt64)
  /// SHA-256 of the file: the head of the log's chain until another segment is packed.
  public let digest: [UInt8]
  /// Damage of the old file that cost no event and is gone with it.
  public let healed: [DamagedRange]
  /// Events of the log up to its end.
  let through: Int64
}

extension LogPacking {
  /// Packs the log in a directory.
  ///
  /// - Parameter wait: How long to wait for another process that maintains it, in milliseconds.
  /// - Throws: `.missing`, `.notALog`, `.locked`, `.newerFormat`, `.damaged`, `.notPermitted`.
  public init(path: String, wait: Int = 10_000) throws(LogError) {
    var attempts = max(0, wait / WriterOptions.stepMilliseconds)
    try self.init(PosixFiles(path: path)) {
      guard attempts > 0 else { return false }
      attempts -= 1
      WriterOptions.pauseForAStep()
      return true
    }
  }
}
