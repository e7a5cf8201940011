package import ActivityCore

/// What rules that compare cards keep of one life: numbers only, so that many can be kept.
package struct CardNote: Sendable {
  /// The number of its activity.
  package let number: Int
  /// `seq` and time of its first row.
  package let firstSeq: Int64
  package let firstAt: Timestamp
  package let opening: Timestamp
  package let hasStart: Bool
  /// When it stopped being live, by an end or by X, at Now at the latest.
  package let until: Timestamp
  package let limit: Timestamp
  package let endedAt: Timestamp?
  package let isEndInferred: Bool
  package let visibleUntil: Timestamp?
  /// The last instant at which a row itself shows it live.
  package private(set) var aliveUntil: Timestamp
  /// `seq` of the row that opened it, and of the last one that shows it live.
  package private(set) var openingSeq: Int64
  package private(set) var aliveSeq: Int64
  /// Who asked for it.
  package private(set) var source = Source.absent
  package private(set) var isStartByPush = false
  /// Whether its start is a push that nobody answered, and no device showed it either.
  package private(set) var isStartInDoubt = false
  /// The end that took effect while it lived.
  package private(set) var end: End?
  /// When an end of it was first asked for, whatever became of it.
  package private(set) var endAskedAt: Timestamp?
  /// When it was removed from the screen while it lived, and whether a person was seen to do it.
  package private(set) var dismissal: Dismissal?
  /// Whether any act on it was lost.
  package private(set) var hasLoss = false
  package let key: Entry.Word
  package let device: Entry.Word
  package let bundle: Entry.Word
  package let environment: Entry.Word
  package let type: Entry.Word
  package let build: Entry.Word
  private let token: Entry.Word

  /// The end that took effect.
  package struct End: Sendable {
    package var at: Timestamp
    package var seq: Int64
    package var source: Source
    /// Its `timestamp` in whole seconds, where it states one.
    package var version: Int64?
  }

  /// A removal by hand, or one of which no cause is known.
  package struct Dismissal: Sendable {
    package var at: Timestamp
    package var seq: Int64
    package var isByPerson: Bool
  }

  package init(_ life: Timeline) {
    let first = life.entries.first { $0.kind != nil }
    number = life.number
    firstSeq = first?.seq ?? 0
    firstAt = life.entries.first?.at ?? life.opening
    opening = life.opening
    hasStart = life.hasStart
    until = min(life.endedAt ?? life.limit, life.log.now)
    limit = life.limit
    endedAt = life.endedAt
    isEndInferred = life.isEndInferred
    visibleUntil = life.visibleUntil
    aliveUntil = life.opening
    openingSeq = firstSeq
    aliveSeq = firstSeq
    key = life.key
    device = life.deviceWord
    bundle = life.bundle
    environment = life.environment
    type = life.type
    build = life.build
    token = life.entries.first?.token ?? Entry.Word(-1)
    for entry in life.entries where entry.kind != nil { note(entry) }
    // Whoever saw the system end it saw that it lived until X.
    if let end = life.leak.systemEnd, min(end.at, limit) > aliveUntil {
      aliveUntil = min(end.at, limit)
      aliveSeq = end.seq
    }
  }

  private mutating func note(_ entry: Entry) {
    if entry.kind == .start, entry.isAppliedAct, entry.before == .none || entry.before.isOver {
      openingSeq = entry.seq
      source = entry.source
      isStartByPush = entry.isByPush
      isStartInDoubt = entry.isByPush && !entry.isAnswered
    }
    if entry.isLostAct { hasLoss = true }
    if entry.kind == .end, entry.before.isLive {
      endAskedAt = endAskedAt ?? entry.at
      if entry.isAppliedAct {
        end = End(
          at: entry.at, seq: entry.seq, source: entry.source,
          version: entry.statesVersion ? entry.version : nil)
      }
    }
    if entry.before.isLive, entry.kind == .dismiss || entry.shown == .dismissed {
      dismissal =
        dismissal
        ?? Dismissal(at: entry.at, seq: entry.seq, isByPerson: entry.isByPerson)
    }
    // A device's own word leaves no doubt that the start arrived.
    if entry.kind == .token || entry.kind == .stale || entry.shown.isLive { isStartInDoubt = false }
    guard CardNote.showsLife(entry), entry.at > aliveUntil else { return }
    aliveUntil = entry.at
    aliveSeq = entry.seq
  }

  /// Whether a row itself shows that the card lived until then: an act that took effect, or a
  /// device's own word. A push that nobody answered shows nothing.
  private static func showsLife(_ entry: Entry) -> Bool {
    guard let kind = entry.kind, entry.before.isLive || entry.after.isLive else { return false }
    if kind.isAct { return entry.isAppliedAct && (!entry.isByPush || entry.isAccepted) }
    return kind == .stale || kind == .dismiss || entry.shown.isLive
  }

  /// Tells lives apart within one audit, as `Timeline.card` does.
  package var card: String { "\(number) \(firstSeq)" }

  /// What it is across imports, as `Timeline.identity` says it.
  package func identity(_ log: AuditLog) -> [String] {
    let first = String(firstAt.microseconds)
    if case .start = log.resolution.names[number] {
      return ["start", log.text(key) ?? "", log.text(token) ?? "", first]
    }
    return [name(log), first]
  }

  /// As people read it.
  package func name(_ log: AuditLog) -> String {
    log.resolution.names[number].printed(log.resolution.set.texts)
  }

  /// Its id, when one is known.
  package func activityID(_ log: AuditLog) -> String? {
    if case .activity = log.resolution.names[number] { return name(log) }
    return nil
  }
}

extension Finding {
  /// A finding about a card of which only a note was kept.
  package init(
    _ rule: RuleInfo, _ verdict: Verdict, about note: CardNote, _ log: AuditLog, from: Timestamp,
    until: Timestamp?, evidence: [Int64], message: String, severity: Severity? = nil
  ) {
    self.init(
      rule, verdict, identity: note.identity(log), from: from, until: until,
      evidence: evidence.filter { $0 > 0 }, message: message, severity: severity)
    name = note.name(log)
    activityID = note.activityID(log)
    key = log.text(note.key)
    device = log.text(note.device)
    build = log.text(note.build)
    attributesType = log.text(note.type)
    visibleUntil = note.visibleUntil
    devices = device == nil ? 0 : 1
    card = note.card
  }
}
