/// One commit before framing: three opaque sections, uncompressed, and what its header says of
/// them.
package struct CommitContent: Sendable, Equatable {
  /// The subjects the commit introduces, and once more those the commit before it introduced.
  package var names: [UInt8]
  /// The columns.
  package var skeleton: [UInt8]
  /// One JSON object a line: the members that are in no column.
  package var payload: [UInt8]
  /// The same compressed, where somebody did that already.
  package var packedPayload: PackedBlock?
  package var facts: CommitFacts

  package init(names: [UInt8], skeleton: [UInt8], payload: [UInt8], facts: CommitFacts) {
    self.names = names
    self.skeleton = skeleton
    self.payload = payload
    self.facts = facts
  }
}

/// What a commit's header says of its rows, so that most commits need not be opened.
package struct CommitFacts: Sendable, Equatable {
  package var firstSeq: Int64
  /// Rows; their seqs are consecutive.
  package var count: Int
  /// Microseconds.
  package var recordedMin: Int64
  package var recordedMax: Int64
  /// Microseconds; `at` as it counts, never later than the row was recorded.
  package var atMin: Int64
  package var atMax: Int64
  /// Microseconds; nil when no row has a start-date.
  package var latestStartDate: Int64?
  /// Microseconds; the earliest `at` of a row that has a start-date.
  package var earliestAtOfStartDate: Int64?
  /// Bit n is set when a row of kind number n is present; 31 stands for every number above 30.
  package var kinds: UInt32
  /// A row joins, answers or lists activities, or is a start without an id.
  package var mattersToResolution: Bool
  /// Feeds this commit advances, each to the position after its last row.
  package var cursors: [IngestCursor]

  package init(
    firstSeq: Int64, count: Int, recordedMin: Int64, recordedMax: Int64, atMin: Int64,
    atMax: Int64, latestStartDate: Int64? = nil, earliestAtOfStartDate: Int64? = nil,
    kinds: UInt32 = 0, mattersToResolution: Bool = false, cursors: [IngestCursor] = []
  ) {
    self.firstSeq = firstSeq
    self.count = count
    self.recordedMin = recordedMin
    self.recordedMax = recordedMax
    self.atMin = atMin
    self.atMax = atMax
    self.latestStartDate = latestStartDate
    self.earliestAtOfStartDate = earliestAtOfStartDate
    self.kinds = kinds
    self.mattersToResolution = mattersToResolution
    self.cursors = cursors
  }

  /// The seq after this commit's last row.
  package var nextSeq: Int64 { firstSeq &+ Int64(count) }
}

/// How far a feed has been taken into the log.
public struct IngestCursor: Sendable, Hashable {
  /// The digest of a file's beginning, or a queue's stream and partition; at most 255 bytes.
  public var feed: [UInt8]
  /// The byte, or the sequence, after the last one taken.
  public var position: UInt64
  /// The digest of the bytes before `position`; empty for a queue; at most 255 bytes.
  public var check: [UInt8]

  /// Takes any feed; one that is too long is refused when it is appended.
  public init(feed: [UInt8], position: UInt64, check: [UInt8] = []) {
    self.feed = feed
    self.position = position
    self.check = check
  }

  package static func encode(_ cursors: [IngestCursor]) -> [UInt8] {
    var writer = ByteWriter()
    for cursor in cursors {
      writer.counted(cursor.feed)
      writer.varint(cursor.position)
      writer.counted(cursor.check)
    }
    return writer.bytes
  }

  package static func decode(_ reader: inout ByteReader) throws(Damage) -> [IngestCursor] {
    var cursors: [IngestCursor] = []
    while !reader.isAtEnd {
      guard cursors.count < Limits.feeds else { throw Damage(.length, "ingest cursors") }
      let feed = try reader.counted(atMost: Limits.feedBytes)
      let position = try reader.varint()
      let check = try reader.counted(atMost: Limits.feedBytes)
      cursors.append(IngestCursor(feed: feed, position: position, check: check))
    }
    return cursors
  }
}

/// What a run of commits amounts to: how many rows, and the largest of their times.
package struct LogTotals: Sendable, Equatable {
  package var count: Int64 = 0
  /// Microseconds; nil when there was no row.
  package var atMax: Int64?
  package var latestStartDate: Int64?
  package var recordedMax: Int64?

  package init() {}

  package mutating func add(_ facts: CommitFacts) {
    count += Int64(facts.count)
    atMax = max(atMax ?? facts.atMax, facts.atMax)
    recordedMax = max(recordedMax ?? facts.recordedMax, facts.recordedMax)
    if let date = facts.latestStartDate { latestStartDate = max(latestStartDate ?? date, date) }
  }

  /// 32 bytes.
  package func write(to writer: inout ByteWriter) {
    writer.i64(count)
    writer.i64(Absent.from(atMax))
    writer.i64(Absent.from(latestStartDate))
    writer.i64(Absent.from(recordedMax))
  }

  package init(_ reader: inout ByteReader) throws(Damage) {
    count = try reader.i64()
    guard count >= 0 else { throw Damage(.malformed, "a negative count") }
    atMax = Absent.optional(try reader.i64())
    latestStartDate = Absent.optional(try reader.i64())
    recordedMax = Absent.optional(try reader.i64())
  }
}

/// The smallest Int64 stands for a time that is not there.
package enum Absent {
  package static func from(_ value: Int64?) -> Int64 { value ?? .min }
  package static func optional(_ value: Int64) -> Int64? { value == .min ? nil : value }
}
