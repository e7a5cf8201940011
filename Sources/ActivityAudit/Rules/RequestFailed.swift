internal import ActivityCore

/// Activities that an app asked for and did not get.
package struct RequestFailed: AuditRule {
  private static let retry = RuleThreshold(
    "request-failed", "retry", 60, "seconds", "how soon another start makes up for it")
  private let retry: Timestamp.Span

  package static var wants: LifeTraits { .besideFailure }

  package init(_ settings: RuleSettings) { retry = settings.span(RequestFailed.retry) }

  package static let info = RuleInfo(
    id: "request-failed", severity: .error,
    summary: "ActivityKit refused to start an activity",
    reason: "The person was to get a card and got none; only the app knows.",
    condition: """
      A failure of operation request. Error when the device or the app has as many activities as \
      it may (the message says how many of the app's were live then) and for every case that is \
      the app's own fault; warning for visibility, a start from the background; info when the \
      person or the device does not allow them, and when a start of the key, or without a key of \
      the type on the device, succeeded within 60 seconds. What is too large belongs to \
      oversize-payload. One finding for each key (or device and type) and case.
      """,
    advice: """
      Visibility: start in the foreground, by an intent or by push. Maximum: end what is over, \
      first of all the cards that nobody ended. Denied: look at areActivitiesEnabled before \
      starting.
      """,
    scope: .activity, reads: .all, thresholds: [retry],
    fires: [
      RuleExample(
        "renewed from the background",
        "5h failure operation=request case=visibility device=phone key=K attributes-type=Run",
        finds: .confirmed),
      RuleExample(
        "no room for another card",
        """
        0m start A source=app device=phone content
        20m failure operation=request case=targetMaximumExceeded key=K device=phone
        30m end A source=app device=phone content=2
        """, finds: .confirmed),
      RuleExample(
        "a bare code, known from the field",
        "1h failure operation=request code=5 device=phone key=K attributes-type=Run",
        finds: .confirmed),
    ],
    passes: [
      RuleExample(
        "an update that failed is no start",
        """
        0m start A source=app device=phone content
        20m failure A operation=sign
        30m end A source=app device=phone content=2
        """)
    ])

  /// What failed: its key, or its device and type, and why.
  private struct Subject: Hashable {
    var device: Entry.Word
    var type: Entry.Word
    var key: Entry.Word
    var failure: RequestFailure
  }

  private struct Failed {
    var entry: Entry
    var subject: Subject
    var isMadeUp = false
    /// The cards that were live then: their first rows, and how many of them nobody ended.
    var live: [Int64] = []
    var left = 0
  }

  private var failed: [Failed]?
  /// By key, and by device: which failures to look at.
  private var ofKey: [Entry.Word: [Int]] = [:]
  private var ofDevice: [Entry.Word: [Int]] = [:]

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    gather(life.log)
    guard !(failed ?? []).isEmpty, life.isOpen else { return }
    for number in ofDevice[life.deviceWord] ?? [] where isLive(life, number) {
      failed?[number].live.append(life.entries.first?.seq ?? 0)
      if life.leak.verdict != nil { failed?[number].left += 1 }
    }
    guard let start = life.entries.first(where: { $0.kind == .start && $0.isAppliedAct }) else {
      return
    }
    let numbers = Set((ofKey[life.key] ?? []) + (ofDevice[life.deviceWord] ?? []))
    for number in numbers {
      guard let one = failed?[number], start.at >= one.entry.at, start.at - one.entry.at <= retry
      else { continue }
      let subject = one.subject
      let isSame =
        subject.key.isAbsent
        ? subject.device == life.deviceWord && subject.type == life.type
        : subject.key == life.key
          && (subject.device.isAbsent || life.deviceWord.isAbsent
            || subject.device == life.deviceWord)
      if isSame { failed?[number].isMadeUp = true }
    }
  }

  private func isLive(_ life: Timeline, _ number: Int) -> Bool {
    guard let one = failed?[number], one.subject.failure == .tooMany else { return false }
    let bundle = life.log.bundle(of: one.entry)
    guard bundle.isAbsent || life.bundle.isAbsent || bundle == life.bundle else { return false }
    let end = life.endedAt ?? min(life.limit, life.log.now)
    return life.opening <= one.entry.at && end > one.entry.at
  }

  /// Failures are few and known before the first life.
  private mutating func gather(_ log: AuditLog) {
    guard failed == nil else { return }
    var found: [Failed] = []
    log.forEachRow(of: .failure) { entry in
      guard log.text(entry.word) == "request" else { return }
      let failure = RequestFailure(entry, log)
      guard failure != .tooLarge else { return }
      let subject = Subject(
        device: log.device(of: entry), type: log.type(of: entry), key: entry.key,
        failure: failure)
      if !entry.key.isAbsent { ofKey[entry.key, default: []].append(found.count) }
      if !subject.device.isAbsent { ofDevice[subject.device, default: []].append(found.count) }
      found.append(Failed(entry: entry, subject: subject))
    }
    failed = found
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    gather(log)
    var groups: [Subject: [Failed]] = [:]
    for one in failed ?? [] { groups[one.subject, default: []].append(one) }
    for (subject, found) in groups {
      guard let first = found.first, let last = found.last else { continue }
      let name = log.contentText(log.content(of: first.entry)?.rare?.failureCase)
      let open = found.filter { !$0.isMadeUp }
      let identity = [subject.device, subject.type, subject.key].map { log.text($0) ?? "" }
      let fullest = open.max { $0.live.count < $1.live.count }
      let rows = found.prefix(2).map(\.entry.seq) + (fullest?.live.sorted() ?? [])
      var finding = Finding(
        RequestFailed.info, .confirmed, identity: identity + ["\(subject.failure)"],
        from: first.entry.at, until: last.entry.at, evidence: rows.filter { $0 > 0 },
        message: message(subject.failure, name, found, fullest),
        severity: open.isEmpty ? .info : subject.failure.severity)
      finding.count = found.count
      finding.key = log.text(subject.key)
      finding.device = log.text(subject.device)
      finding.attributesType = log.text(subject.type)
      finding.devices = subject.device.isAbsent ? 0 : 1
      finding.activityID = log.text(first.entry.activityID)
      if let name = finding.activityID ?? finding.key.map({ "key:\($0)" }) { finding.name = name }
      findings.append(finding)
    }
  }

  private func message(
    _ failure: RequestFailure, _ name: String?, _ found: [Failed], _ fullest: Failed?
  ) -> String {
    let starts = Wording.count(found.count, "start")
    let again = fullest == nil ? "; it succeeded within a minute" : ""
    let live = Wording.count(fullest?.live.count ?? 0, "card")
    let left = fullest?.left ?? 0
    let leaks = left > 0 ? ", \(left) of them left behind" : ""
    let why =
      switch failure {
      case .visibility: "the app was not in the foreground"
      case .tooMany:
        "no room for another card; \(live) live then\(leaks)"
      case .denied: "the person has switched Live Activities off"
      case .unsupported: "the device has no Live Activities"
      case .tooLarge, .other: name ?? "ActivityKit gives no reason that is known"
      }
    return "\(starts) refused: \(why)\(again)"
  }
}

extension RequestFailure {
  fileprivate var severity: Severity {
    switch self {
    case .tooMany, .other: .error
    case .visibility: .warning
    case .denied, .unsupported, .tooLarge: .info
    }
  }
}
