internal import ActivityCore

/// Answers that stand on records of their own, in lists, or beside their acts.
extension RequestReading {
  /// Under its own id; and where the request may have been logged without that id, also by token
  /// or by the other id of the record.
  func addAnswer(into events: inout [EventDraft]) {
    if let id = parts.apnsID, parts.tokens.count < 2 {
      addAnswer(id: id, token: nil, into: &events)
    }
    for token in parts.tokens { addAnswer(id: nil, token: token, into: &events) }
    if parts.tokens.isEmpty, let id = parts.joinID {
      addAnswer(id: "join:\(id)", token: nil, into: &events)
    }
    if events.isEmpty { addAnswer(id: nil, token: nil, into: &events) }
  }

  private func addAnswer(id: String?, token: String?, into events: inout [EventDraft]) {
    var draft = EventDraft(parts.answer.error == nil ? "response" : "failure")
    draft.set("at", instant: at)
    draft.set("apns-id", text: id)
    draft.set("token", text: token)
    draft.set("channel", text: parts.channel)
    parts.answer.error?.take(into: &draft)
    parts.answer.take(into: &draft, time)
    parts.take(into: &draft)
    if id != parts.apnsID, let own = parts.apnsID { draft.keepRaw("apns-id", own) }
    keepRest(in: &draft)
    events.append(draft)
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
    _ sent: (word: String, payload: APNsPayload?)?, into events: inout [EventDraft]
  ) {
    for (value, isSent) in found.results {
      let each = RequestResult(value, isSent: isSent)
      if let sent {
        var act = act(
          sent.word, sent.payload, token: each.token ?? parts.tokens.first,
          isAlone: found.results.count == 1, each.answer)
        keepRest(in: &act)
        events.append(act)
        if let error = each.answer.error { addFailure(error, of: act, into: &events) }
        continue
      }
      // Once by its id, once by its token: the request may have been logged without the id.
      let ids = [each.apnsID, each.token == nil ? parts.apnsID : nil].compactMap { $0 }.prefix(1)
      for id in ids { addResult(each, id: id, token: nil, into: &events) }
      if each.token != nil || ids.isEmpty {
        addResult(each, id: nil, token: each.token, into: &events)
      }
    }
  }

  private func addResult(
    _ each: RequestResult, id: String?, token: String?, into events: inout [EventDraft]
  ) {
    var draft = EventDraft(each.answer.error == nil ? "response" : "failure")
    draft.set("at", instant: at)
    draft.set("apns-id", text: id)
    draft.set("token", text: token)
    each.answer.error?.take(into: &draft)
    each.answer.take(into: &draft, time)
    parts.take(into: &draft)
    if id == nil, let own = each.apnsID { draft.keepRaw("apns-id", own) }
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
