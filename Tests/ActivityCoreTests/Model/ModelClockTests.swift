internal import ActivityTestSupport
internal import Testing

@Suite("Model: what the clock brings, and the sent view")
struct ModelClockTests {
  @Test("Eight hours after S the system ends it; four hours later it is gone (C1, C3)")
  func limit() throws {
    let lines = [a("start", "6:00")]
    #expect(try life(lines, "13:59:59").phase == "active")
    let ended = try life(lines, "14:00")
    #expect(ended.phase == "ended")
    #expect(ended.since == time("14:00"))
    #expect(ended.endReason == "system-limit")
    #expect(ended.visibleUntil == time("18:00"))
    #expect(!ended.inferred)
    #expect(try life(lines, "18:00").phase == "dismissed")
  }

  @Test("An act at X is after the end, and so is an end (F1)")
  func actAtLimit() throws {
    let lines = [a("start", "6:00"), a("update", "14:00"), a("end", "14:01")]
    let card = try life(lines, "15:00")
    #expect(refusals(card) == ["2:after-end", "3:after-end"])
    #expect(card.endReason == "system-limit")
  }

  @Test("A scheduled start is pending until S, and X counts from S (F3, C1)")
  func scheduled() throws {
    let lines = [a("start", "8:00", "'start-date':\(seconds("10:00"))")]
    let pending = try life(lines, "9:00")
    #expect(pending.phase == "pending")
    #expect(pending.since == time("8:00"))
    #expect(pending.startedAt == time("10:00"))
    #expect(pending.visibleUntil == time("22:00"))
    #expect(try life(lines, "10:00").since == time("10:00"))
    #expect(try life(lines, "18:00").phase == "ended")
  }

  @Test("An end on a pending activity dismisses it (F5)")
  func endPending() throws {
    let lines = [a("start", "8:00", "'start-date':\(seconds("10:00"))"), a("end", "9:00")]
    let card = try life(lines, "9:00")
    #expect(card.phase == "dismissed")
    #expect(card.visibleUntil == time("9:00"))
  }

  @Test("Stale at the later of stale-date and when that content applied, until newer (C2, F4)")
  func stale() throws {
    let lines = [
      a("start", "10:00", "'stale-date':\(seconds("10:30"))"),
      a("update", "10:20", "'stale-date':\(seconds("10:05"))"),
      a("update", "10:40"),
    ]
    #expect(try life(lines, "10:19").phase == "active")
    let stale = try life(lines, "10:25")
    #expect(stale.phase == "stale")
    #expect(stale.since == time("10:20"))
    let card = try life(lines, "11:00")
    #expect(card.phase == "active")
    #expect(card.since == time("10:40"))
    #expect(card.staleDate == nil)
  }

  @Test("Active only because a push cleared a date that has passed is inferred (C5)")
  func clearedByPush() throws {
    let lines = [
      a("start", "10:00", "'stale-date':\(seconds("10:30"))"),
      a("update", "10:10", "'token':'t','status':200"),
    ]
    #expect(try !life(lines, "10:29:59").inferred)
    #expect(try life(lines, "10:30").phase == "active")
    #expect(try life(lines, "10:30").inferred)
    let app = [lines[0], a("update", "10:10", "'source':'app'")]
    #expect(try !life(app, "10:30").inferred)
  }

  @Test("Every dismissal policy gives its D (F5)")
  func dismissal() throws {
    let expected = [
      ("", "14:00"), ("'dismissal-policy':'default'", "14:00"),
      ("'dismissal-policy':'immediate'", "10:00"),
      ("'dismissal-date':\(seconds("10:15"))", "10:15"),
      ("'dismissal-date':\(seconds("15:00"))", "14:00"),
      ("'dismissal-date':\(seconds("9:00"))", "10:00"),
      ("'dismissal-policy':'immediate','dismissal-date':\(seconds("11:00"))", "11:00"),
    ]
    for (members, until) in expected {
      let end = members.isEmpty ? a("end", "10:00") : a("end", "10:00", members)
      let card = try life([a("start", "9:00"), end], "10:00")
      #expect(card.visibleUntil == time(until), "\(members)")
      #expect(card.phase == (until == "10:00" ? "dismissed" : "ended"))
    }
  }

  @Test("The reason of an end is its own, else comes from its source (F5)")
  func endReasons() throws {
    let expected = [
      ("'end-reason':'cancelled','source':'app'", "cancelled"), ("'source':'intent'", "app"),
      ("'source':'push','status':200", "push"), ("'source':'broadcast'", "broadcast"),
      ("'token':'t','status':200", "push"), ("'source':'person'", "person"),
      ("'source':'system'", "unknown"), ("'key':'K'", "unknown"),
    ]
    for (members, reason) in expected {
      let card = try life([a("start", "9:00"), a("end", "10:00", members)], "10:30")
      #expect(card.endReason == reason, "\(members)")
    }
  }

  @Test("An end on an unknown handle opens an activity already ended (F5)")
  func endOpens() throws {
    let card = try life([a("end", "10:00", "'content-state':{}")], "10:30")
    #expect(card.phase == "ended")
    #expect(card.startedAt == nil)
    #expect(card.startedBefore == time("10:00"))
    #expect(card.contentSeq == 1)
  }

  @Test("What the clock brings at a row's at came before the row (C4)")
  func tie() throws {
    let lines = [
      a("start", "10:00", "'stale-date':\(seconds("10:30"))"), a("update", "10:30"),
    ]
    #expect(try life(lines, "10:30").since == time("10:30"))
    #expect(try life(lines, "10:30").phase == "active")
  }

  @Test("The sender believes every act: refused, older, without alert (V1)")
  func sentView() throws {
    let lines = [
      a("start", "10:00", "'source':'push','status':400"),
      a("update", "10:05", "'timestamp':\(seconds("9:00")),'content-state':{}"),
      a("end", "10:10", "'source':'push','status':500"), a("update", "10:20"),
    ]
    let sent = try life(lines, "10:30", view: .sent)
    #expect(sent.startedAt == time("10:00"))
    #expect(sent.endedAt == time("10:10"))
    #expect(sent.contentSeq == 2)
    #expect(refusals(sent) == ["4:after-end"])
    #expect(!sent.inferred)
    let device = try life(lines, "10:30")
    #expect(device.startedBefore == time("10:05"))
    #expect(refusals(device) == ["1:refused", "3:refused"])
  }

  @Test("In the sent view evidence gives identity only (V1, V2)")
  func sentEvidence() throws {
    let lines = [
      line("update", "10:00", "'token':'t','status':200"),
      a("token", "10:01", "'token':'t','device':'D','build':'9'"),
      a("dismiss", "10:05"), line("state", "10:06", "'activity-id':'B','state':'active'"),
    ]
    let sent = try life(lines, "10:30", view: .sent)
    #expect(sent.name == "A")
    #expect(sent.device == "D")
    #expect(sent.build == "9")
    #expect(sent.phase == "active")
  }
}
