internal import ActivityTestSupport
internal import Testing

@Suite("Model: acts, answers, and what is not applied")
struct ModelActTests {
  @Test("A refused push never took effect, whichever way the answer came (A1, A2)")
  func refusedEveryWay() throws {
    let answers: [[String]] = [
      [a("update", "10:05", "'token':'t','status':500,'content-state':{}")],
      [
        a("update", "10:05", "'source':'push','apns-id':'P','content-state':{}"),
        line("response", "10:06", "'apns-id':'P','status':400"),
      ],
      [
        a("update", "10:05", "'source':'push','recorder':'r','content-state':{}"),
        a("response", "10:06", "'recorder':'r','status':503"),
      ],
      [
        a("update", "10:05", "'source':'push','content-state':{}"),
        a("failure", "10:05:01", "'operation':'connect'"),
      ],
      [
        a("update", "10:05", "'source':'push','content-state':{}"),
        a("response", "10:05:01", "'reason':'TooManyRequests'"),
      ],
    ]
    for lines in answers {
      let card = try life([a("start", "10:00", "'content-state':{}")] + lines, "10:30")
      #expect(refusals(card) == ["2:refused"])
      #expect(card.contentSeq == 1)
      #expect(card.updates == 0)
      #expect(!card.inferred)
    }
  }

  @Test("An answer names the latest push at or before it, of its recorder and attempt (A1)")
  func whichAct() throws {
    let lines = [
      a("start", "10:00"),
      a("update", "10:01", "'source':'push','apns-id':'P','attempt':1"),
      a("update", "10:02", "'source':'push','apns-id':'P','attempt':2"),
      line("response", "10:03", "'apns-id':'P','attempt':1,'status':500"),
      a("update", "10:04", "'source':'push','recorder':'r'"),
      a("update", "10:05", "'source':'push','recorder':'q'"),
      a("response", "10:06", "'recorder':'r','status':429"),
      a("response", "10:06", "'status':429"),
    ]
    // The last response is of no recorder: the latest such pushes are 2 and 3, and 3 is later.
    #expect(refusals(try life(lines, "10:30")) == ["2:refused", "3:refused", "5:refused"])
  }

  @Test("The latest selected answer stands, and an answer later than T is not selected (A2)")
  func latestAnswer() throws {
    let lines = [
      a("start", "10:00"), a("end", "10:05", "'source':'push','apns-id':'P'"),
      line("response", "10:06", "'apns-id':'P','status':503"),
      line("response", "10:09", "'apns-id':'P','status':200"),
    ]
    #expect(try life(lines, "10:05:30").inferred)
    #expect(try life(lines, "10:07").phase == "active")
    let card = try life(lines, "10:09")
    #expect(card.endedAt == time("10:05"))
    #expect(card.endReason == "push")
    #expect(!card.inferred)
  }

  @Test("An act by the app has no answer (A3)")
  func appActs() throws {
    let card = try life([a("start", "10:00", "'source':'app','token':'t','status':500")], "10:30")
    #expect(card.phase == "active")
    #expect(!card.inferred)
  }

  @Test("A push without an answer counts, and what rests on it is inferred (C5)")
  func unanswered() throws {
    let lines = [a("start", "10:00"), a("update", "10:05", "'source':'push','content-state':{}")]
    #expect(try life(lines, "10:30").inferred)
    let app = lines + [a("update", "10:06", "'source':'app','content-state':{}")]
    #expect(try !life(app, "10:30").inferred)
  }

  @Test("An opening by an unanswered push is sure once the device showed life (C5)")
  func openingShown() throws {
    let push = a("start", "10:00", "'source':'push','alert':{}")
    #expect(try life([push], "10:30").inferred)
    #expect(try !life([push, a("state", "10:05", "'state':'active'")], "10:30").inferred)
    #expect(try life([push, a("token", "10:05", "'token':'t'")], "10:30").inferred)
  }

  @Test("Older content is not applied; equal is in order, in whole seconds (F1, R2)")
  func older() throws {
    let lines = [
      a("start", "10:00", "'timestamp':\(seconds("10:00"))"),
      a("update", "10:05", "'timestamp':\(seconds("10:05"))"),
      a("update", "10:06", "'timestamp':\(seconds("10:04:59"))"),
      a("update", "10:07", "'timestamp':\(seconds("10:05")).75"),
      a("start", "10:08", "'timestamp':\(seconds("10:01"))"),
    ]
    let card = try life(lines, "10:30")
    #expect(refusals(card) == ["3:older", "5:older"])
    #expect(card.updates == 2)
  }

  @Test("An older end is applied and flagged (F1)")
  func olderEnd() throws {
    let lines = [a("start", "10:00"), a("end", "10:05", "'timestamp':\(seconds("9:00"))")]
    let card = try life(lines, "10:30")
    #expect(card.endedAt == time("10:05"))
    #expect(refusals(card) == ["2:older-end"])
  }

  @Test("After the end nothing is applied; an older update is named older first (F1)")
  func afterEnd() throws {
    let lines = [
      a("start", "10:00"), a("end", "10:05"), a("end", "10:06"), a("update", "10:07"),
      a("alert", "10:08"), a("update", "10:09", "'timestamp':\(seconds("10:01"))"),
    ]
    let card = try life(lines, "10:30")
    #expect(refusals(card) == ["3:after-end", "4:after-end", "5:after-end", "6:older"])
    #expect(card.alerts == 0)
  }

  @Test("A timestamp more than 8 h ahead is future, as one in milliseconds is (F1)")
  func future() throws {
    let lines = [
      a("start", "10:00"), a("update", "10:05", "'timestamp':\(seconds("18:05"))"),
      a("update", "18:00", "'timestamp':\(seconds("+1 2:00:01"))"),
    ]
    // The first is exactly 8 h ahead and applies; the second comes at X.
    #expect(refusals(try life(lines, "18:00")) == ["3:after-end"])
    let milliseconds = [a("start", "10:00", "'timestamp':\(seconds("10:00"))000")]
    #expect(try lives(milliseconds, "10:30").isEmpty)
    let update = [a("start", "10:00"), a("update", "10:05", "'timestamp':\(seconds("18:05:01"))")]
    #expect(refusals(try life(update, "10:30")) == ["2:future"])
  }

  @Test("Too big: bytes over 4096, over 5120 by broadcast, or the text of its content (F1)")
  func tooBig() throws {
    // {"x":"…"} is the text plus eight bytes.
    func content(_ bytes: Int) -> String {
      "'content-state':{'x':'\(String(repeating: "y", count: bytes - 8))'}"
    }
    let lines = [
      a("start", "10:00"), a("update", "10:01", "'bytes':4096"),
      a("update", "10:02", "'bytes':4097"),
      a("update", "10:03", "'bytes':5120,'source':'broadcast'"),
      a("update", "10:04", "'bytes':5121,'source':'broadcast'"),
      a("update", "10:05", content(4096)), a("update", "10:06", content(4097)),
      a("end", "10:07", "'attributes':{}," + content(4095)),
    ]
    let card = try life(lines, "10:30")
    #expect(refusals(card) == ["3:too-big", "5:too-big", "7:too-big", "8:too-big"])
    #expect(card.contentSeq == 6)
  }

  @Test("A push start without alert opens nothing; by the app it needs none (F1, F6)")
  func noAlert() throws {
    #expect(try lives([a("start", "10:00", "'source':'push','status':200")], "10:30").isEmpty)
    let lines = [
      a("start", "10:00", "'source':'push','status':200"), a("start", "10:01", "'source':'app'"),
    ]
    let card = try life(lines, "10:30")
    #expect(card.startedAt == time("10:01"))
    #expect(refusals(card) == ["1:no-alert"])
  }

  @Test("A decode failure names a push by apns-id, else the latest content act before it (F1)")
  func undecodable() throws {
    let lines = [
      a("start", "10:00", "'content-state':{}"),
      a("update", "10:01", "'apns-id':'P','status':200,'content-state':{}"),
      a("update", "10:02", "'content-state':{}"),
      line("failure", "10:03", "'operation':'decode','apns-id':'P'"),
      a("alert", "10:04", "'alert':{}"),
      a("failure", "10:05", "'operation':'decode'"),
    ]
    let card = try life(lines, "10:30")
    #expect(refusals(card) == ["2:undecodable", "3:undecodable"])
    #expect(card.contentSeq == 1)
    #expect(card.alerts == 1)
  }

  @Test("A refused push or an alert on an unknown handle opens nothing; an update does (F4, F6)")
  func unknownHandle() throws {
    #expect(try lives([a("end", "10:00", "'status':410,'token':'t'")], "10:30").isEmpty)
    #expect(try lives([a("alert", "10:00", "'alert':{}")], "10:30").isEmpty)
    let card = try life([a("alert", "10:00"), a("update", "10:01", "'alert':{}")], "10:30")
    #expect(card.startedAt == nil)
    #expect(card.startedBefore == time("10:01"))
    #expect(card.alerts == 1)
    #expect(refusals(card) == ["1:no-life"])
  }

  @Test("A start on a live life folds as an update, and S stays or stays unknown (F3)")
  func startOnLive() throws {
    let known = [a("start", "10:00"), a("start", "10:05", "'content-state':{}")]
    let card = try life(known, "10:30")
    #expect(card.startedAt == time("10:00"))
    #expect(card.contentSeq == 2)
    #expect(card.updates == 1)
    let unknown = try life([a("token", "10:00", "'token':'t'"), a("start", "10:05")], "10:30")
    #expect(unknown.startedAt == nil)
    #expect(unknown.startedBefore == time("10:00"))
  }

  @Test("A 410 to the newest token ends the activity, to an older one it only refuses (F7)")
  func gone() throws {
    func lines(_ token: String) -> [String] {
      [
        a("start", "10:00"), a("token", "10:01", "'token':'t1'"),
        a("token", "10:02", "'token':'t2','replaces':'t1'"),
        line("end", "10:05", "'token':'\(token)','status':410"),
      ]
    }
    let gone = try life(lines("t2"), "10:30")
    #expect(gone.phase == "ended")
    #expect(gone.endedAt == time("10:05"))
    #expect(gone.visibleUntil == time("14:05"))
    #expect(gone.endReason == "unknown")
    #expect(gone.inferred)
    #expect(refusals(gone) == ["4:refused"])
    #expect(try life(lines("t1"), "10:30").phase == "active")
  }

  @Test("Without token rows, the newest token is the one whose first row is latest (F7)")
  func goneByFirstRow() throws {
    let lines = [
      a("start", "10:00"), a("update", "10:01", "'token':'t1','status':200"),
      a("update", "10:02", "'token':'t2','status':200"),
      a("update", "10:03", "'token':'t1','status':410"),
    ]
    #expect(try life(lines, "10:30").phase == "active")
    #expect(try life(lines + [a("update", "10:04", "'token':'t2','status':410")], "11:00").inferred)
  }
}
