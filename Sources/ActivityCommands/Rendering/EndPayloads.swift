internal import ActivityAudit
internal import ActivityCore

/// `audit -o end-payloads`: one line for each card that a push can still end, and in closing why
/// there is none for the others. Nothing is sent.
struct EndPayloads {
  /// How long a card stays on the Lock Screen after the push.
  enum Dismissal: Sendable, Equatable {
    /// It leaves at once: it has been wrong for long enough.
    case immediate
    /// As the system does it without a date: up to 4 hours.
    case byDefault
    case after(Timestamp.Span)

    /// Reads `immediate`, `default`, or a length of up to 4 hours such as `15m`.
    init(_ text: String) throws(UsageError) {
      switch text {
      case "immediate": self = .immediate
      case "default": self = .byDefault
      default:
        guard let span = DurationText.parse(text), span <= SystemLimits().lingering else {
          throw UsageError(
            "--dismissal: '\(text)' is not immediate, default, or a time up to 4h", hint: "15m")
        }
        self = .after(span)
      }
    }

    /// The date the push carries, whole Unix seconds; nil for none.
    func date(at now: Timestamp) -> Int64? {
      switch self {
      case .immediate: now.wholeSeconds
      case .byDefault: nil
      case .after(let span): (now + span).wholeSeconds
      }
    }
  }

  let dismissal: Dismissal
  let now: Timestamp
  let time: TimeText

  func write(_ remedies: [EndRemedy], _ log: inout LogAccess, _ console: Console) throws {
    var contents: [Int64: PushContent] = [:]
    let seqs = remedies.filter { $0.isReachable }.flatMap { remedy in
      remedy.contentSeqs + [remedy.lostEndSeq].compactMap(\.self)
    }
    try log.rows(at: seqs) { contents[$0.seq] = PushContent($0) }
    var written = 0
    var json = JSONText()
    for remedy in remedies {
      guard case .push(let token) = remedy.reach else { continue }
      json.removeAll()
      line(remedy, token, contents).write(into: &json)
      try console.write(json.bytes)
      written += 1
    }
    close(remedies, written: written, console)
  }

  /// The first content that fits; one lost to damage is never replaced by an older one.
  private func line(
    _ remedy: EndRemedy, _ token: String, _ contents: [Int64: PushContent]
  ) -> PushLine {
    let said = remedy.lostEndSeq.flatMap { contents[$0]?.topic }
    var line = PushLine(
      schema: .end, event: .end, activityID: remedy.activityID, name: remedy.name, key: remedy.key,
      device: remedy.device, environment: remedy.environment, token: token,
      topic: said ?? PushLine.topic(ofBundle: remedy.bundleID), timestamp: remedy.timestamp,
      expiration: remedy.expiration, dismissalDate: dismissal.date(at: now))
    for seq in remedy.contentSeqs {
      guard let content = contents[seq] else { continue }
      if content.isDamaged {
        line.isContentDamaged = true
        return line
      }
      line.content = content.contentState
      if line.content != nil, line.fits() { return line }
      line.content = nil
    }
    return line
  }

  private func close(_ remedies: [EndRemedy], written: Int, _ console: Console) {
    var until: Timestamp?
    var (past, left, tokenless, gone) = (0, 0, 0, 0)
    for remedy in remedies {
      switch remedy.reach {
      case .push: break
      case .pastLimit(let instant):
        past += 1
        until = max(until ?? instant, instant)
      case .left: left += 1
      case .withoutToken: tokenless += 1
      case .tokenGone: gone += 1
      }
    }
    console.note(
      "\(Quantity.count(written, "end payload")) for \(Quantity.count(remedies.count, "card")) "
        + "left behind; nothing was sent")
    if let until {
      console.note("\(past) past 8 h: on screen until \(time.instant(until)) at the latest")
    }
    if tokenless > 0 { console.note("\(tokenless) without a known update token") }
    if gone > 0 { console.note("\(gone) whose token was answered 410") }
    if left > 0 { console.note("\(left) gone from the screen by now") }
  }
}

extension FindingFilter {
  /// Whether it asks only what a card answers too, and no finding is needed for it.
  private var asksOfCards: Bool {
    wanted.hold { name, _ in !["rule", "severity", "verdict"].contains(name) }
  }

  /// The remedies that an audit narrowed by this filter is about: those of cards it fits and that
  /// were left behind before `until`; where it, `--rule` or `--suppress` asks for findings, of
  /// these only those of findings.
  func remedies(
    of report: AuditReport, byRule: Bool, options: AuditOptions
  ) -> [EndRemedy] {
    let chosen = byRule || !asksOfCards ? report.remediesOfFindings : report.remedies
    return chosen.filter { remedy in
      let isLater = options.until.map { remedy.from >= $0 } ?? false
      let isEarlier = options.since.map { report.coverage.now < $0 } ?? false
      return !isLater && !isEarlier && matches(remedy)
    }
  }

  private func matches(_ remedy: EndRemedy) -> Bool {
    wanted.hold { name, values in
      let value: String? =
        switch name {
        case "activity-id": remedy.activityID
        case "attributes-type": remedy.attributesType
        case "build": remedy.build
        case "device": remedy.device
        case "key": remedy.key
        case "name": remedy.name
        // What only findings have was asked of them.
        default: values.first
        }
      return value.map(values.contains) ?? false
    }
  }
}

extension EndRemedy {
  var isReachable: Bool {
    if case .push = reach { return true }
    return false
  }
}
