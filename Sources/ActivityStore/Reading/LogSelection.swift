public import ActivityCore

/// Which commits of a log a reader delivers, and how much of them.
///
/// Commits are delivered whole: rows outside a limit may come along, and are the caller's to drop.
public struct LogSelection: Sendable {
  /// Only commits that hold a seq in here.
  public var seqs: ClosedRange<Int64> = 1...Int64.max
  /// Only commits with a row whose `at`, as it counts, is at or before this; microseconds.
  public var atNoLaterThan: Int64 = .max
  /// Only commits with a row whose `at`, as it counts, is at or after this; microseconds.
  public var atNoEarlierThan: Int64 = .min
  /// Only commits with a row recorded at or before this; microseconds.
  public var recordedNoLaterThan: Int64 = .max
  /// Only commits that matter to resolving identities.
  public var onlyMatteringToResolution = false
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
      && recordedNoLaterThan == .max && !onlyMatteringToResolution
  }

  package func includes(_ facts: CommitFacts) -> Bool {
    facts.firstSeq <= seqs.upperBound && facts.nextSeq > seqs.lowerBound
      && facts.atMin <= atNoLaterThan && facts.atMax >= atNoEarlierThan
      && facts.recordedMin <= recordedNoLaterThan
      && (!onlyMatteringToResolution || facts.mattersToResolution)
  }
}
