internal import ActivityCore

/// Dates in a unit that no device reads.
package struct TimestampUnit: AuditRule {
  package static var wants: LifeTraits { .wrongDate }

  package init(_ settings: RuleSettings) {}

  package static let info = RuleInfo(
    id: "timestamp-unit", severity: .error,
    summary: "a timestamp or date is not in Unix seconds",
    reason: """
      The device takes the number as it is: a push lies thousands of years ahead and is dropped, a \
      card never goes stale or stays until the system takes it.
      """,
    condition: """
      An act's timestamp, stale-date, dismissal-date or start-date is 100 000 000 000 or more \
      (milliseconds), or between 600 000 000 and 970 000 000 while the act is 15 years or more \
      later (seconds since 2001). A warning, where content is read: one of a push is written as \
      text. One finding for each recorder and member. 0 and other dates in the past are no wrong \
      unit.
      """,
    advice: """
      Send whole Unix seconds in timestamp, stale-date and dismissal-date; only dates inside the \
      content follow the app's own decoding.
      """,
    scope: .recorder, isCause: true,
    fires: [
      RuleExample(
        "the end's dismissal date in milliseconds",
        """
        0m start A source=app device=phone content
        30m end A source=push timestamp=@30m dismissal-date=1767573000000 content
        """, finds: .confirmed),
      RuleExample(
        "a stale date in seconds since 2001",
        """
        0m start A source=app device=phone content
        5m update A source=push timestamp=@5m stale-date=789270000 content
        10m update A source=push timestamp=@10m stale-date=@30m content
        20m end A source=push timestamp=@20m content
        """, finds: .confirmed),
    ],
    passes: [
      RuleExample(
        "0 dismisses at once",
        """
        0m start A source=app device=phone content
        30m end A source=push timestamp=@30m dismissal-date=0 content
        """),
      RuleExample(
        "numbers in the content are the app's own",
        """
        0m start A source=app device=phone content-state={"eta":789270000,"ms":1767573000000}
        30m end A source=push timestamp=@30m dismissal-date=@35m content
        """),
    ])

  private enum Fault: Hashable {
    case unit(DateUnit)
    case text
  }

  private struct Place: Hashable {
    var recorder: Entry.Word
    var member: String
  }

  private var wrong: [Place: RowTally] = [:]
  private var faults: [Place: Set<Fault>] = [:]

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    let mayBeText = life.log.contentMarks.contains(.textDate)
    for entry in life.entries where entry.kind?.isContentAct ?? false {
      note(entry.stated, "timestamp", entry, life)
      note(entry.staleDate, "stale-date", entry, life)
      note(entry.date, entry.kind == .end ? "dismissal-date" : "start-date", entry, life)
      if mayBeText, entry.isByPush, life.log.content(of: entry)?.marks.contains(.textDate) ?? false
      {
        add(.text, "date", entry, life)
      }
    }
  }

  private mutating func note(
    _ value: Timestamp?, _ member: String, _ entry: Entry, _ life: Timeline
  ) {
    guard let unit = DateUnit.wrong(value, at: entry.at) else { return }
    add(.unit(unit), member, entry, life)
  }

  private mutating func add(_ fault: Fault, _ member: String, _ entry: Entry, _ life: Timeline) {
    let place = Place(recorder: entry.recorder, member: member)
    wrong[place, default: RowTally()].add(entry, of: life)
    faults[place, default: []].insert(fault)
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    let places = wrong.map { (name: log.text($0.key.recorder) ?? "", place: $0.key, $0.value) }
      .sorted { ($0.name, $0.place.member) < ($1.name, $1.place.member) }
    for (name, place, tally) in places {
      let faults = faults[place] ?? []
      let isText = faults == [.text]
      let what =
        isText
        ? "written as text"
        : faults.contains(.unit(.milliseconds))
          ? DateUnit.milliseconds.words : DateUnit.reference.words
      let whose = name.isEmpty ? "" : " of \(name)"
      findings.append(
        Finding(
          TimestampUnit.info, .confirmed, tally: tally, identity: [name, place.member],
          message: """
            \(place.member)\(whose) is \(what) in \(Wording.count(tally.count, "act")); a device \
            reads Unix seconds
            """, severity: isText ? .warning : nil))
    }
  }
}
