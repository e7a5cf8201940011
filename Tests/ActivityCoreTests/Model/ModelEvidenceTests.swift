internal import ActivityTestSupport
internal import Testing

@Suite("Model: evidence, and what it outranks")
struct ModelEvidenceTests {
  @Test("A state opens a life whose start is unknown, in any case of its word (F9)")
  func stateOpens() throws {
    let card = try life([a("state", "10:00", "'state':'Stale','content-state':{}")], "10:30")
    #expect(card.phase == "stale")
    #expect(card.startedBefore == time("10:00"))
    #expect(card.contentSeq == 1)
    #expect(try lives([a("state", "10:00", "'state':'weird'")], "10:30").isEmpty)
    #expect(try life([a("state", "10:00", "'state':'ended'")], "10:30").endedAt == time("10:00"))
  }

  @Test("Content of a state is shown and moves no mark (F2, F9)")
  func stateContent() throws {
    let lines = [
      a("start", "10:00"), a("state", "10:20", "'state':'active','content-state':{}"),
      a("update", "10:21", "'timestamp':\(seconds("10:01")),'content-state':{}"),
    ]
    #expect(try life(lines, "10:20").contentSeq == 2)
    let card = try life(lines, "10:30")
    #expect(card.contentSeq == 3)
    #expect(card.notApplied.isEmpty)
  }

  @Test("After active is shown, a stale date that has passed no longer counts (F9)")
  func activeAfterStale() throws {
    let lines = [
      a("start", "10:00", "'stale-date':\(seconds("10:10"))"),
      a("state", "10:20", "'state':'active'"),
    ]
    #expect(try life(lines, "10:15").since == time("10:10"))
    let card = try life(lines, "11:00")
    #expect(card.phase == "active")
    #expect(card.since == time("10:20"))
    #expect(card.staleDate == time("10:10"))
  }

  @Test("Stale shown while stale keeps its beginning; shown earlier it begins there (F9, F11)")
  func staleShown() throws {
    let start = a("start", "10:00", "'stale-date':\(seconds("10:10"))")
    #expect(try life([start, a("stale", "10:12")], "10:30").since == time("10:10"))
    #expect(try life([start, a("stale", "10:08")], "10:30").since == time("10:08"))
    #expect(
      try life([start, a("stale", "10:08"), a("update", "10:09")], "10:30").phase == "active")
  }

  @Test("A dismissal by the person is final (F10, F11)")
  func dismiss() throws {
    let lines = [
      a("start", "10:00"), a("dismiss", "10:10", "'by':'person'"),
      a("state", "10:20", "'state':'active'"), a("update", "10:30"),
    ]
    let card = try life(lines, "11:00")
    #expect(card.phase == "dismissed")
    #expect(card.since == time("10:10"))
    #expect(card.endedAt == time("10:10"))
    #expect(card.visibleUntil == time("10:10"))
    #expect(card.endReason == "person")
    #expect(refusals(card) == ["4:after-end"])
  }

  @Test("A dismissal after the end keeps the end and its reason (F11)")
  func dismissAfterEnd() throws {
    let lines = [a("start", "10:00"), a("end", "10:10", "'source':'app'"), a("dismiss", "10:15")]
    let card = try life(lines, "11:00")
    #expect(card.endedAt == time("10:10"))
    #expect(card.endReason == "app")
    #expect(card.visibleUntil == time("10:15"))
  }

  @Test("A dismissal on an unknown id opens an activity already over (F11)")
  func dismissOpens() throws {
    let card = try life([a("dismiss", "10:10")], "11:00")
    #expect(card.phase == "dismissed")
    #expect(card.startedBefore == time("10:10"))
    #expect(card.endReason == "unknown")
  }

  @Test("An end seen within five minutes of X is the system's (F9)")
  func systemLimitSeen() throws {
    let start = a("start", "10:00")
    let near = try life([start, a("state", "17:55", "'state':'ended'")], "18:30")
    #expect(near.endReason == "system-limit")
    #expect(near.endedAt == time("17:55"))
    #expect(near.visibleUntil == time("21:55"))
    let far = try life([start, a("state", "17:54:59", "'state':'ended'")], "18:30")
    #expect(far.endReason == "unknown")
  }

  @Test("Life shown at most 120 s after an end moves nothing; later it revives (F10)")
  func revival() throws {
    let lines = [a("start", "10:00"), a("end", "10:10")]
    let soon = lines + [a("state", "10:12", "'state':'active','content-state':{}")]
    #expect(try life(soon, "10:30").phase == "ended")
    #expect(try life(soon, "10:30").contentSeq == nil)
    let later = lines + [a("state", "10:12:01", "'state':'active'"), a("update", "10:20")]
    let card = try life(later, "10:30")
    #expect(card.phase == "active")
    #expect(card.since == time("10:12:01"))
    #expect(card.endedAt == nil)
    #expect(card.endReason == nil)
    #expect(card.updates == 1)
    #expect(card.visibleUntil == time("22:00"))
  }

  @Test("Life shown after X moves X, and the end by the clock never was (F10)")
  func shownAfterLimit() throws {
    let lines = [a("start", "10:00"), a("state", "18:01", "'state':'active'")]
    #expect(try life(lines, "18:00:30").phase == "ended")
    let card = try life(lines, "18:30")
    #expect(card.phase == "active")
    #expect(card.since == time("10:00"))
    #expect(card.visibleUntil == time("+1 6:01"))
    #expect(try life(lines, "+1 2:01").endedAt == time("+1 2:01"))
  }

  @Test("An id missing from a complete inventory of its device and type has ended (F8)")
  func absence() throws {
    func lines(_ inventory: String) -> [String] {
      [
        a("start", "10:00", "'device':'D','attributes-type':'Order'"),
        line("inventory", "11:00", inventory),
      ]
    }
    let card = try life(lines("'device':'D','complete':true,'activities':[]"), "11:30")
    #expect(card.endedAt == time("11:00"))
    #expect(card.inferred)
    #expect(card.lastSeq == 1)
    let others = [
      "'device':'D','activities':[]",
      "'device':'E','complete':true,'activities':[]",
      "'device':'D','complete':true,'attributes-type':'Ride','activities':[]",
      "'device':'D','complete':true,'activities':[{'activity-id':'A'}]",
    ]
    for inventory in others {
      #expect(try life(lines(inventory), "11:30").phase == "active")
    }
    let typed = "'device':'D','complete':true,'attributes-type':'Order','activities':[]"
    #expect(try life(lines(typed), "11:30").phase == "ended")
  }

  @Test("An inventory without device speaks only for activities of its recorder (F8)")
  func absenceByRecorder() throws {
    let inventory = line("inventory", "11:00", "'recorder':'phone','complete':true,'activities':[]")
    #expect(try life([a("start", "10:00"), inventory], "11:30").phase == "active")
    let lines = [a("start", "10:00"), inventory, a("update", "11:10", "'recorder':'phone'")]
    #expect(refusals(try life(lines, "11:30")) == ["3:after-end"])
  }

  @Test("Absence ends neither a pending activity nor one known only by its token (F8)")
  func absenceSpares() throws {
    let lines = [
      a("start", "10:00", "'device':'D','start-date':\(seconds("12:00"))"),
      line("update", "10:00", "'device':'D','token':'sha256:00'"),
      line("inventory", "11:00", "'device':'D','complete':true,'activities':[]"),
    ]
    #expect(try lives(lines, "11:30").map(\.phase) == ["pending", "active"])
  }

  @Test("Activities switched off end what lives on the device, also what is pending (F8)")
  func disabled() throws {
    let lines = [
      a("start", "10:00", "'device':'D'"),
      line("start", "10:00", "'activity-id':'B','device':'D','start-date':\(seconds("12:00"))"),
      line("start", "10:00", "'activity-id':'C','device':'E'"),
      line("authorization", "11:00", "'device':'D','enabled':false"),
    ]
    let cards = try lives(lines, "11:30")
    #expect(cards.map(\.phase) == ["ended", "dismissed", "active"])
    #expect(cards.map(\.endReason) == ["disabled", "disabled", nil])
    #expect(cards.map(\.inferred) == [false, false, false])
    #expect(cards[0].visibleUntil == time("15:00"))
  }

  @Test("A token row opens an active life; one of kind start does not (F11, R5)")
  func tokenOpens() throws {
    let card = try life([a("token", "10:00", "'token':'t','token-kind':'update'")], "10:30")
    #expect(card.phase == "active")
    #expect(card.startedBefore == time("10:00"))
    #expect(try lives([a("token", "10:00", "'token':'t','token-kind':'start'")], "11:00").isEmpty)
  }
}
