internal import ActivityTestSupport
internal import Testing

private let one = "sha256:11111111111100000000000000000000"
private let two = "sha256:22222222222200000000000000000000"

@Suite("Model: which activity a row belongs to")
struct ModelIdentityTests {
  @Test("A push by token belongs to the id that joins the token later (I3)")
  func joinsLater() throws {
    let lines = [
      a("start", "10:00"),
      line("update", "10:05", "'token':'\(one)','content-state':{},'status':200"),
      a("token", "10:10", "'token':'\(one)','token-kind':'update'"),
    ]
    let card = try life(lines, "10:20")
    #expect(card.name == "A")
    #expect(card.contentSeq == 2)
    // At 10:07 the join was not known: the token is an activity of its own.
    #expect(try lives(lines, "10:07").map(\.name) == ["A", "token:111111111111"])
  }

  @Test("A token seen with two ids belongs, row by row, to the latest join before (I3)")
  func twoIDs() throws {
    let lines = [
      line("update", "9:00", "'token':'\(one)'"),
      line("token", "10:00", "'token':'\(one)','activity-id':'A'"),
      line("update", "10:05", "'token':'\(one)'"),
      line("token", "11:00", "'token':'\(one)','activity-id':'B'"),
      line("update", "11:05", "'token':'\(one)'"),
    ]
    let cards = try lives(lines, "11:30")
    #expect(cards.map(\.name) == ["A", "B"])
    #expect(cards.map(\.updates) == [2, 1])
    #expect(cards.map(\.startedBefore) == [time("9:00"), time("11:00")])
  }

  @Test("replaces makes two tokens one, named by the one seen first (I2, I3)")
  func replaces() throws {
    let lines = [
      line("update", "10:00", "'token':'\(one)'"),
      line("token", "10:10", "'token':'\(two)','replaces':'\(one)'"),
      line("update", "10:20", "'token':'\(two)'"),
    ]
    let card = try life(lines, "10:30")
    #expect(card.name == "token:111111111111")
    #expect(card.updates == 2)
  }

  @Test("replaces carries the id over to pushes by the old token")
  func replacesJoins() throws {
    let lines = [
      a("start", "10:00"),
      line("update", "10:05", "'token':'\(one)'"),
      a("token", "10:10", "'token':'\(two)','replaces':'\(one)'"),
    ]
    #expect(try life(lines, "10:30").updates == 1)
  }

  @Test("A push-to-start without id is named by its seq; its token joins nothing (I1, I2)")
  func pushStart() throws {
    let lines = [
      line("start", "10:00", "'token':'\(one)','alert':{'title':'x'},'status':200"),
      line("token", "10:01", "'token':'\(one)','token-kind':'start','device':'D'"),
      line("start", "10:02", "'token':'\(one)','activity-id':'A','alert':{},'status':200"),
    ]
    let cards = try lives(lines, "10:30")
    #expect(cards.map(\.name) == ["A", "start:1"])
    #expect(cards.map(\.inferred) == [false, false])
  }

  @Test("Two devices of one id are two activities, and a row without device is in both (I4)")
  func twoDevices() throws {
    let lines = [
      a("start", "10:00", "'device':'D1'"), a("start", "10:00:10", "'device':'D2'"),
      a("update", "10:10"), a("end", "10:20", "'device':'D2'"),
    ]
    let cards = try lives(lines, "10:30")
    #expect(cards.map(\.device) == ["D1", "D2"])
    #expect(cards.map(\.phase) == ["active", "ended"])
    #expect(cards.map(\.updates) == [1, 1])
  }

  @Test("Scopes that overlap without contradiction make every set that cannot grow (I4)")
  func maximalSets() throws {
    let lines = [
      a("start", "10:00", "'environment':'sandbox','device':'D1'"),
      a("update", "10:05", "'device':'D1'"),
      a("update", "10:10", "'environment':'production'"),
    ]
    let cards = try lives(lines, "10:30")
    // {sandbox D1, D1} and {D1, production}: the update of D1 is in both.
    #expect(cards.map(\.device) == ["D1", "D1"])
    #expect(cards.map(\.firstSeq) == [1, 2])
    #expect(cards.map(\.updates) == [1, 2])
  }

  @Test("A row by token takes what its scope lacks from the row that joined it (I4)")
  func scopeFromJoin() throws {
    let lines = [
      a("start", "10:00", "'device':'D1'"), a("start", "10:00", "'device':'D2'"),
      a("token", "10:01", "'device':'D1','token':'\(one)'"),
      line("update", "10:05", "'token':'\(one)'"),
    ]
    #expect(try lives(lines, "10:30").map(\.updates) == [1, 0])
  }

  @Test("Key, build and type are the last values that the rows say (I6)")
  func lastValues() throws {
    let lines = [
      a("start", "10:00", "'build':'412','key':'K','attributes-type':'Order'"),
      a("token", "10:01", "'device':'D','token':'\(one)'"),
      a("update", "10:05", "'build':'413'"),
    ]
    let card = try life(lines, "10:30")
    #expect(card.build == "413")
    #expect(card.key == "K")
    #expect(card.attributesType == "Order")
    #expect(card.device == "D")
  }

  @Test("Acts with only a key or a channel are activities of their own (I1, I9)")
  func keysAndChannels() throws {
    let lines = [
      line("update", "10:00", "'key':'K','source':'app'"),
      line("update", "10:00", "'channel':'C','source':'broadcast','status':200"),
      line("response", "10:01", "'key':'K','status':200"),
    ]
    #expect(try lives(lines, "10:30").map(\.name) == ["channel:C", "key:K"])
  }

  @Test("More than 24 hours of silence begin a new life of the same name (I5)")
  func silence() throws {
    let exact = [a("token", "10:00", "'token':'\(one)'"), a("update", "+1 10:00")]
    #expect(try lives(exact, "+1 10:00").map(\.phase) == ["dismissed"])
    let more = [a("token", "10:00", "'token':'\(one)'"), a("update", "+1 10:00:01")]
    let cards = try lives(more, "+1 10:30")
    #expect(cards.map(\.phase) == ["dismissed", "active"])
    #expect(cards.map(\.startedBefore) == [time("10:00"), time("+1 10:00:01")])
  }

  @Test("After a scheduled start silence counts from its start-date (I5)")
  func scheduledSilence() throws {
    let lines = [
      a("start", "10:00", "'start-date':\(seconds("+2 10:00"))"), a("token", "10:05"),
      a("update", "+2 10:01"),
    ]
    let card = try life(lines, "+2 10:30")
    #expect(card.phase == "active")
    #expect(card.startedAt == time("+2 10:00"))
    #expect(card.updates == 1)
  }

  @Test("A start after the end is a new life; an update after it is not (I5)")
  func restart() throws {
    let lines = [
      a("start", "10:00"), a("end", "10:10"), a("update", "10:20"), a("start", "10:30"),
    ]
    let cards = try lives(lines, "10:40")
    #expect(cards.map(\.phase) == ["ended", "active"])
    #expect(refusals(cards[0]) == ["3:after-end"])
    #expect(cards[0].lastSeq == 3)
    #expect(cards[1].firstSeq == 4)
  }

  @Test("A start that another recorder reports within 120 s of the life's own is no new life (I5)")
  func secondReport() throws {
    func lines(_ at: String) -> [String] {
      [
        a("start", "10:00", "'recorder':'phone'"), a("end", "10:01", "'recorder':'phone'"),
        a("start", at, "'recorder':'server','source':'app'"),
      ]
    }
    #expect(refusals(try life(lines("10:02"), "11:00")) == ["3:after-end"])
    #expect(try lives(lines("10:02:01"), "11:00").map(\.phase) == ["ended", "active"])
  }

  @Test("A start after X is a new life too (I5, C1)")
  func restartAfterLimit() throws {
    let cards = try lives([a("start", "8:00"), a("start", "16:00")], "16:00")
    #expect(cards.map(\.phase) == ["ended", "active"])
    #expect(cards.map(\.endedAt) == [time("16:00"), nil])
  }

  @Test("A refused start does not begin a new life, nor a push start without alert (I5)")
  func refusedRestart() throws {
    let lines = [
      a("start", "10:00"), a("end", "10:10"), a("start", "10:30", "'status':400"),
      a("start", "10:40", "'status':200"),
    ]
    #expect(refusals(try life(lines, "11:00")) == ["3:refused", "4:no-alert"])
  }

  @Test("An inventory entry is a row of its id, without state active (R5)")
  func inventoryEntry() throws {
    let lines = [line("inventory", "10:00", "'device':'D','activities':[{'activity-id':'A'}]")]
    let card = try life(lines, "10:30")
    #expect(card.phase == "active")
    #expect(card.startedBefore == time("10:00"))
    #expect(card.device == "D")
  }

  @Test("An unknown kind, an answer and a coverage row open nothing")
  func othersOpenNothing() throws {
    let lines = [
      line("vendor-thing", "10:00", "'activity-id':'A'"), a("response", "10:01", "'status':200"),
      line("coverage", "10:02", "'recorder':'r','lost':3"),
    ]
    #expect(try lives(lines, "10:30").isEmpty)
  }
}
