/// What a segment says of itself, written twice at its beginning; the first copy that verifies
/// counts.
package struct SegmentHeader: Sendable, Equatable {
  /// "ALOG-SEG"
  package static let signature: [UInt8] = [0x41, 0x4C, 0x4F, 0x47, 0x2D, 0x53, 0x45, 0x47]
  package static let version: UInt16 = 1
  /// A copy without metadata.
  package static let minimumLength = 125
  /// The incompatible feature of packed encodings in names, skeletons and the subject index.
  package static let packedEncodings: UInt32 = 1
  /// Features this program knows.
  package static let knownIncompatible: UInt32 = packedEncodings
  package static let knownCompatible: UInt32 = 0

  package var log: LogID
  /// Where this segment's seqs begin; also its file's name.
  package var firstSeq: Int64
  /// Of every commit in the segments before this one, pruned ones too.
  package var before = LogTotals()
  /// SHA-256 of everything before, zero until the segment is packed.
  package var digest = [UInt8](repeating: 0, count: 32)
  /// Readers that do not know a bit must refuse the segment.
  package var incompatible: UInt32 = 0
  /// Writers that do not know a bit must not append.
  package var compatible: UInt32 = 0
  /// Facts about the log as text: `key-path`, `origin`, `partitions`. Order is kept.
  package var metadata: [LogMetadata] = []

  package init(log: LogID, firstSeq: Int64) {
    self.log = log
    self.firstSeq = firstSeq
  }

  package var seed: SegmentSeed { SegmentSeed(log: log, firstSeq: firstSeq) }

  /// The name of the file the segment belongs in.
  package var fileName: String { SegmentName.of(firstSeq) }

  /// One copy.
  package func encode() -> [UInt8] {
    var list = ByteWriter()
    list.varint(UInt64(metadata.count))
    for entry in metadata {
      list.counted([UInt8](entry.key.utf8))
      list.counted([UInt8](entry.value.utf8))
    }
    var writer = ByteWriter()
    writer.u32(Frames.segmentHeader)
    writer.u32(0)
    writer.raw(Self.signature)
    writer.u16(Self.version)
    writer.u16(0)
    writer.u32(incompatible)
    writer.u32(compatible)
    writer.u32(UInt32(list.bytes.count))
    writer.u64(log.high)
    writer.u64(log.low)
    writer.i64(firstSeq)
    before.write(to: &writer)
    writer.raw(digest)
    writer.raw(list.bytes)
    writer.patch(u32: UInt32(writer.bytes.count + 4 - Frames.skippablePrefix), at: 4)
    writer.u32(CRC32C.of(writer.bytes))
    return writer.bytes
  }

  /// A copy that verifies at `index`.
  ///
  /// - Throws: `Damage` where it does not.
  package init(_ bytes: [UInt8], at index: Int) throws(Damage) {
    guard let size = bytes.u32(at: index + 4), size <= UInt32(Limits.headerBytes) else {
      throw Damage(.length, "segment header")
    }
    let end = index + Frames.skippablePrefix + Int(size)
    guard end <= bytes.count, end - index >= Self.minimumLength else { throw Damage(.truncated) }
    guard bytes.u32(at: end - 4) == CRC32C.of(bytes, index..<(end - 4)) else {
      throw Damage(.checksum, "segment header")
    }
    var reader = ByteReader(bytes, index..<(end - 4))
    guard try reader.u32() == Frames.segmentHeader, try reader.u32() == size,
      try reader.raw(8).elementsEqual(Self.signature)
    else { throw Damage(.malformed, "no segment header") }
    let version = try reader.u16()
    _ = try reader.u16()
    incompatible = try reader.u32()
    if version > Self.version { incompatible |= 1 << 31 }
    compatible = try reader.u32()
    let listLength = try reader.u32()
    log = LogID(high: try reader.u64(), low: try reader.u64())
    firstSeq = try reader.i64()
    before = try LogTotals(&reader)
    digest = [UInt8](try reader.raw(32))
    // A newer version may lay out what follows differently; it is refused by its bit, not here.
    guard incompatible & ~Self.knownIncompatible == 0 else { return }
    guard Int(listLength) == reader.remaining, firstSeq >= 1 else {
      throw Damage(.malformed, "segment header")
    }
    for _ in 0..<(try reader.count(atMost: Limits.headerBytes)) {
      let key = try reader.counted(atMost: Limits.headerBytes)
      let value = try reader.counted(atMost: Limits.headerBytes)
      metadata.append(
        LogMetadata(
          key: String(decoding: key, as: UTF8.self), value: String(decoding: value, as: UTF8.self)))
    }
  }

  /// What commits written into the segment may use: without the feature's bit only what every
  /// reader of version 1 reads.
  package var encodings: ColumnEncodings {
    get { incompatible & Self.packedEncodings == 0 ? .first : .packed }
    set {
      switch newValue {
      case .first: incompatible &= ~Self.packedEncodings
      case .packed: incompatible |= Self.packedEncodings
      }
    }
  }
  /// Whether the segment was packed: its chain begins with bytes that are not all zero.
  package var isPacked: Bool { digest.contains { $0 != 0 } }
  /// Whether this program must refuse to read the segment.
  package var isNewer: Bool { incompatible & ~Self.knownIncompatible != 0 }
  /// Whether this program must refuse to append to the segment.
  package var isNewerForWriting: Bool { isNewer || compatible & ~Self.knownCompatible != 0 }
}

/// One fact about a log that its headers carry.
public struct LogMetadata: Sendable, Hashable {
  /// What the fact is about, such as `key-path`.
  public var key: String
  /// The fact.
  public var value: String

  /// One fact; all of a log's facts together take at most 64 KiB.
  public init(key: String, value: String) {
    self.key = key
    self.value = value
  }
}

/// Both copies of a header as they were found at a file's beginning.
package struct SegmentHeaders: Sendable {
  package var header: SegmentHeader
  /// Where the first commit begins.
  package var end: UInt64
  /// One of the copies does not verify.
  package var isCopyDamaged: Bool

  /// Finds a copy that verifies in the file's first bytes.
  ///
  /// Both copies are equally long, so the second is the one that begins where its own length ends:
  /// it is found without a single sound byte of the first.
  package init?(_ bytes: [UInt8]) {
    if let header = try? SegmentHeader(bytes, at: 0), let size = bytes.u32(at: 4) {
      let length = Int(size) + Frames.skippablePrefix
      let second = try? SegmentHeader(bytes, at: length)
      self.header = header
      self.end = UInt64(2 * length)
      self.isCopyDamaged = second != header
      return
    }
    for length in SegmentHeader.minimumLength..<(Limits.headerBytes + Frames.skippablePrefix) {
      guard let size = bytes.u32(at: length + 4) else { return nil }
      guard Int(size) + Frames.skippablePrefix == length,
        let header = try? SegmentHeader(bytes, at: length)
      else { continue }
      self.header = header
      self.end = UInt64(2 * length)
      self.isCopyDamaged = true
      return
    }
    return nil
  }
}

/// Segment files are named by their first seq, so that a directory's order is the log's.
package enum SegmentName {
  package static let ending = ".alog"
  /// What a segment's file is called while its packed form is being made. Not what a writer calls a
  /// segment it makes, because the next writer removes those.
  package static let packing = ending + ".pack.tmp"

  /// Whether a file is a packed segment in the making.
  package static func isPacking(_ name: String) -> Bool { name.hasSuffix(packing) }

  package static func of(_ firstSeq: Int64) -> String {
    let digits = String(firstSeq)
    return String(repeating: "0", count: 20 - digits.count) + digits + ending
  }

  /// The first seq a file's name states, nil for every other file.
  package static func firstSeq(_ name: String) -> Int64? {
    guard name.utf8.count == 25, name.hasSuffix(ending) else { return nil }
    let digits = name.utf8.prefix(20)
    guard digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    guard let seq = Int64(name.prefix(20)), seq >= 1 else { return nil }
    return seq
  }
}
