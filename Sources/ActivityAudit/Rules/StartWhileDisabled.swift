internal import ActivityCore

/// Starts on devices that do not allow Live Activities.
package struct StartWhileDisabled: AuditRule {
  private static let age = RuleThreshold(
    "start-while-disabled", "age", 86_400, "seconds",
    "how old the last word of a device may be and still count")
  private let age: Timestamp.Span
  private var authorizations: Authorizations?
  private var tallies: [DeviceAndType: Tally] = [:]
  private var said: [DeviceAndType: [Int64]] = [:]

  package static var wants: LifeTraits { .restrictedDevice }

  package init(_ settings: RuleSettings) { age = settings.span(StartWhileDisabled.age) }

  package static let info = RuleInfo(
    id: "start-while-disabled", severity: .warning,
    summary: "activities were started on a device where the person has switched them off",
    reason: "No card can appear; whoever waits for one waits for nothing.",
    condition: """
      A start (by the app, or a push that was not refused), or a request refused as denied, on a \
      device whose last authorization for the app, not older than a day, says enabled false. A \
      start that the device then shows alive does not count: what was known was old.
      """,
    advice: """
      Look at areActivitiesEnabled before starting; report its changes to the server, and send no \
      start while it is false.
      """,
    scope: .deviceAndType, thresholds: [age],
    fires: [
      RuleExample(
        "the server does not ask",
        """
        0m authorization device=phone bundle-id=com.example.a enabled=false
        20m start A source=push device=phone bundle-id=com.example.a alert content status=200
        """, finds: .confirmed),
      RuleExample(
        "the app asks for a card all the same",
        """
        0m authorization device=phone enabled=false
        20m start A source=app device=phone content
        21m end A source=app device=phone content=2
        """, finds: .confirmed),
    ],
    passes: [
      RuleExample(
        "switched on again",
        """
        0m authorization device=phone enabled=false
        10m authorization device=phone enabled=true
        20m start A source=app device=phone content
        30m end A source=app device=phone content=2
        """),
      RuleExample(
        "what was known was old: the card lives",
        """
        0m authorization device=phone enabled=false
        20m start A source=app device=phone content
        20m1s token A device=phone token=t1
        30m end A source=app device=phone content=2
        """),
      RuleExample(
        "another app of the device, and a word from two days ago",
        """
        0m authorization device=phone bundle-id=com.example.b enabled=false
        20m start A source=app device=phone bundle-id=com.example.a content
        30m end A source=app device=phone bundle-id=com.example.a content=2
        49h start B source=app device=phone bundle-id=com.example.b content
        49h10m end B source=app device=phone bundle-id=com.example.b content=2
        """),
    ])

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    let authorizations = self.authorizations ?? Authorizations(life.log)
    self.authorizations = authorizations
    guard !authorizations.isEmpty, !life.deviceWord.isAbsent,
      let start = life.entries.first(where: { $0.kind == .start && $0.isAppliedAct })
    else { return }
    note(start, life.bundle, DeviceAndType(life), card: life.number) {
      life.entries.contains {
        let isLife = $0.kind == .token || $0.kind == .stale || $0.shown.isLive
        return isLife && $0.at >= start.at
      }
    }
  }

  private mutating func note(
    _ start: Entry, _ bundle: Entry.Word, _ scope: DeviceAndType, card: Int,
    unless isAlive: () -> Bool
  ) {
    let row = authorizations?.disabled(on: scope.device, bundle: bundle, at: start.at)
    guard let row, start.at - row.at <= age, !isAlive() else { return }
    tallies[scope, default: Tally()].add(
      at: start.at, seq: start.seq, device: scope.device, card: card)
    said[scope, default: []].append(row.seq)
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    let authorizations = self.authorizations ?? Authorizations(log)
    self.authorizations = authorizations
    if !authorizations.isEmpty {
      log.forEachRow(of: .failure) { entry in
        guard log.text(entry.word) == "request", RequestFailure(entry, log) == .denied else {
          return
        }
        let scope = DeviceAndType(device: log.device(of: entry), type: log.type(of: entry))
        note(entry, log.bundle(of: entry), scope, card: -1) { false }
      }
    }
    for (scope, tally) in tallies {
      var finding = Finding(
        StartWhileDisabled.info, .confirmed, tally: tally, scope, log,
        message: """
          \(Wording.count(tally.count, "start")) while the device said that Live Activities are \
          switched off
          """)
      finding.rows.formUnion(said[scope] ?? [])
      findings.append(finding)
    }
  }
}
