internal import ActivityCore

/// Reads a packed segment back from its file, beside the one it was made from: rows, names,
/// cursors, headers and indexes must say the same.
struct PackedComparison {
  private var source: SegmentReader
  private var packed: SegmentCheck
  private let expected: SegmentHeader
  private let cursors: [IngestCursor]
  private var names = SubjectCatalogue()
  private var packedNames = SubjectCatalogue()
  private var feeds = FeedTable()
  private var packedFeeds = FeedTable()

  /// - Parameters:
  ///   - expected: The header the packed file must have.
  ///   - cursors: Every feed's at the segment's end.
  init(
    _ source: SegmentScanner, _ packed: SegmentScanner, header expected: SegmentHeader,
    cursors: [IngestCursor]
  ) {
    self.source = SegmentReader(source)
    self.packed = SegmentCheck(packed)
    self.expected = expected
    self.cursors = cursors
  }

  /// Compares all of it.
  ///
  /// - Throws: `.cannotWrite`, saying where they differ, or a failure to read.
  mutating func run() throws(LogError) {
    var rows = RowComparison()
    while true {
      if rows.needsLeft, let batch = try nextOfSource() { rows.setLeft(batch) }
      if rows.needsRight, let batch = try nextOfPacked() { rows.setRight(batch) }
      if rows.needsLeft, rows.needsRight { break }
      guard rows.step() else { throw Self.differs("seq \(rows.difference ?? 0)", expected) }
    }
    guard try packed.finish().isEmpty else { throw Self.differs("a checksum", expected) }
    guard names.hasTheSubjects(of: packedNames) else { throw Self.differs("a name", expected) }
    guard feeds.list == packedFeeds.list else { throw Self.differs("a cursor", expected) }
    try compareEnds()
  }

  private mutating func nextOfSource() throws(LogError) -> EventColumns? {
    guard let (commit, batch) = try source.next(LogSelection()) else { return nil }
    names.take(batch)
    feeds.advance(all: try source.scanner.readCursors(of: commit))
    return batch
  }

  private mutating func nextOfPacked() throws(LogError) -> EventColumns? {
    guard let (cursors, batch) = try packed.next() else { return nil }
    packedNames.take(batch)
    packedFeeds.advance(all: cursors)
    return batch
  }

  private mutating func compareEnds() throws(LogError) {
    guard packed.scanner.header == expected, let footer = try packed.scanner.readFooter(),
      footer.cursors == cursors
    else { throw Self.differs("its header or index", expected) }
    guard let before = try source.scanner.readFooter() else { return }
    guard footer.nextSeq == before.nextSeq, footer.through == before.through else {
      throw Self.differs("its totals", expected)
    }
  }

  private static func differs(_ what: String, _ header: SegmentHeader) -> LogError {
    LogError(
      .cannotWrite, file: header.fileName,
      detail: "\(what) reads back otherwise than it was written, so the segment stays as it is: "
        + "check this machine's disk and memory, then pack again")
  }
}

extension SubjectCatalogue {
  /// Whether both have the same subjects under the same ordinals.
  func hasTheSubjects(of other: SubjectCatalogue) -> Bool {
    guard end == other.end else { return false }
    func same(_ one: Int32, _ two: Int32) -> Bool {
      one < 0 || two < 0 ? one == two : texts.isEqual(Int(one), other.texts, Int(two))
    }
    return (0..<end).allSatisfy { ordinal in
      guard let one = self[ordinal], let two = other[ordinal] else {
        return self[ordinal] == nil && other[ordinal] == nil
      }
      return one.kind == two.kind && same(one.name, two.name)
        && same(one.environment, two.environment) && same(one.bundle, two.bundle)
        && same(one.device, two.device)
    }
  }
}
