internal import ActivityCore

/// From log lines to events: what a pattern finds, whose it is, and what it is called.
struct MessageEvents: Sendable {
  private let dialect: String
  private let table: PatternTable
  private let device: String?
  private let recorder: String?
  private var identities = RedactedIdentities()
  /// Kinds that are not about one card.
  private static let cardless: Set<String> = [
    "work", "authorization", "channel", "inventory", "coverage", "response",
  ]

  init(_ dialect: String, _ settings: SourceSettings) {
    self.dialect = dialect
    table = settings.patterns.map { $0.followed(by: .builtIn) } ?? .builtIn
    device = settings.constants.first { $0.name == "device" }?.value
    recorder = settings.constants.first { $0.name == "recorder" }?.value
  }

  mutating func read(
    _ message: LogMessage, of record: SourceRecord, into events: inout [EventDraft]
  ) -> RecordOutcome {
    guard let (pattern, captures) = table.match(message) else {
      return .skipped(
        message.isPrivate ? "the whole message is private" : "a line that no pattern knows")
    }
    guard pattern.event != nil else {
      return .skipped("known lines that say nothing of one card: \(pattern.id)")
    }
    if let refusal = Self.refusal(of: message.time) { return refusal }
    let found = FoundLine(message, record, pattern, captures)
    let count = events.count
    if table.isSystem(message.process) {
      readSystem(found, into: &events)
    } else if pattern.asks, found.subject == .absent {
      ask(found)
    } else {
      readApp(found, into: &events)
    }
    return events.count > count
      ? .events : .skipped("asks for a card that only a later line names")
  }

  /// What was asked for and never named.
  mutating func finish(into events: inout [EventDraft]) {
    for (place, asked) in identities.finish() {
      var draft = EventDraft("coverage")
      let at = asked.draft["at"]?.string.flatMap { Timestamp(rfc3339: $0) }
      draft.set("at", instant: at)
      draft.set("id", text: id(asked.key, "asked"))
      draft.set("recorder", text: recorder ?? place.device)
      draft.set("device", asked.draft["device"])
      draft.setHole(at)
      draft.set("pattern", asked.draft["pattern"])
      events.append(draft)
    }
  }

  private static func refusal(of time: LogMessage.Time) -> RecordOutcome? {
    switch time {
    case .instant, .none: nil
    case .noZone:
      .refused(
        code: "no-zone",
        sentence: "The time names no zone; say which one the log was written in: --tz +01:00, or "
          + "TZ=Europe/Berlin activitylog … --tz local.")
    case .noDate:
      .refused(
        code: "no-date",
        sentence: "The line has a time of day and no whole date; print dates as "
          + "2026-11-20T18:04:05.123+01:00, or put them in front of the lines.")
    case .bad:
      .refused(
        code: "bad-time",
        sentence: "The time cannot be read; log show writes 2026-11-20 18:04:05.123456+0100.")
    }
  }

  // MARK: Whose it is

  private func deviceName(_ message: LogMessage) -> String? {
    if let device { return device }
    if !message.boot.isEmpty { return "boot:" + message.boot.prefix(8) }
    return message.host.isEmpty || message.host == "localhost" ? nil : message.host
  }

  private func place(_ found: FoundLine) -> RedactedIdentities.Place {
    let message = found.message
    let process = message.pid.isEmpty ? message.process : message.pid
    return RedactedIdentities.Place(
      device: deviceName(message) ?? recorder ?? dialect, boot: message.boot,
      process: found.aboutProcess ?? (process.isEmpty ? "app" : process))
  }

  private mutating func ask(_ found: FoundLine) {
    identities.ask(
      place(found),
      RedactedIdentities.Asked(
        draft: draft(found), key: found.key, n: found.number, at: found.at, number: 0))
  }

  /// Lines of the system's processes: evidence. Only a line that names its card, or the process of
  /// its card, can be given to one.
  private mutating func readSystem(_ found: FoundLine, into events: inout [EventDraft]) {
    let event = found.event
    if let name = found.subject.name {
      return add(found, event, name, byMemory: false, &events)
    }
    if event == "failure", found.value("operation") == "request" {
      let name = RedactedIdentities.name(place(found), found.number)
      return add(found, event, name, byMemory: false, &events)
    }
    var name: String?
    if found.aboutProcess != nil {
      name = identities.only(
        place(found), key: nil, anyName: true, isEnd: false, at: found.at)
    }
    addOrCount(found, event, name, &events)
  }

  private mutating func readApp(_ found: FoundLine, into events: inout [EventDraft]) {
    let place = place(found)
    let event = found.event
    if Self.cardless.contains(event) {
      return add(found, event, found.subject.name, byMemory: false, &events)
    }
    let isEnd = event == "end" || event == "dismiss" || found.showsEnd
    if event == "start" {
      let name = identities.start(
        place, named: found.subject.name, key: found.value("key"), n: found.number, at: found.at)
      return tell(found, place, name, byMemory: false, &events)
    }
    if let name = found.subject.name {
      if event != "failure" {
        identities.see(place, named: name, isEnd: isEnd, at: found.at)
      }
      return tell(found, place, name, byMemory: false, &events)
    }
    if event == "failure", found.value("operation") == "request" {
      let name = identities.fail(place, n: found.number, at: found.at)
      return add(found, event, name, byMemory: true, &events)
    }
    if found.subject == .redacted {
      for asked in identities.release(place, at: found.at) {
        var draft = asked.draft
        let name = RedactedIdentities.name(place, asked.n)
        draft.set("activity-id", text: name)
        draft.set("id", text: id(asked.key, name))
        events.append(draft)
      }
    }
    let name = identities.only(
      place, key: found.value("key"), anyName: found.subject == .absent, isEnd: isEnd,
      at: found.at)
    guard let name else { return addOrCount(found, event, nil, &events) }
    tell(found, place, name, byMemory: true, &events)
  }

  /// An act is told once: the second telling, by the other of app and system library, is evidence.
  private mutating func tell(
    _ found: FoundLine, _ place: RedactedIdentities.Place, _ name: String, byMemory: Bool,
    _ events: inout [EventDraft]
  ) {
    let event = found.event
    guard event == "start" || event == "update" || event == "end" else {
      return addOrCount(found, event, name, byMemory: byMemory, &events)
    }
    let isRetold = identities.isRetold(
      place, event, name, isOfFramework: found.pattern.isOfFramework, at: found.at)
    guard isRetold else { return add(found, event, name, byMemory: byMemory, &events) }
    var draft = begin(found, "state", id: id(found.key, "retold \(event) \(name)"))
    draft.set("activity-id", text: name)
    draft.set("state", text: event == "end" ? "ended" : "active")
    draft.set("pattern", text: found.pattern.id)
    events.append(draft)
  }

  // MARK: What it is called

  /// What came of a line by memory gets an id of its own: another piece of the same log, that
  /// begins later, may remember less and say something else.
  private func id(_ key: [UInt8], _ memory: String?) -> String {
    let source = memory.map { key + Array("\n\($0)".utf8) } ?? key
    return "\(dialect):" + TokenDigest.sha256(source).prefix(16).hexText
  }

  private func begin(_ found: FoundLine, _ event: String, id: String?) -> EventDraft {
    var draft = EventDraft(event)
    draft.set("at", instant: found.instant)
    draft.set("id", text: id)
    draft.set("recorder", text: recorder ?? deviceName(found.message))
    draft.set("device", text: deviceName(found.message))
    if !table.isSystem(found.message.process) {
      draft.set("bundle-id", text: found.message.bundle)
    }
    return draft
  }

  /// Everything but id and name of the card.
  private func draft(_ found: FoundLine) -> EventDraft {
    var draft = begin(found, found.event, id: nil)
    found.take(into: &draft)
    return draft
  }

  private func add(
    _ found: FoundLine, _ event: String, _ name: String?, byMemory: Bool,
    _ events: inout [EventDraft]
  ) {
    var draft = begin(found, event, id: id(found.key, byMemory ? "\(event) \(name ?? "")" : nil))
    draft.set("activity-id", text: name)
    found.take(into: &draft)
    events.append(draft)
  }

  /// An event where there is a card to give it to, known or by its key, and what it needs; else one
  /// line is lost, and kept.
  private func addOrCount(
    _ found: FoundLine, _ event: String, _ name: String?, byMemory: Bool = true,
    _ events: inout [EventDraft]
  ) {
    if let name, event != "token" || found.value("token") != nil {
      return add(found, event, name, byMemory: byMemory, &events)
    }
    if name == nil, event != "token", found.value("key") != nil {
      return add(found, event, nil, byMemory: byMemory, &events)
    }
    var draft = begin(found, "coverage", id: id(found.key, "unknown"))
    draft.setHole(found.instant)
    if let name { draft.set("activity-id", text: name) }
    draft.set("token", text: found.value("token"))
    draft.set("key", text: found.value("key"))
    draft.set("message", text: found.scrubbedMessage)
    draft.set("pattern", text: found.pattern.id)
    events.append(draft)
  }
}

extension EventDraft {
  /// One line that redaction took: a moment, so that nothing else is in doubt.
  fileprivate mutating func setHole(_ at: Timestamp?) {
    set("from", instant: at)
    set("until", instant: at)
    set("lost", number: 1)
    set("why", text: "redacted")
  }
}
