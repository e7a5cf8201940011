package import ActivityCore

/// What the headers of a log's commits say, without opening one commit: enough to know where the
/// log begins and ends on both clocks, and which commits an answer rests on.
package struct LogFacts: Sendable {
  /// In the order of the log.
  package private(set) var commits: [CommitFacts] = []
  /// What was pruned before the oldest segment.
  package private(set) var before = LogTotals()
  /// What the log keeps about itself, as its last segment has it.
  package private(set) var metadata: [LogMetadata] = []
  /// The log's identity; nil when no segment has headers.
  package private(set) var log: LogID?

  /// The segments that were read, and which of `commits` are theirs.
  package private(set) var segments: [(name: String, commits: Range<Int>)] = []
  /// Where they lie.
  package let files: any LogFiles
  /// Whether every segment follows the one before, and nothing met so far does not verify.
  package private(set) var isSound = true

  /// Reads the log at a path: its directory, or one segment.
  ///
  /// - Throws: `.missing`, `.notALog`, `.newerFormat`, or a failure to read.
  package init(path: String) throws(LogError) {
    let place = LogPlace(path)
    let names: [String] =
      if let segment = place.segment { [segment] } else { try CommitWriter.segments(place.files) }
    let files = place.files
    self.files = files
    for (number, name) in names.enumerated() {
      var scanner: SegmentScanner
      do throws(LogError) {
        scanner = try SegmentScanner(
          try files.open(name, .read), isWriterLive: { WriterLock.isHeld(files) })
      } catch {
        // A reader of the events themselves reports a segment that is no segment any more.
        guard error.code == .notALog, names.count > 1 else { throw error }
        isSound = false
        continue
      }
      if number == 0 { before = scanner.header.before }
      guard log == nil || log == scanner.header.log else {
        isSound = false
        continue
      }
      log = scanner.header.log
      metadata = scanner.header.metadata
      if let last = commits.last, last.nextSeq != scanner.header.firstSeq { isSound = false }
      let first = commits.count
      try take(&scanner)
      if !scanner.damage.isEmpty || scanner.end.tornTail != nil { isSound = false }
      segments.append((name, first..<commits.count))
    }
  }

  private mutating func take(_ scanner: inout SegmentScanner) throws(LogError) {
    if let entries = try scanner.readEntries() {
      commits += entries.map(\.facts)
      return
    }
    while let commit = try scanner.next() { commits.append(commit.facts) }
  }

  /// Where the log begins and ends; nil while it holds no event.
  package var extent: LogExtent? { LogExtent(commits) }
}

/// Where a log begins and ends.
package struct LogExtent: Sendable, Equatable {
  package var firstSeq: Int64
  package var lastSeq: Int64
  package var count: Int64
  /// Microseconds, of `at` as it counts.
  package var occurred: ClosedRange<Int64>
  /// Microseconds.
  package var recorded: ClosedRange<Int64>

  /// Of these commits; nil without any.
  package init?(_ commits: [CommitFacts]) {
    guard let first = commits.first else { return nil }
    firstSeq = first.firstSeq
    lastSeq = first.firstSeq
    count = 0
    occurred = first.atMin...max(first.atMin, first.atMax)
    recorded = first.recordedMin...max(first.recordedMin, first.recordedMax)
    for facts in commits { take(facts) }
  }

  /// The first and last instant on a clock.
  package func span(_ clock: LogClock) -> ClosedRange<Int64> {
    clock == .occurred ? occurred : recorded
  }

  private mutating func take(_ facts: CommitFacts) {
    firstSeq = min(firstSeq, facts.firstSeq)
    lastSeq = max(lastSeq, facts.nextSeq - 1)
    count += Int64(facts.count)
    let (low, high) = (min(occurred.lowerBound, facts.atMin), max(occurred.upperBound, facts.atMax))
    occurred = low...high
    let (early, late) = (
      min(recorded.lowerBound, facts.recordedMin), max(recorded.upperBound, facts.recordedMax)
    )
    recorded = early...late
  }
}
