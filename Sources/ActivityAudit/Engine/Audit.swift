public import ActivityCore

/// Finds what went wrong in a log: a function of one resolution over all rows up to Now.
public enum Audit {
  /// Audits what a projector has taken; its selection should be everything up to Now. Without the
  /// contents of the same rows, rules that read content are not judged.
  public static func report(
    of projector: consuming Projector, contents: Contents = Contents(),
    options: AuditOptions = AuditOptions()
  ) -> AuditReport {
    let unnamed = projector.unnamedRows
    return report(
      of: projector.resolution(), contents: contents, unnamedRows: unnamed, options: options)
  }

  package static func report(
    of resolution: Resolution, contents: Contents = Contents(), unnamedRows: Int,
    options: AuditOptions
  ) -> AuditReport {
    let ground = Ground(resolution, contents, options)
    var first = FirstLook(ground)
    first.look()
    let log = first.log()
    let result = SecondLook.result(&first, log)
    return AuditReport(result, log, unnamedRows: unnamedRows)
  }

  /// What the rules found, before anything is chosen or counted.
  struct Result {
    var findings: [Finding] = []
    var liveCount = 0
    /// Cards whose ids were hidden; none of them is judged.
    var redactedCount = 0
    var live: [ActivityState] = []
    var notJudged: [RuleInfo] = []
    var remedies: [EndRemedy] = []
    var decided = Decided()
  }
}
