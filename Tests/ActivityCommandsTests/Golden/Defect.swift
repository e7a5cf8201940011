import ActivityStore
import Foundation
import Testing

/// One way a log can be broken: the files of `Logs/damaged/NAME` are a golden segment with just
/// this done to it.
struct Defect: Sendable, CustomTestStringConvertible {
  let name: String
  /// The files of the broken log, by name.
  let files: @Sendable () throws -> [String: [UInt8]]

  var testDescription: String { name }

  /// A log of one segment, changed.
  private init(
    _ name: String, _ golden: String,
    _ change: @escaping @Sendable (inout [UInt8], GoldenSegment) throws -> Void
  ) {
    self.init(name) {
      let segment = try GoldenSegment(golden)
      var bytes = segment.bytes
      try change(&bytes, segment)
      return [segment.header.fileName: bytes]
    }
  }

  private init(_ name: String, files: @escaping @Sendable () throws -> [String: [UInt8]]) {
    self.name = name
    self.files = files
  }

  static let all: [Defect] = torn + flipped + destroyed + misplaced + headers

  /// Writes that never finished: nothing acknowledged is lost.
  private static let torn = [
    Defect("torn-header", "active") { bytes, segment in
      bytes = Array(bytes.prefix(segment.headerLength + 60))
    },
    Defect("torn-commit", "active") { bytes, _ in bytes.removeLast(40) },
    Defect("torn-commit-header", "active") { bytes, segment in
      bytes = Array(bytes.prefix(segment.range(3).lowerBound + 90))
    },
    Defect("torn-footer", "kinds") { bytes, segment in
      bytes = Array(bytes.prefix(segment.range(4).upperBound + 30))
    },
    Defect("torn-trailer", "kinds") { bytes, _ in bytes.removeLast(10) },
    // The file had got its new length, its last sector not yet its bytes.
    Defect("zeroed-tail", "active") { bytes, _ in
      for index in (bytes.count / 512 * 512)..<bytes.count { bytes[index] = 0 }
    },
    // A header that verifies and says more than there is: the write was cut right behind it.
    Defect("huge-length-verifying", "active") { bytes, segment in
      let last = segment.commits[3]
      var header = last.header
      header.payloadStored = 4 << 20
      header.payloadRaw = 4 << 20
      bytes.put(header.encode(seed: segment.header.seed, offset: last.offset), at: last.offset)
    },
  ]

  /// One bit.
  private static let flipped = [
    flip("flipped-commit-header", "kinds") { $0.range(1).lowerBound + 60 },
    flip("flipped-last-commit-header", "active") { $0.range(3).lowerBound + 60 },
    flip("flipped-names", "kinds") { $0.range(1, .names).lowerBound + 9 },
    flip("flipped-skeleton", "kinds") { $0.range(1, .skeleton).lowerBound + 9 },
    flip("flipped-content", "kinds") { $0.range(1, .payload).lowerBound + 40 },
    flip("flipped-cursors", "rolled-first") { $0.range(0, .cursors).lowerBound + 5 },
    flip("flipped-footer", "kinds") { $0.range(4).upperBound + 50 },
    flip("flipped-trailer", "kinds") { $0.bytes.count - 20 },
  ]

  /// Many bytes.
  private static let destroyed = [
    Defect("hole", "active") { bytes, segment in
      for index in segment.range(1) { bytes[index] = 0 }
    },
    Defect("hole-sealed", "kinds") { bytes, segment in
      for index in segment.range(1).lowerBound..<segment.range(2).upperBound { bytes[index] = 0 }
    },
    Defect("huge-length", "active") { bytes, segment in
      bytes.put([0xFF, 0xFF, 0xFF, 0x7F], at: segment.commits[1].offset + 32)
    },
    // The forger knew the seed: only the length shows that something is wrong.
    Defect("huge-length-in-the-middle", "active") { bytes, segment in
      let commit = segment.commits[1]
      var header = commit.header
      header.payloadStored = 4 << 20
      bytes.put(header.encode(seed: segment.header.seed, offset: commit.offset), at: commit.offset)
    },
    Defect("bytes-behind-trailer", "kinds") { bytes, _ in bytes += [1, 2, 3] },
  ]

  /// Sound bytes where they do not belong.
  private static let misplaced = [
    Defect("commit-copied", "active") { bytes, segment in bytes += bytes[segment.range(1)] },
    // A perfect commit for this very offset's neighbour lies inside a payload, and the header of
    // the commit around it is broken: a search must not take it for one.
    Defect("forged-header", "active") { bytes, segment in
      let seed = segment.header.seed
      let (offset, seq) = (UInt64(bytes.count), segment.commits[3].facts.nextSeq)
      var inner = segment.commits[0].header
      inner.facts.firstSeq = seq + 500
      let hidden = inner.encode(seed: seed, offset: segment.commits[0].offset)
      let carrier = CommitContent(
        names: [1, 2, 3], skeleton: [4, 5, 6], payload: hidden, facts: .one(seq))
      var frame = try CommitFrame(carrier, seed: seed, offset: offset).bytes
      frame[60] ^= 1
      bytes += frame
      let last = segment.commits[3]
      var header = last.header
      header.facts.firstSeq = seq + 1
      let body = segment.bytes[segment.range(3)].dropFirst(CommitHeader.length)
      bytes += header.encode(seed: seed, offset: UInt64(bytes.count)) + body
    },
    Defect("foreign-segment") {
      let (own, other) = (try GoldenSegment("rolled-first"), try GoldenSegment("stored"))
      return [own.header.fileName: own.bytes, SegmentName.of(5): other.bytes]
    },
  ]

  private static let headers = [
    flip("one-header-broken", "active") { _ in 40 },
    Defect("both-headers-broken", "active") { bytes, segment in
      for copy in 0..<2 { bytes[copy * segment.headerLength + 40] ^= 1 }
    },
    Defect("both-headers-broken-of-two-segments") {
      let (first, second) = (try GoldenSegment("rolled-first"), try GoldenSegment("rolled-second"))
      var bytes = first.bytes
      for index in 0..<(2 * first.headerLength) { bytes[index] = 0 }
      return [first.header.fileName: bytes, second.header.fileName: second.bytes]
    },
    Defect("newer-version", "active") { bytes, segment in
      var copy = Array(segment.bytes[..<segment.headerLength])
      copy[16] = 2
      let sum = CRC32C.of(copy, 0..<(copy.count - 4))
      copy.put(
        (0..<4).map { UInt8(truncatingIfNeeded: sum >> ($0 * 8)) }, at: UInt64(copy.count - 4))
      bytes.put(copy + copy, at: 0)
    },
    Defect("newer-feature", "active") { bytes, segment in
      var header = segment.header
      header.incompatible = 1 << 7
      bytes.put(header.encode() + header.encode(), at: 0)
    },
    Defect("empty", "active") { bytes, _ in bytes = [] },
  ]

  private static func flip(
    _ name: String, _ golden: String, _ place: @escaping @Sendable (GoldenSegment) -> Int
  ) -> Defect {
    Defect(name, golden) { bytes, segment in bytes[place(segment)] ^= 0x08 }
  }
}

extension [UInt8] {
  fileprivate mutating func put(_ bytes: [UInt8], at offset: UInt64) {
    replaceSubrange(Int(offset)..<(Int(offset) + bytes.count), with: bytes)
  }
}

extension CommitFacts {
  fileprivate static func one(_ seq: Int64) -> CommitFacts {
    let time: Int64 = 1_795_300_000_000_000
    return CommitFacts(
      firstSeq: seq, count: 1, recordedMin: time, recordedMax: time, atMin: time, atMax: time)
  }
}
