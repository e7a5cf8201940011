internal import ActivityCore

/// The digests that chain a log's packed segments: each holds in its header the SHA-256 of the file
/// before it, so the last file's own SHA-256, the *head*, stands for every byte up to there.
public struct LogChain: Sendable, Equatable {
  /// One packed segment.
  public struct Link: Sendable, Equatable {
    /// The segment's file.
    public var file: String
    /// The first seq the segment may hold.
    public var firstSeq: Int64
    /// The seq after its last event.
    public var nextSeq: Int64
    /// What its header says of the file before: its SHA-256; of the first one ever packed, a digest
    /// of the log's id.
    public var before: [UInt8]
    /// SHA-256 of the whole file.
    public var digest: [UInt8]
    /// The file's length.
    var bytes: UInt64
  }

  /// Packed segments in order, also those whose predecessor has another digest than they name.
  public private(set) var links: [Link] = []
  /// Where the chain does not hold.
  public private(set) var breaks: [DamagedRange] = []
  /// How many links hold, from the first on.
  private var sound = 0
  /// The seq after the log's last event, packed or not.
  public private(set) var nextSeq: Int64 = 1

  /// The last packed segment's digest; nil while nothing is packed.
  public var head: [UInt8]? { links.last?.digest }

  /// What a head given from outside says of this log.
  public enum Standing: Sendable, Equatable {
    /// Every event below this seq is as it was when the head was taken.
    case covers(nextSeq: Int64)
    /// A segment has this digest, but what came before it is not what it names.
    case broken
    /// No segment here has this digest: what it stood for was altered, or it is another log's.
    case unknown
  }

  /// Whether a head taken earlier is in the chain.
  public func standing(of head: [UInt8]) -> Standing {
    if let place = links.firstIndex(where: { $0.digest == head }) {
      return place < sound ? .covers(nextSeq: links[place].nextSeq) : .broken
    }
    // The segments it stood for were pruned, or it was taken before anything was packed.
    if let first = links.first, first.before == head { return .covers(nextSeq: first.firstSeq) }
    return .unknown
  }

  /// No packed segments.
  init() {}

  /// Whether the segment that begins with this seq is packed, so shorter than when it was synced.
  func holds(_ firstSeq: Int64) -> Bool { links.contains { $0.firstSeq == firstSeq } }

  /// Reads every packed segment of a log whole.
  ///
  /// - Throws: `.missing`, `.notALog`, or a failure to read. A broken chain is no error.
  package init(_ files: any LogFiles) throws(LogError) {
    self = try LogChain(once: files)
    // A segment packed while this was read looks like a break where there is none.
    for _ in 0..<2 where !breaks.isEmpty { self = try LogChain(once: files) }
  }

  private init(once files: any LogFiles) throws(LogError) {
    var log: LogID?
    var unpacked: String?
    for name in try CommitWriter.segments(files) {
      var scanner: SegmentScanner
      do throws(LogError) {
        scanner = try SegmentScanner(try files.open(name, .read))
      } catch {
        // Whoever reads the events reports a segment that is none any more.
        guard error.code == .notALog else { throw error }
        unpacked = unpacked ?? name
        continue
      }
      guard log == nil || log == scanner.header.log else { continue }
      log = scanner.header.log
      nextSeq = max(nextSeq, try Self.nextSeq(of: &scanner))
      guard scanner.header.isPacked else {
        unpacked = unpacked ?? name
        continue
      }
      try add(scanner, name, behind: unpacked)
    }
  }

  private static func nextSeq(of scanner: inout SegmentScanner) throws(LogError) -> Int64 {
    if let trailer = scanner.trailer { return trailer.nextSeq }
    while try scanner.next() != nil {}
    return scanner.nextSeq
  }

  private mutating func add(
    _ scanner: SegmentScanner, _ name: String, behind unpacked: String?
  ) throws(LogError) {
    let header = scanner.header
    if let unpacked {
      note(unpacked, 0, "it is not packed, and \(name) behind it is")
    } else if let last = links.last, last.digest != header.digest {
      note(last.file, last.bytes, "its SHA-256 is not the one that \(name) names")
    } else if links.isEmpty, header.before.count == 0, header.digest != Self.origin(header.log) {
      note(name, 0, "it is the log's first segment, and its chain does not begin with it")
    }
    links.append(
      Link(
        file: name, firstSeq: header.firstSeq,
        nextSeq: scanner.trailer?.nextSeq ?? scanner.nextSeq, before: header.digest,
        digest: try Self.digest(of: scanner.file, size: scanner.size), bytes: scanner.size))
    if breaks.isEmpty { sound = links.count }
  }

  private mutating func note(_ name: String, _ bytes: UInt64, _ why: String) {
    breaks.append(
      DamagedRange(file: name, offset: 0, byteCount: bytes, part: .chain, lost: .none, why: why))
  }

  /// What the first packed segment of a log holds for everything before it.
  package static func origin(_ log: LogID) -> [UInt8] {
    var writer = ByteWriter()
    writer.raw([UInt8]("activity-log chain".utf8))
    writer.u64(log.high)
    writer.u64(log.low)
    return TokenDigest.sha256(writer.bytes)
  }

  /// SHA-256 of a whole file.
  package static func digest(of file: any LogFile) throws(LogError) -> [UInt8] {
    try digest(of: file, size: try file.size())
  }

  private static func digest(of file: any LogFile, size: UInt64) throws(LogError) -> [UInt8] {
    var digest = RunningDigest()
    var offset: UInt64 = 0
    while offset < size {
      let count = min(size - offset, UInt64(Limits.payloadTarget))
      let bytes = try file.read(at: offset, count: Int(count))
      guard !bytes.isEmpty else { break }
      digest.update(bytes)
      offset += UInt64(bytes.count)
    }
    return digest.finish()
  }
}

extension LogChain {
  /// Reads the chain of the log in a directory.
  public init(path: String) throws(LogError) {
    try self.init(PosixFiles(path: path))
  }
}
