import ActivityCore
import ActivityStore
import Testing

@Suite("What a commit says of its rows, and which batches it refuses")
struct CommitRefusalTests {
  private func batch(_ rows: [(EventKind, HandleKind, at: Int64, recorded: Int64)]) -> EventColumns
  {
    var batch = EventColumns()
    for (number, row) in rows.enumerated() {
      let name = batch.texts.intern("name \(number)")
      batch.subjects.append(
        ordinal: Int32(number), kind: row.1, name: Int32(name), environment: -1, bundle: -1,
        device: -1)
      _ = batch.appendRow(
        kind: row.0, flags: [], subject: Int32(number), at: row.at, recordedAt: row.recorded)
    }
    batch.payload = .lines(Array(String(repeating: "{}\n", count: rows.count).utf8))
    return batch
  }

  private func summary(_ batch: EventColumns) throws -> CommitSummary {
    var ordinals = SegmentOrdinals()
    return try CommitCoding.encode(batch, ordinals: &ordinals).summary
  }

  @Test("The summary has both clocks, kinds and start-dates as they count")
  func facts() throws {
    let day: Int64 = 86_400_000_000
    var columns = batch([
      (.start, .activity, at: 50, recorded: 100), (.update, .activity, at: 900, recorded: 120),
      (.update, .activity, at: 70, recorded: 130),
    ])
    columns.set(.startDate, 0, 90 * day)
    columns.set(.startDate, 1, 99 * day)
    columns.squareUp()
    let summary = try summary(columns)
    #expect(summary.count == 3)
    #expect(summary.recordedMin == 100 && summary.recordedMax == 130)
    #expect(summary.atMin == 50 && summary.atMax == 120)
    #expect(summary.latestStartDate == 50 + 30 * day)
    #expect(summary.earliestAtOfStartDate == 50)
    #expect(summary.kinds == 0b110)
    #expect(!summary.mattersToResolution)
  }

  @Test("Rows that join, answer, list, or start without an id matter to resolution")
  func resolution() throws {
    for kind in [EventKind.response, .failure, .inventory, .authorization] {
      #expect(try summary(batch([(kind, .activity, at: 1, recorded: 1)])).mattersToResolution)
    }
    #expect(try summary(batch([(.start, .token, at: 1, recorded: 1)])).mattersToResolution)
    #expect(try !summary(batch([(.update, .token, at: 1, recorded: 1)])).mattersToResolution)
    for (member, subject) in [(Member.key, Int64(1)), (.replaces, 0), (.token, 0)] {
      var columns = batch([
        (.token, .token, at: 1, recorded: 1), (.update, .key, at: 1, recorded: 1),
      ])
      columns.set(member, 0, subject)
      columns.squareUp()
      #expect(try summary(columns).mattersToResolution == (member != .token))
    }
  }

  @Test("A refused batch leaves the ordinals as they were")
  func refusal() throws {
    var ordinals = SegmentOrdinals()
    var first = batch([(.update, .activity, at: 1, recorded: 1)])
    _ = try CommitCoding.encode(first, ordinals: &ordinals)
    let repeated = ordinals.repeated
    var wrong = batch([
      (.update, .activity, at: 1, recorded: 1), (.update, .key, at: 1, recorded: 1),
    ])
    wrong.set(.replaces, 1, 77)
    wrong.squareUp()
    #expect(throws: UnencodableBatch.unnamedOrdinal(77)) {
      try CommitCoding.encode(wrong, ordinals: &ordinals)
    }
    #expect(ordinals.next == 1)
    #expect(ordinals.repeated == repeated)
    first.payload = .damaged
    #expect(throws: UnencodableBatch.payloadMissing) {
      try CommitCoding.encode(first, ordinals: &ordinals)
    }
    first.payload = .lines(Array("{}\n{}\n".utf8))
    #expect(throws: UnencodableBatch.payloadLines(2, rows: 1)) {
      try CommitCoding.encode(first, ordinals: &ordinals)
    }
    wrong = batch([(.update, .activity, at: 1, recorded: 1), (.update, .key, at: 1, recorded: 1)])
    let commit = try CommitCoding.encode(wrong, ordinals: &ordinals)
    #expect(ordinals.next == 2)
    let names = try CommitCoding.decodeNames(commit.names)
    #expect(names.introducedSubjects.ordinals == [1])
    #expect(names.subjects.ordinals == [1, 0])
  }

  @Test("Too many rows or a text that is not UTF-8 are refused")
  func limits() throws {
    var ordinals = SegmentOrdinals()
    var many = EventColumns()
    for _ in 0...CommitBounds.rowsMax {
      _ = many.appendRow(kind: .work, flags: [], subject: 0, at: 0, recordedAt: 0)
    }
    #expect(throws: UnencodableBatch.tooManyRows(CommitBounds.rowsMax + 1)) {
      try CommitCoding.encode(many, ordinals: &ordinals)
    }
    var odd = batch([(.update, .activity, at: 1, recorded: 1)])
    for text: [UInt8] in [
      [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82],
    ] {
      odd.set(.id, 0, Int64(odd.texts.append(text)))
      #expect(throws: UnencodableBatch.notUTF8) {
        try CommitCoding.encode(odd, ordinals: &ordinals)
      }
    }
    #expect(ordinals.next == 0)
  }

  @Test("Names or a skeleton beyond their bytes are refused, and the next batch is not affected")
  func tooLarge() throws {
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: 3 << 20)
    var ordinals = SegmentOrdinals()
    var names = batch([(.update, .activity, at: 1, recorded: 1)])
    let name = names.texts.append(long)
    names.subjects.append(
      ordinal: 1, kind: .key, name: Int32(name), environment: -1, bundle: -1, device: -1)
    #expect(throws: UnencodableBatch.self) {
      try CommitCoding.encode(names, ordinals: &ordinals)
    }
    var ids = batch([
      (.update, .activity, at: 1, recorded: 1), (.update, .key, at: 1, recorded: 1),
    ])
    for row in 0..<2 { ids.set(.id, row, Int64(ids.texts.append(long + [UInt8(97 + row)]))) }
    #expect(throws: UnencodableBatch.self) {
      try CommitCoding.encode(ids, ordinals: &ordinals)
    }
    #expect(ordinals.next == 0)
    #expect(ordinals.repeated.isEmpty)
    let sound = batch([(.update, .activity, at: 1, recorded: 1)])
    var fresh = SegmentOrdinals()
    #expect(
      try CommitCoding.encode(sound, ordinals: &ordinals)
        == CommitCoding.encode(sound, ordinals: &fresh))
  }
}
