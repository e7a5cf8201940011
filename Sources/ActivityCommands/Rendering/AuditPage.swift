internal import ActivityAudit
internal import ActivityCore

/// One audit with everything that an output may say of it.
struct AuditPage {
  let report: AuditReport
  let time: TimeText
  /// The log as it was named.
  let path: String
  /// The command that asked, to go on with.
  let command: String
  /// The range of time asked for, when one was.
  let asked: Range<Int64>?
  /// Whether rules or a filter leave out some of what was found.
  let isNarrowed: Bool
  /// Whether every finding is to be listed.
  let showsAll: Bool
  /// The rules asked for, judged or not.
  let rules: [RuleInfo]
  /// Groups side by side, when asked for.
  let comparison: Comparison?
  /// What is different from the baseline, when one was given.
  let change: BaselineChange?
  /// Whether suppressions were given, even if none matched.
  let suppresses: Bool
  /// Recorders that were required and do not cover the window.
  let uncovered: [RequiredCoverage.Missing]
  /// What an assumption would have changed, when one was made.
  var assumed: AssumedText?
}
