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
      stale_date, events …) and not under the right one; or a push that starts has attributes and \
      lacks attributes-type or content-state. These are confirmed. Inferred, since a log need not \
      hold whole payloads: a start lacks attributes-type, attributes or content-state, an update \
      content-state, or one of them timestamp, where 3 or more and 75 percent of the same \
      recorder's pushes of that kind carry it. One finding for each recorder and member.
      """,
    advice: "Build payloads with typed code, and compare them with the names in Apple's tables.",
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

  /// A member of one recorder's pushes of one kind.
  private struct Place: Hashable {
    var recorder: Entry.Word
    var kind: EventKind?
    var member: String
  }

  private struct Habit {
    var carried = 0
    var lacking = RowTally()
  }

  private var wrong: [Place: RowTally] = [:]
  private var habits: [Place: Habit] = [:]

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    for entry in life.entries where entry.isByPush && entry.kind?.isContentAct ?? false {
      let log = life.log
      let alias = log.rareContent(of: entry).flatMap { log.contentText($0.alias) }
      if let alias, let member = MemberAliases.meant[alias], lacks(member, entry, log) {
        let place = Place(recorder: entry.recorder, kind: nil, member: member)
        wrong[place, default: RowTally()].add(entry, of: life)
        continue
      }
      var members = ["timestamp"]
      if entry.kind != .end { members.append("content-state") }
      if entry.kind == .start { members += ["attributes", "attributes-type"] }
      for member in members { judge(member, entry, life) }
    }
  }

  private mutating func judge(_ member: String, _ entry: Entry, _ life: Timeline) {
    let isLacking = lacks(member, entry, life.log)
    if isLacking, entry.kind == .start, entry.hasAttributes, member != "timestamp" {
      let place = Place(recorder: entry.recorder, kind: nil, member: member)
      wrong[place, default: RowTally()].add(entry, of: life)
      return
    }
    let place = Place(recorder: entry.recorder, kind: entry.kind, member: member)
    if isLacking {
      habits[place, default: Habit()].lacking.add(entry, of: life)
    } else {
      habits[place, default: Habit()].carried += 1
    }
  }

  private func lacks(_ member: String, _ entry: Entry, _ log: AuditLog) -> Bool {
    switch member {
    case "timestamp": !entry.statesVersion
    case "content-state": !entry.hasContent
    case "attributes": !entry.hasAttributes
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
    var confirmed = Set(wrong.keys.map { [log.text($0.recorder) ?? "", $0.member] })
    for (place, tally) in wrong.sorted(by: { precedes($0.key, $1.key, log) }) {
      add(place, tally, .confirmed, "", log, &findings)
    }
    for (place, habit) in habits.sorted(by: { precedes($0.key, $1.key, log) }) {
      let all = habit.carried + habit.lacking.count
      guard habit.lacking.count > 0, habit.carried >= max(1, least),
        Double(habit.carried) >= share * Double(all),
        confirmed.insert([log.text(place.recorder) ?? "", place.member]).inserted
      else { continue }
      add(place, habit.lacking, .inferred, " where \(habit.carried) others do", log, &findings)
    }
  }

  private func precedes(_ one: Place, _ other: Place, _ log: AuditLog) -> Bool {
    let words = [one, other].map { place in
      [log.text(place.recorder) ?? "", place.member, place.kind?.word ?? ""]
    }
    return words[0].lexicographicallyPrecedes(words[1])
  }

  private func add(
    _ place: Place, _ tally: RowTally, _ verdict: Verdict, _ how: String, _ log: AuditLog,
    _ findings: inout [Finding]
  ) {
    let name = log.text(place.recorder) ?? ""
    let whose = name.isEmpty ? "" : " of \(name)"
    let pushes = tally.count == 1 ? "1 push" : "\(tally.count) pushes"
    let verb = tally.count == 1 ? "does" : "do"
    findings.append(
      Finding(
        MalformedPayload.info, verdict, tally: tally, identity: [name, place.member],
        message: "\(pushes)\(whose) \(verb) not carry \(place.member)\(how)"))
  }
}
