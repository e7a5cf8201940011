public import ActivityCore

/// Which commits of a log a reader delivers, and how much of them.
///
/// Commits are delivered whole: rows outside a limit may come along, and are the caller's to drop.
public struct LogSelection: Sendable {
  /// Only commits that hold a seq in here.
  public var seqs: ClosedRange<Int64> = 1...Int64.max
  /// Only commits that hold one of these seqs, which ascend; nil for all.
  public var holding: [Int64]?
  /// Only commits with a row whose `at`, as it counts, is at or before this; microseconds.
  public var atNoLaterThan: Int64 = .max
  /// Only commits with a row whose `at`, as it counts, is at or after this; microseconds.
  public var atNoEarlierThan: Int64 = .min
  /// Only commits with a row recorded at or before this; microseconds.
  public var recordedNoLaterThan: Int64 = .max
  /// Only commits that matter to resolving identities.
  public var onlyMatteringToResolution = false
  /// Only commits that may have a row under one of these; nil for all. Where a segment has an index
  /// the others are not decoded, nor even walked if no apns-id or device is among these; names are
  /// then complete only for subjects with these handles. Without an index everything comes.
  public var handles: [LogHandle]?
  /// Whether payloads are read; without them a batch's payload is `.notRead`.
  public var withContent = true
  /// Members wanted as columns; nil for all. The columns of every row always come.
  public var members: [Member]?

  /// Everything.
  public init() {}

  /// The columns of everything, without content.
  public static var columns: LogSelection {
    var selection = LogSelection()
    selection.withContent = false
    return selection
  }

  var wanted: MemberSelection { members.map { MemberSelection($0) } ?? .all }

  /// Whether no commit is left out.
  var isEverything: Bool {
    seqs == 1...Int64.max && atNoLaterThan == .max && atNoEarlierThan == .min
      && recordedNoLaterThan == .max && !onlyMatteringToResolution && handles == nil
      && holding == nil
  }

  package func includes(_ facts: CommitFacts) -> Bool {
    facts.firstSeq <= seqs.upperBound && facts.nextSeq > seqs.lowerBound
      && facts.atMin <= atNoLaterThan && facts.atMax >= atNoEarlierThan
      && facts.recordedMin <= recordedNoLaterThan
      && (!onlyMatteringToResolution || facts.mattersToResolution)
      && (holding.map { LogSelection.holds(facts, oneOf: $0) } ?? true)
  }

  /// Whether a commit's seqs have one of these among them.
  private static func holds(_ facts: CommitFacts, oneOf seqs: [Int64]) -> Bool {
    var low = 0
    var high = seqs.count
    while low < high {
      let middle = (low + high) / 2
      if seqs[middle] < facts.firstSeq { low = middle + 1 } else { high = middle }
    }
    return low < seqs.count && seqs[low] < facts.nextSeq
  }

  /// The commits of a sealed segment that are wanted, in order; nil where nothing can say.
  func entries(
    of scanner: inout SegmentScanner
  ) throws(LogError) -> [CommitEntry]? {
    guard let handles else {
      return try scanner.readEntries()?.filter { includes($0.facts) }
    }
    guard let footer = try scanner.readFooter() else { return nil }
    var numbers: Set<Int> = []
    for handle in handles {
      guard let found = try? footer.subjects.commits(of: handle.hash) else { return nil }
      numbers.formUnion(found)
    }
    guard numbers.allSatisfy({ $0 < footer.commits.count }) else { return nil }
    return numbers.sorted().map { footer.commits[$0] }.filter { includes($0.facts) }
  }
}
