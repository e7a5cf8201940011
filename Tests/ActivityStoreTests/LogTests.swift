import ActivityCore
import ActivityStore
import ActivityTestSupport
import Testing

@Suite("A log of events")
struct LogTests {
  private let script = LogScript()

  @Test("Lines come back in order with seq and both stamps, across seals and reopening")
  func roundTrip() throws {
    for number in 0..<6 {
      let writer = try number == 0 ? script.create() : script.open()
      let receipt = try writer.append(LogScript.batch(LogScript.story(number)))
      let first = Int64(4 * number + 1)
      #expect(receipt.rows == (first..<(first + 4)).map { .appended($0) })
      if number % 3 == 1 { try writer.seal() }
    }
    let (lines, end) = try script.lines()
    #expect(end == .open)
    #expect(lines.count == 24)
    for (index, line) in lines.enumerated() {
      let text = try #require(line)
      #expect(text.hasPrefix(#"{"seq":\#(index + 1),"recorded-at":"2023-11-14T"#))
      let story = LogScript.story(index / 4)[index % 4]
      let event = story.dropFirst(#"{"event":""#.count).prefix { $0 != "\"" }
      #expect(text.contains(#""event":"\#(event)""#))
    }
    #expect(lines[20]?.contains(#""activity-id":"activity-5","key":"K-5""#) == true)
    #expect(lines[20]?.contains(#""attributes":{"n":5}"#) == true)
  }

  @Test("Recorded-at never goes back, even if the clock does")
  func clockGoesBack() throws {
    let clock = ManualClock()
    let start = clock.now()
    let writer = try LogWriter(
      CommitWriter.create(in: script.files, id: Samples.id, options: Samples.options()),
      clock: { start })
    _ = try writer.append(LogScript.batch(LogScript.story(1)))
    let earlier = try LogWriter.init(writer.commits, clock: { start - 50_000_000 })
    _ = try earlier.append(LogScript.batch(LogScript.story(2)))
    var reader = try LogReader(script.files)
    while let batch = try reader.next() {
      #expect(batch.recordedAt.allSatisfy { $0 == start })
    }
  }

  @Test("Export, restore, export gives the same bytes, with holes in the seqs")
  func restore() throws {
    let writer = try script.create()
    for number in 0..<4 { _ = try writer.append(LogScript.batch(LogScript.story(number))) }
    var exported = try script.lines().lines.compactMap { $0 }
    exported.remove(at: 5)
    exported.removeSubrange(8..<10)
    let other = LogScript()
    let target = try LogWriter(
      CommitWriter.create(in: other.files, id: Samples.id, options: Samples.options()),
      clock: { 1_900_000_000_000_000 })
    let receipt = try target.append(LogScript.batch(exported, restoring: true))
    #expect(receipt.appended == exported.count)
    #expect(try other.lines().lines == exported)
    #expect(try LogVerifier.verify(other.files).end == .open)
    #expect(throws: LogError.self) {
      try target.append(LogScript.batch([exported[0]], restoring: true))
    }
  }

  @Test("Cursors become durable with the rows they follow")
  func cursors() throws {
    do {
      let writer = try script.create()
      _ = try writer.append(LogScript.batch(LogScript.story(1)), cursors: [Samples.feed])
      try writer.seal()
    }
    #expect(try script.open().cursor(of: Samples.feed.feed) == Samples.feed)
  }

  @Test("A selection by seq or time delivers its commits with every name their rows use")
  func selection() throws {
    let writer = try script.create()
    let story = LogScript.story(1)
    for line in story + LogScript.story(2) { _ = try writer.append(LogScript.batch([line])) }
    try writer.seal()
    _ = try writer.append(LogScript.batch(LogScript.story(3)))
    let all = try script.lines().lines
    var selection = LogSelection()
    selection.seqs = 4...4
    #expect(try script.lines(selection).lines == [all[3]])
    #expect(all[3]?.contains("activity-1") == true)
    selection.seqs = 9...Int64.max
    #expect(try script.lines(selection).lines == Array(all[8...]))
    var reader = try LogReader(script.files)
    var times: [Int64] = []
    while let batch = try reader.next() { times += batch.at }
    selection = LogSelection()
    selection.atNoEarlierThan = times[6]
    #expect(try script.lines(selection).lines == Array(all[6...]))
    selection.atNoEarlierThan = times[8]
    #expect(try script.lines(selection).lines == Array(all[8...]))
    selection = LogSelection()
    selection.atNoLaterThan = times[2]
    #expect(try script.lines(selection).lines == Array(all[..<3]))
    selection = LogSelection.columns
    #expect(try script.lines(selection).lines.allSatisfy { $0 == nil })
  }

  @Test("The subject index lists each handle's commits, and every apns-id")
  func subjectIndex() throws {
    let writer = try script.create()
    for number in 1...3 { _ = try writer.append(LogScript.batch(LogScript.story(number))) }
    _ = try writer.append(LogScript.batch([#"{"event":"end","key":"K-1"}"#]))
    try writer.seal()
    var scanner = try SegmentScanner(script.files.open(Samples.first, .read))
    let footer = try #require(try scanner.readFooter())
    func commits(_ kind: UInt8, _ name: String) throws -> [Int] {
      try footer.subjects.commits(of: SubjectHash.of(kind, ArraySlice(Array(name.utf8))))
    }
    #expect(try commits(HandleKind.activity.rawValue, "activity-2") == [1])
    #expect(try commits(HandleKind.key.rawValue, "K-1") == [0, 3])
    #expect(try footer.subjects.commits(of: .apnsID("p3"), count: 4) == [2])
    #expect(try footer.subjects.commits(of: .apnsID("p9"), count: 4) == [])
    #expect(try commits(HandleKind.activity.rawValue, "activity-9") == [])
  }

  @Test("A selection by handles reads only what the index names, with the names it needs")
  func handles() throws {
    let writer = try script.create()
    for round in 0..<2 {
      for number in 0..<6 {
        for line in LogScript.story(number) { _ = try writer.append(LogScript.batch([line])) }
      }
      if round == 0 { try writer.seal() }
    }
    try writer.seal()
    let all = try script.lines().lines
    var selection = LogSelection()
    selection.handles = [.activity("activity-4"), .apnsID("p2")]
    let expected = all.filter {
      $0?.contains(#""activity-id":"activity-4""#) == true
        || $0?.contains(#""apns-id":"p2""#) == true
    }
    #expect(expected.count == 8)
    let (lines, end) = try script.lines(selection)
    #expect(lines == expected)
    #expect(end == .sealed)
    selection.handles = [.activity("activity-4")]
    #expect(try script.lines(selection).lines == expected.filter { $0?.contains("p2") == false })
    selection.handles = [.key("nobody")]
    #expect(try script.lines(selection).lines.isEmpty)
  }

  @Test("A segment without its log, and a log whose segment is missing, both read")
  func gaps() throws {
    let writer = try script.create()
    for number in 0..<3 {
      _ = try writer.append(LogScript.batch(LogScript.story(number)))
      try writer.seal()
    }
    let second = SegmentName.of(5)
    var alone = try LogReader(segment: second, in: script.files)
    #expect(try alone.next()?.firstSeq == 5)
    #expect(try alone.next() == nil)
    #expect(alone.end == .sealed)
    try script.files.remove(second)
    let (lines, end) = try script.lines()
    #expect(lines.count == 8)
    #expect(end.damage.map(\.lost) == [.range(from: 5, through: 8)])
  }

  @Test("Damaged content costs content only; damaged columns cost one commit and no name")
  func damage() throws {
    let writer = try script.create()
    for line in LogScript.story(1) + LogScript.story(1) {
      _ = try writer.append(LogScript.batch([line]))
    }
    try writer.seal()
    let whole = try script.lines().lines
    let bytes = try #require(script.files[Samples.first])
    var scanner = try SegmentScanner(script.files.open(Samples.first, .read))
    let first = try #require(try scanner.next())
    for (section, lost) in [
      (CommitSection.payload, [0]), (.skeleton, [0]), (.names, []), (.cursors, []),
    ] {
      let range = first.header.range(of: section)
      guard !range.isEmpty else { continue }
      var broken = bytes
      broken[Int(first.offset) + range.lowerBound] ^= 1
      script.files.put(Samples.first, broken)
      let (lines, end) = try script.lines()
      #expect(end.damage.count == 1)
      #expect(lines.count == (section == .skeleton ? 7 : 8))
      let rest = Array(whole[1...])
      #expect(Array(lines.suffix(7)) == rest, "\(section): \(lost)")
      if section == .payload { #expect(lines[0] == nil) }
      // The commit behind repeats the names.
      if section == .names { #expect(lines == whole) }
    }
  }

  @Test("A writer begins the next segment by itself when one is full")
  func rolls() throws {
    let writer = try script.create()
    let batch = LogScript.batch(
      [String](repeating: #"{"event":"end","key":"K"}"#, count: 30_000))
    for _ in 0..<9 { _ = try writer.append(batch) }
    #expect(try CommitWriter.segments(script.files) == [Samples.first, SegmentName.of(240_001)])
    let report = try LogVerifier.verify(script.files)
    #expect(report.events == 270_000)
    #expect(report.end == .open)
    _ = consume writer
    #expect(try script.open().nextSeq == 270_001)
  }
}
