internal import ActivityCore

/// Answers that stand on records of their own, in lists, or beside their acts.
extension RequestReading {
  /// One response for each token it names, paired by what earlier records say; one to an ordinary
  /// push is none, and only keeps its place.
  func addAnswer(
    _ memory: RequestMemory, into events: inout [EventDraft]
  ) -> RecordOutcome? {
    // One id cannot be that of pushes to several tokens.
    let isAlone = parts.tokens.count < 2
    var tokens: [String?] = parts.tokens
    if tokens.isEmpty { tokens = [nil] }
    for token in tokens {
      let pairing = pairing(id: isAlone ? parts.apnsID : nil, token: token, memory)
      guard pairing != .ordinary else {
        events.append(EventDraft())
        continue
      }
      var draft = EventDraft(parts.answer.error == nil ? "response" : "failure")
      draft.set("at", instant: at)
      draft.pair(pairing, own: isAlone ? parts.apnsID : nil, token: token)
      draft.set("channel", text: parts.channel)
      parts.answer.error?.take(into: &draft)
      parts.answer.take(into: &draft, time)
      parts.take(into: &draft)
      if let own = parts.apnsID, pairing != .id(own) { draft.keepRaw("apns-id", own) }
      keepRest(in: &draft)
      if let refusal = tooMany(draft, tokens.count) { return refusal }
      events.append(draft)
    }
    return nil
  }

  /// Why an act of the same record had no answer: it has the act's handles and headers.
  func addFailure(
    _ error: RequestError, of act: EventDraft, into events: inout [EventDraft]
  ) {
    var draft = EventDraft("failure")
    for name in ["at", "apns-id", "token", "channel", "attempt", "final"] {
      draft.set(name, act[name])
    }
    error.take(into: &draft)
    for name in ["host", "environment", "bundle-id", "recorder"] { draft.set(name, act[name]) }
    events.append(draft)
  }

  /// A list of answers, one a token; with what was sent, where the record has that too.
  func addResults(
    _ sent: (word: String, payload: APNsPayload?)?, _ memory: RequestMemory,
    into events: inout [EventDraft]
  ) -> RecordOutcome? {
    for (value, isSent) in found.results {
      let each = RequestResult(value, isSent: isSent)
      if let sent {
        let act = act(
          sent.word, sent.payload, token: each.token ?? parts.tokens.first,
          isAlone: found.results.count == 1, each.answer)
        if let refusal = tooMany(act, found.results.count) { return refusal }
        events.append(act)
        if let error = each.answer.error { addFailure(error, of: act, into: &events) }
        continue
      }
      addResult(each, memory, into: &events)
      if let last = events.last, let refusal = tooMany(last, found.results.count) {
        events.removeAll()
        return refusal
      }
    }
    return nil
  }

  private func addResult(
    _ each: RequestResult, _ memory: RequestMemory, into events: inout [EventDraft]
  ) {
    let own = each.apnsID ?? (each.token == nil ? parts.apnsID : nil)
    let pairing = pairing(id: own, token: each.token, memory)
    guard pairing != .ordinary else { return events.append(EventDraft()) }
    var draft = EventDraft(each.answer.error == nil ? "response" : "failure")
    draft.set("at", instant: at)
    draft.pair(pairing, own: own, token: each.token)
    each.answer.error?.take(into: &draft)
    each.answer.take(into: &draft, time)
    parts.take(into: &draft)
    if let own, pairing != .id(own) { draft.keepRaw("apns-id", own) }
    keepRest(in: &draft)
    events.append(draft)
  }
}

/// One answer of a list.
private struct RequestResult {
  let token: String?
  let apnsID: String?
  let answer: RequestAnswer

  init(_ value: JSONSlice, isSent: Bool) {
    if let token = value.string {
      self.token = token
      apnsID = nil
      var facts = RequestFacts([])
      answer = RequestAnswer(&facts, isAPNs: true, isSent: isSent)
      return
    }
    var inner = RequestFields(value)
    let tokenNames = ["device", "token", "devicetoken"]
    token = inner.fields.first { tokenNames.contains($0.key) }?.text
    apnsID = inner.fields.first { $0.key == "apnsid" }?.text
    inner.fields.removeAll { tokenNames.contains($0.key) }
    var facts = RequestFacts(inner.fields)
    answer = RequestAnswer(&facts, isAPNs: true, isSent: isSent)
  }
}
