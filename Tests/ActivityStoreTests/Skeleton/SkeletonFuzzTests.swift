import ActivityCore
import ActivityStore
import Testing

@Suite("Bytes that are no commit")
struct SkeletonFuzzTests {
  /// A commit with something before it, so that its names have both parts.
  private func commit(_ seed: UInt64, rows: Int) throws -> EncodedCommit {
    var dice = Dice(seed)
    let names = (0..<30).map { _ in dice.name() }
    var ordinals = SegmentOrdinals()
    let before = SkeletonScript.batch(&dice, rows: 5, names: names)
    _ = try CommitCoding.encode(before, ordinals: &ordinals)
    let batch = SkeletonScript.batch(&dice, rows: rows, names: names + (0..<9).map { "n\($0)" })
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

  @Test("Every truncation is an error", arguments: [UInt64(1), 2])
  func truncations(_ seed: UInt64) throws {
    let commit = try commit(seed, rows: 12)
    #expect(look(commit.names, commit.skeleton, 12))
    for length in 0..<commit.skeleton.count {
      #expect(throws: MalformedCommit.self) {
        try CommitCoding.decode(
          skeleton: Array(commit.skeleton.prefix(length)), count: 12,
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

  @Test("Every flipped bit is an error or a well-formed batch")
  func flips() throws {
    let commit = try commit(4, rows: 9)
    for bit in 0..<commit.skeleton.count * 8 {
      var bytes = commit.skeleton
      bytes[bit >> 3] ^= 1 << UInt8(bit & 7)
      _ = look([], bytes, 9)
    }
    for bit in 0..<commit.names.count * 8 {
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
    let commit = try commit(UInt64(seed) + 6, rows: 20)
    for _ in 0..<250 {
      var skeleton = commit.skeleton
      var names = commit.names
      for _ in 0..<1 + dice.below(4) {
        let wrong: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, UInt8(dice.below(256))]
        skeleton[dice.below(skeleton.count)] = wrong[dice.below(6)]
        names[dice.below(names.count)] = wrong[dice.below(6)]
      }
      _ = look(names, skeleton, [0, 1, 19, 20, 21, 65_536][dice.below(6)])
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
