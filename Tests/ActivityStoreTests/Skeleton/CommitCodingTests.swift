import ActivityCore
import ActivityStore
import Testing

@Suite("A batch as a commit's sections, and back")
struct CommitCodingTests {
  @Test("Any batch reads back row for row", arguments: 0..<60)
  func roundTrip(_ seed: Int) throws {
    var dice = Dice(UInt64(seed) + 1)
    let names = (0..<40).map { _ in dice.name() }
    let rows = [0, 1, 2, 7, 8, 9, 63, 300][dice.below(8)]
    let batch = SkeletonScript.batch(&dice, rows: rows, names: names)
    var ordinals = SegmentOrdinals(seed % 3 == 0 ? .first : .packed)
    let commit = try CommitCoding.encode(batch, ordinals: &ordinals)
    let read = try CommitCoding.decode(
      skeleton: commit.skeleton, count: batch.count,
      CommitCoding.Context(
        firstSeq: 41, space: 3, names: try CommitCoding.decodeNames(commit.names),
        payload: .lines(commit.payload)))
    #expect(read.firstSeq == 41)
    #expect(read.space == 3)
    let before = SkeletonScript.identities(batch.subjects, batch.texts)
    let after = SkeletonScript.identities(read.subjects, read.texts)
    #expect(SkeletonScript.rows(read, after) == SkeletonScript.rows(batch, before))
    #expect(Set(after.values) == Set(before.values))
  }

  @Test("Columns nobody wants are left empty and change no other")
  func selection() throws {
    var dice = Dice(7)
    let names = (0..<20).map { _ in dice.name() }
    let batch = SkeletonScript.batch(&dice, rows: 200, names: names)
    var ordinals = SegmentOrdinals()
    let commit = try CommitCoding.encode(batch, ordinals: &ordinals)
    let all = try decode(commit)
    let wanted: [Member] = [.staleDate, .status, .reason, .token]
    var context = CommitCoding.Context(firstSeq: 0, space: 0)
    context.wanted = MemberSelection(wanted)
    let some = try CommitCoding.decode(skeleton: commit.skeleton, count: 200, context)
    for member in Member.allCases {
      #expect(some[member].isEmpty || wanted.contains(member))
      guard wanted.contains(member) else { continue }
      for row in 0..<200 {
        if member.storage == .word {
          #expect(some.text(member, row) == all.text(member, row))
        } else {
          #expect(some.value(member, row) == all.value(member, row))
        }
      }
    }
  }

  @Test(
    "Commits of one segment share ordinals, also after the writer opened it again",
    arguments: [ColumnEncodings.first, .packed])
  func severalCommits(_ encodings: ColumnEncodings) throws {
    var dice = Dice(11)
    let names = (0..<60).map { _ in dice.name() }
    var ordinals = SegmentOrdinals(encodings)
    var reopened = SegmentOrdinals(encodings)
    var known: [Int32: String] = [:]
    var sections: [CommitNames] = []
    for round in 0..<12 {
      let batch = SkeletonScript.batch(&dice, rows: 30, names: names)
      let commit = try CommitCoding.encode(batch, ordinals: &ordinals)
      let again = try CommitCoding.encode(batch, ordinals: &reopened)
      #expect(commit == again)
      let decoded = try CommitCoding.decodeNames(commit.names)
      let fresh = SkeletonScript.identities(decoded.introducedSubjects, decoded.texts)
      #expect(fresh.keys.min().map { Int($0) == known.count } ?? true)
      #expect(Set(fresh.values).isDisjoint(with: Set(known.values)))
      known.merge(fresh) { old, _ in old }
      #expect(known.count == Int(ordinals.next))
      let rows = SkeletonScript.rows(try decode(commit), known)
      let expected = SkeletonScript.rows(
        batch, SkeletonScript.identities(batch.subjects, batch.texts))
      #expect(rows == expected)
      sections.append(decoded)
      guard round % 3 == 2 else { continue }
      reopened = SegmentOrdinals(encodings)
      for section in sections { reopened.restore(section) }
    }
  }

  @Test("Any one lost names section loses no name", arguments: 0..<9)
  func namesTwice(_ lost: Int) throws {
    var dice = Dice(13)
    let names = (0..<80).map { _ in dice.name() }
    var ordinals = SegmentOrdinals()
    var known: [Int32: String] = [:]
    // The last commit is followed by one that introduces nothing.
    for number in 0..<10 {
      let batch =
        number == 9 ? EventColumns() : SkeletonScript.batch(&dice, rows: 9, names: names)
      var stamped = batch
      if number == 9 { stamped.payload = .lines([]) }
      let commit = try CommitCoding.encode(stamped, ordinals: &ordinals)
      guard number != lost else { continue }
      let decoded = try CommitCoding.decodeNames(commit.names)
      known.merge(SkeletonScript.identities(decoded.subjects, decoded.texts)) { old, _ in old }
    }
    #expect(known.count == Int(ordinals.next))
    #expect(Set(known.values).count == known.count)
  }

  @Test("A row whose name is lost keeps its ordinal")
  func lostNames() throws {
    var dice = Dice(14)
    let batch = SkeletonScript.batch(&dice, rows: 40, names: ["a", "b", "c"])
    var ordinals = SegmentOrdinals()
    let commit = try CommitCoding.encode(batch, ordinals: &ordinals)
    let read = try decode(commit)
    #expect(read.subjects.count == 0)
    #expect(read.subject.allSatisfy { $0 >= 0 && $0 < ordinals.next })
  }

  private func decode(_ commit: EncodedCommit) throws -> EventColumns {
    try CommitCoding.decode(
      skeleton: commit.skeleton, count: commit.summary.count,
      CommitCoding.Context(firstSeq: 0, space: 0))
  }
}
