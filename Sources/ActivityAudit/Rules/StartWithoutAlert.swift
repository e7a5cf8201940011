internal import ActivityCore

/// Push starts that a device drops because they carry no alert.
package struct StartWithoutAlert: AuditRule {
  package static var wants: LifeTraits { .bareStart }

  package init(_ settings: RuleSettings) {}

  package static let info = RuleInfo(
    id: "start-without-alert", severity: .error,
    summary: "a push that starts an activity carries no alert",
    reason: "The device drops it, APNs answers 200, and nothing appears.",
    condition: """
      A start by push has no alert, or one without title and body; empty texts are enough. Rows of \
      a log that records neither content nor attributes of a start are not judged, nor is a start \
      by the app itself. Starts that malformed-payload reports are left to it. One finding for \
      each type and build.
      """,
    advice: "Put an alert into every push that starts; use empty texts where it should be silent.",
    scope: .typeAndBuild, yieldsTo: ["malformed-payload"], yielding: .sameRow, reads: .starts,
    fires: [
      RuleExample(
        "no alert",
        "0m start source=push token=s1 key=K timestamp=@0m content", finds: .confirmed),
      RuleExample(
        "an alert that says nothing",
        "0m start source=push token=s1 key=K timestamp=@0m alert={\"sound\":\"default\"} content",
        finds: .confirmed),
    ],
    passes: [
      RuleExample(
        "empty texts are enough",
        """
        0m start source=push token=s1 key=K timestamp=@0m alert={"title":"","body":""} content
        1m token A token-kind=update token=t1 key=K
        9m end A source=push token=t1 timestamp=@9m content
        """),
      RuleExample(
        "the app itself needs none",
        """
        0m start A source=app device=phone content
        9m end A source=app device=phone content
        """),
      RuleExample(
        "a log without payloads",
        """
        0m start source=push token=s1 key=K alert
        1m token A token-kind=update token=t1 key=K
        9m end A source=push token=t1
        """),
    ])

  private struct Bare {
    var entry: Entry
    var device: Entry.Word
    var card: Int
  }

  private var bare: [TypeAndBuild: [Bare]] = [:]

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    for entry in life.entries where entry.kind == .start && entry.isByPush {
      guard entry.hasContent || entry.hasAttributes else { continue }
      if entry.hasAlert {
        // Rows whose JSON is damaged say nothing.
        guard let facts = life.log.content(of: entry), !facts.hasTitle, !facts.hasBody else {
          continue
        }
      }
      bare[TypeAndBuild(life), default: []].append(
        Bare(entry: entry, device: life.deviceWord, card: life.number))
    }
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    let spoken = findings.rows(of: StartWithoutAlert.info.yieldsTo)
    for (scope, starts) in bare.sorted(by: { $0.key.precedes($1.key, log) }) {
      var tally = RowTally()
      for start in starts where !spoken.contains(start.entry.seq) {
        tally.add(start.entry, device: start.device, card: start.card)
      }
      guard tally.count > 0 else { continue }
      findings.append(
        Finding(
          StartWithoutAlert.info, .confirmed, tally: tally, scope, log,
          message: """
            \(Wording.count(tally.count, "push start")) without an alert; a device drops such a \
            start
            """))
    }
  }
}
