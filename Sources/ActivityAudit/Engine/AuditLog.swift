package import ActivityCore

/// What a rule may ask of the whole log, beside the life it looks at.
package final class AuditLog: Sendable {
  package let options: AuditOptions
  package let now: Timestamp
  package let relations: Relations
  let ground: Ground
  let resolution: Resolution
  let survey: Survey
  let contents: Contents
  let works: Works
  let sharedNames: SharedNames

  init(_ ground: Ground, _ relations: Relations, _ sharedNames: SharedNames) {
    self.ground = ground
    self.relations = relations
    self.sharedNames = sharedNames
    options = ground.options
    resolution = ground.resolution
    survey = ground.survey
    contents = ground.contents
    works = ground.works
    now = Timestamp(microseconds: ground.now)
  }

  package var limits: SystemLimits { resolution.set.limits }

  /// When the log's first row happened.
  package var begin: Timestamp { Timestamp(microseconds: survey.first) }

  /// The spelling of a word; nil when it is absent.
  package func text(_ word: Entry.Word) -> String? { resolution.set.text(word.code) }

  /// Whether a recorder says that it lost a part of the time between two instants.
  package func hasAnyHole(from: Timestamp, until: Timestamp) -> Bool {
    survey.holes.values.contains { holes in
      holes.contains { $0.from < until.microseconds && $0.until > from.microseconds }
    }
  }

  /// When the work of a key was finished or cancelled, within two instants; nil when it was not, or
  /// was taken up again by the later one.
  package func finish(of key: Entry.Word, from: Timestamp, until: Timestamp) -> Timestamp? {
    works.finish(of: key.code, from: from.microseconds, until: until.microseconds)?.stamp
  }

  /// What a recorder sent.
  package func sent(by recorder: Entry.Word) -> SenderCounts { survey.sent(by: recorder.code) }
}

/// What is known of a log before its lives are read.
final class Ground: Sendable {
  let options: AuditOptions
  let resolution: Resolution
  let contents: Contents
  let survey: Survey
  let works: Works
  /// The instant the audit is derived at, microseconds.
  let now: Int64
  let hidden: Hidden
  private let transient: Int32
  private let activityKit: Int32

  init(_ resolution: Resolution, _ contents: Contents, _ options: AuditOptions) {
    self.resolution = resolution
    self.contents = contents
    self.options = options
    now = resolution.set.selection.until
    hidden = Hidden(resolution)
    survey = Survey(resolution, contents, finishedRows: options.finishedRows, hidden)
    works = Works(resolution.set)
    transient = resolution.set.texts.code(of: "transient".utf8).map { Int32($0) } ?? -1
    activityKit = resolution.set.texts.code(of: "activitykit".utf8).map { Int32($0) } ?? -1
  }

  /// Whether the log holds what a rule needs.
  func meets(_ needs: [RuleInfo.Need]) -> Bool { needs.allSatisfy(survey.met.contains) }

  /// Whether leak rules leave a life alone: other lifetimes, or not yet begun.
  func isExempt(_ life: Life, isChannel: Bool) -> Bool {
    if !life.isOpen || isChannel || life.phase == .pending { return true }
    if transient >= 0, life.facts.style == transient { return true }
    return life.facts.producer >= 0 && life.facts.producer != activityKit
  }
}
