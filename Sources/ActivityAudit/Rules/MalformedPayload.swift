internal import ActivityCore

/// Pushes that lack a member, or write it under a name that nobody reads.
package struct MalformedPayload: AuditRule {
  package static let habit = RuleThreshold(
    "malformed-payload", "habit", 75, "percent",
    "share of a sender's pushes of a kind that carry a member before its absence is a fault")
  package static let occurrences = RuleThreshold(
    "malformed-payload", "occurrences", 3, "pushes",
    "pushes of a kind that carry a member before its absence is a fault")

  private let share: Double
  private let least: Int

  package static var wants: LifeTraits { [.lacking, .rareContent] }

  package init(_ settings: RuleSettings) {
    share = settings[MalformedPayload.habit] / 100
    least = settings.count(MalformedPayload.occurrences)
  }

  package static let info = RuleInfo(
    id: "malformed-payload", severity: .error,
    summary: "a push lacks a member, or writes it under a wrong name",
    reason: "The device drops it without a word, whatever APNs answered.",
    condition: """
      A push carries a member under a name that APNs and ActivityKit do not know (contentState, \
      stale_date, events) and not under the right one; or a push that starts has attributes and \
      lacks attributes-type or content-state. These are confirmed. Inferred, since a log need not \
      hold whole payloads: a start lacks attributes-type, attributes or content-state, an update \
      lacks content-state, or any of them lacks timestamp, while 3 or more and 75 percent of the \
      same recorder's pushes of that kind carry it. One finding for each recorder and member.
      """,
    advice: "Compare the payload's names with Apple's tables; build payloads with typed code.",
    scope: .recorder, reads: .all, thresholds: [habit, occurrences],
    fires: [
      RuleExample(
        "the content's name in camel case",
        """
        0m start A source=app device=phone content
        5m update A source=push timestamp=@5m contentState={"n":2}
        6m update A source=push timestamp=@6m content
        20m end A source=push timestamp=@20m content
        """, finds: .confirmed),
      RuleExample(
        "attributes of no type",
        """
        0m start source=push token=s1 key=K timestamp=@0m alert attributes={} content
        1m token A token-kind=update token=t1 key=K
        20m end A source=push token=t1 timestamp=@20m content
        """, finds: .confirmed),
      RuleExample(
        "one of four updates has no content",
        """
        0m start A source=app device=phone content
        5m update A source=push timestamp=@5m content
        6m update A source=push timestamp=@6m content
        7m update A source=push timestamp=@7m content
        8m update A source=push timestamp=@8m
        9m end A source=push timestamp=@9m content
        """, finds: .inferred),
    ],
    passes: [
      RuleExample(
        "a vendor's record without payloads",
        """
        0m start A source=app device=phone content
        5m update A source=push
        6m update A source=push
        7m update A source=push
        8m end A source=push dismissal-date=0
        """),
      RuleExample(
        "an end needs no content",
        """
        0m start A source=app device=phone content
        5m update A source=push timestamp=@5m content
        9m end A source=push timestamp=@9m dismissal-date=0
        """),
      RuleExample(
        "both names, for two readers",
        """
        0m start A source=app device=phone content
        5m update A source=push timestamp=@5m contentState={"n":2} content
        9m end A source=push timestamp=@9m content
        """),
    ])

  /// What a push needs.
  private enum Need: Int, CaseIterable {
    case timestamp, content, attributes, type

    var member: String {
      switch self {
      case .timestamp: "timestamp"
      case .content: "content-state"
      case .attributes: "attributes"
      case .type: "attributes-type"
      }
    }

    func isOf(_ kind: EventKind) -> Bool {
      switch self {
      case .timestamp: true
      case .content: kind != .end
      case .attributes, .type: kind == .start
      }
    }
  }

  /// One recorder's pushes of one kind.
  private struct Sender: Hashable {
    var recorder: Entry.Word
    var kind: EventKind
  }

  /// By need: which pushes do not carry it. How many do is counted over the whole log; of those
  /// that have another member under a wrong name, this says how many carry it.
  private struct Habit {
    var excluded = [Int](repeating: 0, count: Need.allCases.count)
    var lacking = [Tally](repeating: Tally(), count: Need.allCases.count)
    /// Rows of starts among the latter, which start-without-alert leaves to this rule.
    var starts = [Set<Int64>](repeating: [], count: Need.allCases.count)
  }

  private struct Place: Hashable {
    var recorder: Entry.Word
    var member: String
  }

  private var wrong: [Place: RowTally] = [:]
  private var habits = Slots<Sender, Habit>()
  private var fanned = Fanned()
  private var excluded: Set<Int64> = []

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    let log = life.log
    for entry in life.entries where entry.isByPush {
      guard let kind = entry.kind, kind.isContentAct else { continue }
      let alias = log.rareContent(of: entry).flatMap { log.contentText($0.alias) }
      if let alias, let member = MemberAliases.meant[alias], lacks(member, entry, log) {
        note(member, entry, life)
        exclude(entry, kind, log)
        continue
      }
      // A habit is counted by what was sent, not by whom it reached.
      guard fanned.isNew(entry) else { continue }
      let sender = Sender(recorder: entry.recorder, kind: kind)
      for need in Need.allCases where need.isOf(kind) {
        guard lacks(need, entry, log) else { continue }
        if kind == .start, entry.hasAttributes, need != .timestamp {
          note(need.member, entry, life)
        } else {
          habits[sender, default: Habit()].lacking[need.rawValue].add(entry, of: life)
          if kind == .start {
            habits[sender, default: Habit()].starts[need.rawValue].insert(entry.seq)
          }
        }
      }
    }
  }

  /// What is wrong in itself speaks for no habit.
  private mutating func exclude(_ entry: Entry, _ kind: EventKind, _ log: AuditLog) {
    guard excluded.insert(entry.seq).inserted else { return }
    let sender = Sender(recorder: entry.recorder, kind: kind)
    for need in Need.allCases where need.isOf(kind) && !lacks(need, entry, log) {
      habits[sender, default: Habit()].excluded[need.rawValue] += 1
    }
  }

  private mutating func note(_ member: String, _ entry: Entry, _ life: Timeline) {
    wrong[Place(recorder: entry.recorder, member: member), default: RowTally()]
      .add(entry, of: life)
  }

  private func lacks(_ need: Need, _ entry: Entry, _ log: AuditLog) -> Bool {
    switch need {
    case .timestamp: !entry.statesVersion
    case .content: !entry.hasContent
    case .attributes: !entry.hasAttributes
    case .type: log.type(of: entry).isAbsent
    }
  }

  private func lacks(_ member: String, _ entry: Entry, _ log: AuditLog) -> Bool {
    switch member {
    case "content-state": !entry.hasContent
    case "attributes-type": log.type(of: entry).isAbsent
    case "stale-date": entry.staleDate == nil
    case "dismissal-date": entry.kind != .end || entry.date == nil
    case "input-push-channel": entry.inputPushChannel.isAbsent
    case "input-push-token": !(log.content(of: entry)?.marks.contains(.inputPushToken) ?? false)
    case "relevance-score": log.content(of: entry)?.relevance == nil
    // Every row has the log's own `event`; a payload that says `events` had none.
    case "event": true
    default: false
    }
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    var told: Set<[String]> = []
    for (place, tally) in wrong.sorted(by: {
      precedes(
        [log.text($0.key.recorder) ?? "", $0.key.member],
        [log.text($1.key.recorder) ?? "", $1.key.member])
    }) {
      let name = log.text(place.recorder) ?? ""
      told.insert([name, place.member])
      findings.append(
        Finding(
          MalformedPayload.info, .confirmed, tally: tally, identity: [name, place.member],
          message: message(name, place.member, tally.count)))
    }
    let named = habits.all.map {
      (name: log.text($0.key.recorder) ?? "", sender: $0.key, habit: $0.value)
    }
    for (name, sender, habit) in named.sorted(by: {
      ($0.name, $0.sender.kind.rawValue) < ($1.name, $1.sender.kind.rawValue)
    }) {
      let sent = log.sent(by: sender.recorder)
      for need in Need.allCases {
        let lacking = habit.lacking[need.rawValue]
        let carried =
          sent.carried(need.member, by: sender.kind) - habit.excluded[need.rawValue]
        guard lacking.count > 0, carried >= max(1, least),
          Double(carried) >= share * Double(carried + lacking.count),
          told.insert([name, need.member]).inserted
        else { continue }
        var finding = Finding(
          MalformedPayload.info, .inferred, tally: lacking, identity: [name, need.member],
          message: "\(message(name, need.member, lacking.count)) where \(carried) others have it")
        finding.rows.formUnion(habit.starts[need.rawValue])
        findings.append(finding)
      }
    }
  }

  private func precedes(_ one: [String], _ other: [String]) -> Bool {
    one.lexicographicallyPrecedes(other)
  }

  private func message(_ name: String, _ member: String, _ count: Int) -> String {
    let whose = name.isEmpty ? "" : " of \(name)"
    return "\(count == 1 ? "1 push" : "\(count) pushes")\(whose) without \(member)"
  }
}
