package import ActivityCore

/// One life of one activity as a rule sees it: what happened in order, and what follows from it.
///
/// Everything is in the device view up to Now. Letters of the catalogue: S is `startedAt`, X
/// `limit`, E `endedAt`, T `seenUntil`.
package struct Timeline: Sendable {
  /// What the whole log says beside this life.
  package let log: AuditLog
  /// Rows and clock steps, by (`at`, `seq`).
  package let entries: [Entry]
  /// What there is among them.
  package let traits: Traits
  /// Whether it came to be at all; a refused start leaves a life that never was.
  package let isOpen: Bool
  /// The phase at Now.
  package let phase: Phase
  /// When it began: its start, its start date, else the first evidence of life.
  package let opening: Timestamp
  /// Whether a start was seen.
  package let hasStart: Bool
  /// When the system ends it.
  package let limit: Timestamp
  /// When somebody or something really ended it; nil while it lives or when only the system did.
  package let endedAt: Timestamp?
  /// Whether that end rests on an unanswered push, a 410 or absence.
  package let isEndInferred: Bool
  /// Whether it left the screen, or will have, at the latest.
  package let visibleUntil: Timestamp?
  /// The instant up to which absence is evidence: somebody saw this activity or its device
  /// without a gap since it began.
  package let seenUntil: Timestamp
  /// When its work was finished or cancelled, as far as that is known, before it ended.
  package let finishedAt: Timestamp?
  package let key: Entry.Word
  package let type: Entry.Word
  /// Whether it outlived its work, and what shows it.
  package private(set) var leak = Leak()

  private let life: Life
  private let activity: Int
  /// Whether leak rules leave it alone: other lifetimes, or not yet begun.
  package let isExempt: Bool

  init(
    _ life: Life, _ steps: ArraySlice<Step>, _ facts: LifeFacts, log: AuditLog,
    _ rows: RowList
  ) {
    let activity = Int(facts.activity)
    self.life = life
    self.activity = activity
    self.log = log
    entries = steps.map { step in
      guard case .row(let index) = step.cause else { return Entry(step, row: nil) }
      let row = rows[Int(index)]
      return Entry(step, row: row, fansOut: log.resolution.fansOut(row, in: activity))
    }
    traits = Traits(entries)
    isOpen = facts.isOpen
    isExempt = facts.isExempt
    phase = life.phase
    hasStart = facts.hasStart
    opening = Timestamp(microseconds: facts.opening)
    limit = Timestamp(microseconds: facts.limit)
    endedAt = facts.endedAt.stamp
    isEndInferred = facts.isEndInferred
    visibleUntil = facts.visibleUntil.stamp
    seenUntil = Timestamp(microseconds: facts.seenUntil)
    finishedAt = facts.finishedAt.stamp
    key = Entry.Word(facts.key)
    type = Entry.Word(facts.type)
    leak = Leak(self)
  }

  /// Everything a person would be told of it.
  package var state: ActivityState {
    ActivityState(
      life, activity: activity, of: log.resolution, until: log.now.microseconds)
  }

  /// What it is across imports: its name, and when its first row happened.
  package var identity: [String] {
    let first = String((entries.first?.at ?? opening).microseconds)
    if case .start = log.resolution.names[activity] {
      // The printed name holds a seq.
      let token = entries.first.map { log.text($0.token) ?? "" } ?? ""
      return ["start", log.text(key) ?? "", token, first]
    }
    return [log.resolution.names[activity].printed(log.resolution.set.texts), first]
  }

  /// Tells lives apart within one audit.
  var card: String { "\(activity) \(entries.first?.seq ?? 0)" }

  /// Where the row's activity name comes from.
  package var isChannel: Bool {
    if case .channel = log.resolution.names[activity] { return true }
    return false
  }

  /// Whether it is a push start that no activity-id is known for.
  package var isUnnamedStart: Bool {
    if case .start = log.resolution.names[activity] { return true }
    return false
  }

  /// Whether nothing but its key names it.
  package var isNamedByKey: Bool {
    if case .key = log.resolution.names[activity] { return true }
    return false
  }

  /// What the name of a card begins with whose id the system's log has hidden.
  package static let redactedPrefix = "redacted:"

  var device: Int32 { log.resolution.activityScopes[activity].device }
  /// The device it is on, as far as it is known.
  package var deviceWord: Entry.Word { Entry.Word(device) }
  package var environment: Entry.Word {
    Entry.Word(log.resolution.activityScopes[activity].environment)
  }
  package var bundle: Entry.Word { Entry.Word(log.resolution.activityScopes[activity].bundle) }
  package var build: Entry.Word { Entry.Word(life.facts.build) }
  /// Its id, when it is named by one.
  package var activityWord: Entry.Word {
    if case .activity(let id) = log.resolution.names[activity] { return Entry.Word(id) }
    return Entry.Word(-1)
  }
  package var style: Entry.Word { Entry.Word(life.facts.style) }
  /// The number of its activity, the same for all lives of one name.
  package var number: Int { activity }
  /// What the system says about the end: the reason an end gave, else the one derived.
  package var endReason: String? { state.endReason }

  /// The spans of time it spent in each phase, up to Now; what only the clock brings included.
  package var phases: [(phase: Phase, from: Timestamp, until: Timestamp)] {
    var spans: [(phase: Phase, from: Timestamp, until: Timestamp)] = []
    for entry in entries where entry.after != (spans.last?.phase ?? Phase.none) {
      if !spans.isEmpty { spans[spans.count - 1].until = entry.at }
      spans.append((entry.after, entry.at, log.now))
    }
    return spans
  }

  /// An interval cut to where a person could still see the card: at Now and `visibleUntil`; nil
  /// when nothing is left, and for a channel, whose cards nobody can count.
  package func seen(from: Timestamp, until: Timestamp?) -> Interval? {
    if isChannel { return nil }
    var end = min(until ?? log.now, log.now)
    if let visibleUntil { end = min(end, visibleUntil) }
    return end > from ? Interval(from: from, until: end) : nil
  }
}

extension Timeline {
  /// When the card was gone, if that has come by Now.
  package var over: Timestamp? {
    visibleUntil.flatMap { $0 <= log.now ? $0 : nil }
  }
}
