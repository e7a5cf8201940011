package import ActivityCore

/// What a rule may ask of the whole log, beside the life it looks at.
package final class AuditLog: Sendable {
  package let options: AuditOptions
  package let now: Timestamp
  package let relations: Relations
  let resolution: Resolution
  let survey: Survey
  let contents: Contents
  let sharedNames: SharedNames
  private let transient: Int32
  private let activityKit: Int32

  init(_ resolution: Resolution, _ contents: Contents, _ options: AuditOptions) {
    self.resolution = resolution
    self.contents = contents
    self.options = options
    let set = resolution.set
    now = Timestamp(microseconds: set.selection.until)
    survey = Survey(resolution, contents, finishedRows: options.finishedRows)
    relations = Relations(resolution)
    sharedNames = SharedNames(resolution)
    transient = AuditLog.code("transient", set.texts)
    activityKit = AuditLog.code("activitykit", set.texts)
  }

  private static func code(_ word: String, _ texts: TextTable) -> Int32 {
    texts.code(of: Array(word.utf8)).map { Int32($0) } ?? -1
  }

  package var limits: SystemLimits { resolution.set.limits }

  /// When the log's first row happened.
  package var begin: Timestamp { Timestamp(microseconds: survey.first) }

  /// The spelling of a word; nil when it is absent.
  package func text(_ word: Entry.Word) -> String? { resolution.set.text(word.code) }

  /// Whether the log holds what a rule needs.
  package func meets(_ needs: [RuleInfo.Need]) -> Bool { needs.allSatisfy(survey.met.contains) }

  /// Whether a recorder says that it lost a part of the time between two instants.
  package func hasAnyHole(from: Timestamp, until: Timestamp) -> Bool {
    survey.holes.values.contains { holes in
      holes.contains { $0.from < until.microseconds && $0.until > from.microseconds }
    }
  }

  /// When the work of a key was finished or cancelled, within two instants; nil when it was not, or
  /// was taken up again by the later one.
  package func finish(of key: Entry.Word, from: Timestamp, until: Timestamp) -> Timestamp? {
    relations.finish(of: key.code, from: from.microseconds, until: until.microseconds)?.stamp
  }

  func isTransient(_ facts: Facts) -> Bool { transient >= 0 && facts.style == transient }

  func isOtherProducer(_ facts: Facts) -> Bool {
    facts.producer >= 0 && facts.producer != activityKit
  }

  /// Who has a row on an activity, or on its device.
  func recorders(of activity: Int) -> Set<Int32> {
    let device = resolution.activityScopes[activity].device
    var recorders = Set(survey.recordersOfDevice[device] ?? [])
    for index in resolution.members[activity] {
      recorders.insert(resolution.set.rows[Int(index)].recorder)
    }
    return recorders
  }

  /// T: the latest instant to which one of these recorders saw without a gap since a life began.
  func seenUntil(_ recorders: Set<Int32>, since opening: Timestamp) -> Timestamp {
    let reached = recorders.map { survey.reach(of: $0, since: opening.microseconds) }.max()
    return min(now, Timestamp(microseconds: reached ?? opening.microseconds))
  }
}
