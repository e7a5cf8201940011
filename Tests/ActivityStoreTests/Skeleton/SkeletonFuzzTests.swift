import ActivityCore
import ActivityStore
import Testing

@Suite("Bytes that are no commit")
struct SkeletonFuzzTests {
  /// A commit with something before it, so that its names have both parts.
  private func commit(
    _ seed: UInt64, rows: Int, _ encodings: ColumnEncodings
  ) throws -> EncodedCommit {
    var dice = Dice(seed)
    let names = (0..<30).map { _ in dice.name() }
    var ordinals = SegmentOrdinals(encodings)
    let before = SkeletonScript.batch(&dice, rows: 5, names: names)
    _ = try CommitCoding.encode(before, ordinals: &ordinals)
    // Enough rows have forms, if they look like a day's.
    let batch =
      rows >= 32
      ? DayScript.batch(&dice, rows: rows)
      : SkeletonScript.batch(&dice, rows: rows, names: names + (0..<9).map { "n\($0)" })
    return try CommitCoding.encode(batch, ordinals: &ordinals)
  }

  /// Decodes, and holds what was decoded against every promise of a batch.
  private func look(_ names: [UInt8], _ skeleton: [UInt8], _ count: Int) -> Bool {
    let decodedNames = try? CommitCoding.decodeNames(names)
    if let decodedNames { checkSubjects(decodedNames.subjects, decodedNames.texts) }
    let context = CommitCoding.Context(
      firstSeq: 1, space: 1, names: decodedNames, withRepeated: true)
    guard let batch = try? CommitCoding.decode(skeleton: skeleton, count: count, context) else {
      return false
    }
    check(batch, count)
    return decodedNames != nil
  }

  private func checkSubjects(_ subjects: SubjectTable, _ texts: TextTable) {
    let codes = subjects.name + subjects.environment + subjects.bundle + subjects.device
    #expect(codes.allSatisfy { $0 >= -1 && Int($0) < texts.count })
    #expect(subjects.ordinals.allSatisfy { $0 >= 0 && Int($0) < CommitBounds.ordinalsMax })
    #expect((0..<texts.count).allSatisfy { isText(texts[$0]) })
  }

  private func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
    Array(String(decoding: bytes, as: UTF8.self).utf8) == Array(bytes)
  }

  private func check(_ batch: EventColumns, _ count: Int) {
    #expect(batch.count == count)
    #expect(batch.subject.allSatisfy { $0 >= 0 && Int($0) < CommitBounds.ordinalsMax })
    checkSubjects(batch.subjects, batch.texts)
    for member in Member.allCases {
      let column = batch[member]
      #expect(column.isEmpty || column.count == count)
      let limit: Int
      switch member.storage {
      case .word, .text: limit = batch.texts.count
      case .handle: limit = CommitBounds.ordinalsMax
      case .seconds, .whole, .flag, .size: continue
      }
      #expect(column.allSatisfy { $0 == EventColumns.absent || (0..<Int64(limit)).contains($0) })
    }
    for entry in batch.inventory {
      #expect(entry.row >= 0 && Int(entry.row) < count)
      #expect(entry.subject >= 0 && entry.state >= -1 && Int(entry.state) < batch.texts.count)
    }
  }

  @Test(
    "Every truncation is an error", arguments: [12, 70], [ColumnEncodings.first, .packed])
  func truncations(_ rows: Int, _ encodings: ColumnEncodings) throws {
    let commit = try commit(2, rows: rows, encodings)
    #expect(look(commit.names, commit.skeleton, rows))
    for length in 0..<commit.skeleton.count {
      #expect(throws: MalformedCommit.self) {
        try CommitCoding.decode(
          skeleton: Array(commit.skeleton.prefix(length)), count: rows,
          CommitCoding.Context(firstSeq: 1, space: 1))
      }
    }
    // No bytes at all are no names.
    for length in 1..<commit.names.count {
      #expect(throws: MalformedCommit.self) {
        try CommitCoding.decodeNames(Array(commit.names.prefix(length)))
      }
    }
  }

  @Test(
    "Every flipped bit is an error or a well-formed batch", arguments: [9, 70],
    [ColumnEncodings.first, .packed])
  func flips(_ rows: Int, _ encodings: ColumnEncodings) throws {
    let commit = try commit(4, rows: rows, encodings)
    // Of many rows only so many bits that every part is met.
    let step = rows < 32 ? 1 : 5
    for bit in stride(from: 0, to: commit.skeleton.count * 8, by: step) {
      var bytes = commit.skeleton
      bytes[bit >> 3] ^= 1 << UInt8(bit & 7)
      _ = look([], bytes, rows)
    }
    for bit in stride(from: 0, to: commit.names.count * 8, by: step) {
      var bytes = commit.names
      bytes[bit >> 3] ^= 1 << UInt8(bit & 7)
      if let names = try? CommitCoding.decodeNames(bytes) {
        checkSubjects(names.subjects, names.texts)
      }
    }
  }

  @Test("Several wrong bytes, wrong counts and noise never trap", arguments: 0..<12)
  func noise(_ seed: Int) throws {
    var dice = Dice(UInt64(seed) + 500)
    let rows = seed % 2 == 0 ? 20 : 90
    let commit = try commit(UInt64(seed) + 6, rows: rows, seed % 3 == 0 ? .first : .packed)
    for _ in 0..<250 {
      var skeleton = commit.skeleton
      var names = commit.names
      for _ in 0..<1 + dice.below(4) {
        let wrong: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, UInt8(dice.below(256))]
        skeleton[dice.below(skeleton.count)] = wrong[dice.below(6)]
        names[dice.below(names.count)] = wrong[dice.below(6)]
      }
      _ = look(names, skeleton, [0, 1, rows - 1, rows, rows + 1, 65_536][dice.below(6)])
      let garbage = (0..<dice.below(80)).map { _ in UInt8(truncatingIfNeeded: dice.next()) }
      _ = look(garbage, garbage, dice.below(30))
    }
    #expect(throws: MalformedCommit.self) {
      try CommitCoding.decode(
        skeleton: commit.skeleton, count: CommitBounds.rowsMax + 1,
        CommitCoding.Context(firstSeq: 1, space: 1))
    }
    #expect(throws: MalformedCommit.self) {
      try CommitCoding.decode(
        skeleton: commit.skeleton, count: -1, CommitCoding.Context(firstSeq: 1, space: 1))
    }
  }
}
