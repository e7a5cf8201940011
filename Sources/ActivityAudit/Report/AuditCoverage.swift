public import ActivityCore

/// What an audit rests on: who recorded what, and which rules could not be judged.
public struct AuditCoverage: Sendable, Equatable {
  /// Who wrote rows, from when to when.
  public struct Recorder: Sendable, Equatable {
    /// Nil for all lines that name none.
    public var name: String?
    /// When its first row happened.
    public var first: Timestamp
    /// When its last row happened.
    public var last: Timestamp
    /// How many rows it wrote.
    public var rows: Int
    /// Spans it says it lost, in order.
    public var holes: [Interval]
    /// How many lines it says it lost, by reason.
    public var losses: [Loss] = []
  }

  /// Lines a recorder had and could not record.
  public struct Loss: Sendable, Equatable {
    /// `pruned` `redacted` `dropped` `unavailable`, or a word of the recorder's own.
    public var why: String
    public var lines: Int64
    /// How many rows say so.
    public var rows: Int
  }

  /// A rule the log cannot judge, and what it lacks.
  public struct NotJudged: Sendable, Equatable {
    /// The rule's id.
    public var rule: String
    /// What the log does not hold.
    public var missing: [RuleInfo.Need]
  }

  /// By name.
  public var recorders: [Recorder] = []
  /// Which clock chose the rows.
  public var clock: LogClock
  /// When the first and the last row happened; nil for a log without rows.
  public var window: Interval?
  /// The instant the audit is derived at.
  public var now: Timestamp
  /// How many rows were judged.
  public var rows: Int
  /// In the order of the rules.
  public var notJudged: [NotJudged] = []
  /// Events by key or channel that were not followed to their cards: there are too many of both.
  public var unfollowed: Int
  /// Answers that name no act of the log.
  public var unattachedAnswers: Int
  /// Rows whose activity was lost to damage.
  public var unnamedRows: Int
  /// Cards whose ids the system's log had hidden: told apart by process and time alone, they are
  /// never judged.
  public var redactedCards: Int

  init(_ result: Audit.Result, _ log: AuditLog, unnamedRows: Int) {
    let survey = log.survey
    let resolution = log.resolution
    clock = resolution.set.selection.clock
    now = log.now
    rows = survey.rows
    if survey.rows > 0 {
      window = Interval(
        from: Timestamp(microseconds: survey.first), until: Timestamp(microseconds: survey.last))
    }
    unfollowed = resolution.unfollowed
    unattachedAnswers = resolution.unattached.count
    self.unnamedRows = unnamedRows
    redactedCards = result.redactedCount
    let losses = log.contents.losses.byRecorder(resolution.set)
    recorders = survey.recorders.map { span in
      Recorder(
        name: resolution.set.text(span.code), first: Timestamp(microseconds: span.first),
        last: Timestamp(microseconds: span.last), rows: span.rows,
        holes: survey.holes(of: span).map {
          Interval(
            from: Timestamp(microseconds: $0.from), until: Timestamp(microseconds: $0.until))
        },
        losses: losses[span.code] ?? [])
    }
    recorders.sort { ($0.name ?? "") < ($1.name ?? "") }
    let options = log.options
    notJudged = result.notJudged.compactMap { rule in
      // Of rules that nobody asked for nothing is missed.
      guard options.rules?.contains(rule.id) ?? true, !options.skip.contains(rule.id) else {
        return nil
      }
      let missing = rule.allNeeds.filter { need in
        // Without pushes there is nothing an answer could be missing from.
        !survey.met.contains(need) && (need != .responses || survey.hasPushes)
      }
      return missing.isEmpty ? nil : NotJudged(rule: rule.id, missing: missing)
    }
  }
}
