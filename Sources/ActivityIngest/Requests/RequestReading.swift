internal import ActivityCore

/// From a record of requests to APNs to events.
struct RequestReading {
  private let record: JSONSlice?
  let found: RequestFields
  let parts: RequestParts
  let time: SourceTime
  /// A time that stands before the record.
  private let lead: Timestamp?

  /// - Parameters:
  ///   - record: the object whose members are kept when nothing took them; nil for text.
  ///   - lead: a time that stands before it.
  init(_ found: RequestFields, of record: JSONSlice?, lead: Timestamp?, _ time: SourceTime) {
    self.found = found
    self.record = record
    self.lead = lead
    self.time = time
    parts = RequestParts(found, time)
  }

  /// Reads a record as it is.
  init(_ record: SourceRecord, _ time: SourceTime) {
    if let json = record.json {
      self.init(RequestFields(json), of: json, lead: nil, time)
      return
    }
    let text = RequestText(record.bytes)
    var found = RequestFields()
    text.take(into: &found, [])
    let lead = text.beginnings.lazy.compactMap { time.instant($0) }.first
    if lead == nil, let zoneless = text.beginnings.first(where: { time.lacksZone($0) }) {
      RequestText.add("time", zoneless, to: &found)
    }
    self.init(found, of: nil, lead: lead, time)
  }

  /// What a record is, before anything is made of it.
  enum Content {
    case batch
    case act(APNsPayload)
    case hook(String)
    case noEvent
    case ordinary
    case results
    case answer
    case broken
    case noPayload
    case channels
    case nothing
  }

  var content: Content {
    if let payload = found.payload {
      if let act = APNsPayload(payload.value) { return .act(act) }
      return parts.isLive == true ? .noEvent : .ordinary
    }
    if !found.batch.isEmpty { return .batch }
    if let hook = hook { return hook }
    if !found.results.isEmpty { return .results }
    if parts.isLive == false { return .ordinary }
    if isAnswer { return .answer }
    if found.isBroken { return .broken }
    return parts.isLive == true && parts.isAPNs ? .noPayload : .nothing
  }

  /// Whether it tells of a request to somebody else than APNs.
  var isForOthers: Bool { parts.isForOthers }

  /// Whether it has what only requests to APNs have.
  var isSure: Bool {
    parts.topic != nil || parts.pushType != nil || parts.apnsID != nil
      || parts.tokens.contains { TokenText.looksLikeToken($0) }
  }

  /// Hooks of a library around each try: what it did, without the payload.
  private var hook: Content? {
    guard let word = found.fields.first(where: { $0.key == "operation" })?.text,
      found.fields.contains(where: { $0.key == "isfinalattempt" || $0.key == "snapshotid" })
    else { return nil }
    switch word {
    case "start", "update", "end":
      return parts.tokens.isEmpty && parts.apnsID == nil ? nil : .hook(word)
    case "alert": return .ordinary
    case "broadcast": return .answer
    default: return .channels
    }
  }

  private var isAnswer: Bool {
    guard !parts.answer.isEmpty, !parts.facts.isForOthers else { return false }
    if parts.apnsID != nil || parts.channel != nil { return true }
    if parts.tokens.contains(where: { TokenText.looksLikeToken($0) }) { return true }
    if let reason = parts.answer.reason, RequestAnswer.statuses[reason] != nil {
      return parts.joinID != nil || !parts.tokens.isEmpty
    }
    // Any answer, and any error, may carry the id of a request that also pushed.
    return parts.joinID != nil && namesPushes
  }

  /// Texts that say what a record is about; the name of a service stands on all its records.
  private static let telling: Set<String> = [
    "msg", "message", "type", "kind", "operation", "action", "step", "event", "error", "err",
    "description", "host", "target", "call", "stage", "phase",
  ]

  /// Whether a name or a text of it tells of APNs or of pushes.
  private var namesPushes: Bool {
    found.fields.contains { field in
      let text = Self.telling.contains(field.key) ? field.text : nil
      return (field.path + [text ?? ""]).contains {
        let text = $0.lowercased()
        return text.contains("apns") || text.contains("push")
      }
    }
  }

  /// What the record says by itself.
  func events(into events: inout [EventDraft]) -> RecordOutcome {
    var memory = RequestMemory()
    return self.events(&memory, into: &events)
  }

  /// What it says to somebody who remembers the requests before it.
  func events(
    _ memory: inout RequestMemory, into events: inout [EventDraft]
  ) -> RecordOutcome {
    let content = content
    if found.fields.count > EventDraft.membersMax
      || found.batch.count * found.fields.count > Self.inheritedMax
    {
      return .refused(
        code: "too-many-members",
        sentence: "The record has more than \(EventDraft.membersMax) members around its payload; "
          + "log fewer.")
    }
    remember(content, in: &memory)
    if let zoneless = parts.zoneless, lead == nil {
      switch content {
      case .act, .hook, .results, .answer:
        return .refused(
          code: "no-zone",
          sentence: "The time \"\(zoneless)\" names no zone; say which one with --tz, for example "
            + "--tz +01:00.")
      default: break
      }
    }
    switch content {
    case .batch: return readBatch(&memory, into: &events)
    case .act(let payload):
      if let refusal = addActs(payload.event, payload, memory, into: &events) { return refusal }
    case .hook(let word):
      if let refusal = addActs(word, nil, memory, into: &events) { return refusal }
    case .results:
      if let refusal = addResults(nil, memory, into: &events) { return refusal }
    case .answer:
      if let refusal = addAnswer(memory, into: &events) { return refusal }
    case .ordinary: return .skipped("an ordinary push")
    case .channels: return .skipped("management of channels")
    case .nothing: return .skipped("no push to a Live Activity")
    case .noEvent, .broken, .noPayload: return refusal(content)
    }
    if events.isEmpty { return .skipped("no push to a Live Activity") }
    return events.contains { !$0.isEmpty }
      ? .events : .skipped("an answer to an ordinary push, or to one of several")
  }

  private func refusal(_ content: Content) -> RecordOutcome {
    switch content {
    case .noEvent:
      .refused(
        code: "no-event",
        sentence: "A push to a Live Activity needs \"event\" in its aps: start, update or end; the "
          + "device ignores one without.")
    case .broken:
      .refused(
        code: "payload-broken",
        sentence: "There is an aps, but its JSON is cut off, or is another language's spelling; "
          + "log the very text that is sent.")
    default:
      .refused(
        code: "no-payload",
        sentence: "A push to a Live Activity without its payload and without an answer; log the "
          + "payload beside the headers.")
    }
  }

  private func readBatch(
    _ memory: inout RequestMemory, into events: inout [EventDraft]
  ) -> RecordOutcome {
    var outcomes: [RecordOutcome] = []
    for element in found.batch where element.type == .object {
      var inner = RequestFields(element)
      inner.inherit(found)
      let reading = RequestReading(inner, of: element, lead: lead, time)
      outcomes.append(reading.events(&memory, into: &events))
    }
    if events.contains(where: { !$0.isEmpty }) { return .events }
    return outcomes.first ?? .skipped("no push to a Live Activity")
  }

  // MARK: Acts

  /// How many bytes the events of one record can have together.
  private static let multipliedMax = 16 << 20
  private static let inheritedMax = 1 << 20

  /// - Returns: why there are none.
  private func addActs(
    _ word: String, _ payload: APNsPayload?, _ memory: RequestMemory,
    into events: inout [EventDraft]
  ) -> RecordOutcome? {
    if !found.results.isEmpty { return addResults((word, payload), memory, into: &events) }
    var handles: [String?] = parts.tokens
    if handles.isEmpty { handles = [nil] }
    for token in handles {
      let act = act(
        word, payload, token: token, isAlone: handles.count == 1, parts.answer)
      if let refusal = tooMany(act, handles.count) { return refusal }
      events.append(act)
      if let error = parts.answer.error { addFailure(error, of: act, into: &events) }
    }
    return nil
  }

  /// Why there cannot be so many events like this one from one record.
  func tooMany(_ draft: EventDraft, _ count: Int) -> RecordOutcome? {
    guard count > 1, draft.byteCount * count > Self.multipliedMax else { return nil }
    return .refused(
      code: "too-many-tokens",
      sentence: "The record would be more than 16 MiB of events, one for each of its \(count) "
        + "tokens; log each push on a record of its own.")
  }

  /// An act; one of several to different tokens has no id of its own, or they would be one act.
  func act(
    _ word: String, _ payload: APNsPayload?, token: String?, isAlone: Bool,
    _ answer: RequestAnswer
  ) -> EventDraft {
    var draft = EventDraft(APNsPayload.kind(asked: word))
    draft.set("at", instant: at)
    draft.set("source", text: parts.isBroadcast ? "broadcast" : "push")
    draft.set("token", text: token)
    draft.set("channel", text: parts.channel)
    if let id = parts.apnsID {
      if isAlone { draft.set("apns-id", text: id) } else { draft.keepRaw("apns-id", id) }
    } else if isAlone, answer.isEmpty, let id = parts.joinID, !(parts.isTrace && word == "start") {
      draft.set("apns-id", text: joined(id, word, token: token))
    }
    draft.set("bytes", number: found.payload?.bytes.map { Int64($0) })
    parts.take(into: &draft)
    payload?.take(into: &draft)
    if payload?.isMisspelled == true { draft.set("aps-key", text: "events") }
    answer.take(into: &draft, time)
    keepRest(in: &draft)
    return draft
  }

  /// When it happened: by the record, the text before it, or a payload of our days.
  var at: Timestamp? {
    parts.at ?? lead
      ?? found.payload?.value["aps"]?["timestamp"].flatMap { value in
        let isToday = Timestamp(unixSeconds: value.spelling).map {
          (1_500_000_000..<4_000_000_000).contains($0.wholeSeconds)
        }
        return isToday == true ? Timestamp(unixSeconds: value.spelling) : nil
      }
  }

  func keepRest(in draft: inout EventDraft) {
    guard let record else { return }
    var leftovers = RequestLeftovers(found, parts.facts)
    leftovers.keep(record, in: &draft)
  }
}
