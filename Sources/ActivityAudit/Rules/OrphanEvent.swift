internal import ActivityCore

/// Acts on activities that nobody was seen to start.
package struct OrphanEvent: AuditRule {
  package static var wants: LifeTraits { .startless }

  package init(_ settings: RuleSettings) {}

  package static let info = RuleInfo(
    id: "orphan-event", severity: .warning,
    summary: "updates or ends of activities whose start is not in the log",
    reason: "A card whose start nobody records is a card that nobody remembers to end.",
    condition: """
      An activity's first row is an update or an end, and no start, token, state or other activity \
      of its key came in the 12 hours before. One finding for each recorder. Nothing is said of \
      the log's first 12 hours, nor of the 12 hours after a time that a recorder says it lost.
      """,
    advice: """
      Record starts too, in the app and where pushes start activities; record the update token of \
      a push-started card with its activity id.
      """,
    scope: .recorder,
    fires: [
      RuleExample(
        "the server pushes to a card nobody started",
        """
        0m start A source=app device=phone content
        10m end A source=app device=phone
        12h40m update source=push token=t9 key=K9 status=200 content
        12h56m end source=push token=t9 key=K9 status=200
        """, finds: .inferred)
    ],
    passes: [
      RuleExample(
        "it may have begun before the log did",
        """
        0m update source=push token=t9 key=K9 status=200 content
        1h end source=push token=t9 key=K9 status=200
        """),
      RuleExample(
        "the key was started under another name",
        """
        0m inventory device=phone
        13h start source=push token=s1 key=K9 alert content status=200
        13h1m update source=push token=t9 key=K9 status=200 content
        14h end source=push token=t9 key=K9 status=200
        """),
    ])

  private struct Orphan {
    var entry: Entry
    var device: Entry.Word
  }

  private static let silence = Timestamp.Span(microseconds: Relations.keyReach)
  private var orphans: [Entry.Word: [Orphan]] = [:]

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard life.isOpen, !life.hasStart, !life.isChannel,
      let first = life.entries.first, first.kind == .update || first.kind == .end,
      !life.entries.contains(where: { $0.kind == .start })
    else { return }
    let log = life.log
    let from = first.at - OrphanEvent.silence
    guard from >= log.begin, !log.relations.isKnown(life, from: from) else { return }
    guard !log.hasAnyHole(from: from, until: first.at) else { return }
    orphans[first.recorder, default: []].append(
      Orphan(entry: first, device: Entry.Word(life.device)))
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    for (recorder, unsorted) in orphans {
      let found = unsorted.sorted { ($0.entry.at, $0.entry.seq) < ($1.entry.at, $1.entry.seq) }
      guard let first = found.first, let last = found.last else { continue }
      let name = log.text(recorder)
      let whose = name.map { " of \($0)" } ?? ""
      var finding = Finding(
        OrphanEvent.info, .inferred, identity: [name ?? ""], from: first.entry.at,
        until: last.entry.at, evidence: found.map(\.entry.seq),
        message: "acts\(whose) on \(Wording.count(found.count, "card")) that nothing started")
      finding.count = found.count
      finding.devices = Set(found.map(\.device)).subtracting([Entry.Word(-1)]).count
      findings.append(finding)
    }
  }
}
