/// The 128 random bits that tell one log from every other.
public struct LogID: Hashable, Sendable, CustomStringConvertible {
  /// The first 64 bits as printed.
  public var high: UInt64
  /// The last 64 bits as printed.
  public var low: UInt64

  /// The id with these bits.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// A new id from a generator the caller chooses.
  public init(from random: inout some RandomNumberGenerator) {
    self.init(high: random.next(), low: random.next())
  }

  /// 32 lower-case hex digits.
  public var description: String {
    func digits(_ value: UInt64) -> String {
      let text = String(value, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }
    return digits(high) + digits(low)
  }
}

/// What the checksums of headers, footers and trailers begin with, so that bytes copied to another
/// log, segment or offset do not verify there.
package struct SegmentSeed: Hashable, Sendable {
  package var log: LogID
  package var firstSeq: Int64

  package init(log: LogID, firstSeq: Int64) {
    self.log = log
    self.firstSeq = firstSeq
  }

  /// The checksum's start value for something at `offset` of the segment's file.
  package func value(at offset: UInt64) -> UInt32 {
    var seed = ByteWriter(capacity: 32)
    seed.u64(log.high)
    seed.u64(log.low)
    seed.i64(firstSeq)
    seed.u64(offset)
    return CRC32C.of(seed.bytes)
  }
}
