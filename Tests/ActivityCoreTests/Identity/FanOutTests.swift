import ActivityCore
import Testing

private let start = "sha256:11111111111100000000000000000000"

/// An act of activity `B`.
private func b(_ event: String, _ at: String, _ members: String) -> String {
  line(event, at, "'activity-id':'B'," + members)
}

@Suite("Rows that a key or a channel alone names (I8 to I10)")
struct FanOutTests {
  @Test("An end by key ends every activity of the key, and opens none")
  func endByKey() throws {
    let cards = try Cards(
      [
        a("start", "10:00", "'key':'K'"), b("start", "10:05", "'key':'K'"),
        line("start", "10:06", "'activity-id':'C','key':'L'"),
        line("end", "10:30", "'key':'K','source':'app'"),
      ], "10:40")
    #expect(cards.phases() == ["A ended", "B ended", "C active"])
    #expect(cards.reached("A") == [4])
    #expect(cards.reached("C") == [])
    #expect(cards.phases(.sent) == cards.phases())
  }

  @Test("What reaches nothing opens an activity of the key, which later rows of the key are too")
  func keepsItsName() throws {
    let cards = try Cards(
      [
        line("update", "9:00", "'key':'K'"), a("start", "10:00", "'key':'K'"),
        line("update", "10:30", "'key':'K'"),
      ], "10:40")
    #expect(cards.outcomes("A") == ["2:applied", "3:applied"])
    #expect(cards.outcomes("key:K") == ["1:applied", "3:applied"])
    #expect(cards.reached("key:K") == [])
  }

  @Test("An end or alert that reached nothing makes no home of its key")
  func endIsNoHome() throws {
    let cards = try Cards(
      [
        line("end", "9:00", "'key':'K'"), a("start", "10:00", "'key':'K'"),
        line("update", "10:30", "'key':'K'"),
      ], "10:40")
    #expect(cards.outcomes("key:K") == ["1:applied"])
    #expect(cards.outcomes("A") == ["2:applied", "3:applied"])
  }

  @Test("A key reaches what began in the 12 h before", arguments: [("22:00", 2), ("22:00:01", 1)])
  func reach(at: String, rows: Int) throws {
    let cards = try Cards(
      [a("start", "10:00", "'key':'K'"), line("update", at, "'key':'K'")], "22:30")
    #expect(cards.outcomes("A").count == rows)
  }

  @Test("It reaches a pending one however far ahead, and begins anew with every start")
  func beginnings() throws {
    let far = try Cards(
      [
        a("start", "10:00", "'key':'K','start-date':\(seconds("+2 10:00"))"),
        line("end", "+1 09:00", "'key':'K'"),
      ], "+1 10:00")
    #expect(far.phases() == ["A dismissed"])
    let again = try Cards(
      [
        a("start", "10:00", "'key':'K'"), a("end", "10:30"), a("start", "21:00"),
        line("end", "22:30", "'key':'K'"),
      ], "22:40")
    #expect(again.outcomes("A") == ["1:applied", "2:applied", "3:applied", "4:applied"])
  }

  @Test("A start that was refused begins nothing, and updates keep nothing within reach")
  func notBeginnings() throws {
    let refused = try Cards(
      [
        a("start", "10:00", "'key':'K','source':'push','alert':{},'status':503"),
        line("update", "10:30", "'key':'K'"),
      ], "10:40")
    #expect(refused.phases() == ["key:K active"])
    let late = try Cards(
      [
        a("start", "08:00", "'key':'K'"), a("update", "15:00"),
        line("end", "20:30", "'key':'K'"),
      ], "20:40")
    #expect(late.outcomes("A") == ["1:applied", "2:applied"])
  }

  @Test("Another device's activity is not reached")
  func scopes() throws {
    let cards = try Cards(
      [
        a("start", "10:00", "'key':'K','device':'D'"),
        b("start", "10:00", "'key':'K','device':'E'"),
        line("end", "10:30", "'key':'K','device':'E'"),
      ], "10:40")
    #expect(cards.phases() == ["A active", "B ended"])
  }

  @Test("On one that is over an act is after-end, a start too; evidence revives nothing")
  func over() throws {
    let cards = try Cards(
      [
        a("start", "10:00", "'key':'K'"), a("end", "10:30"),
        line("start", "10:40", "'key':'K','build':'9'"),
        line("state", "10:50", "'key':'K','state':'active'"),
        line("dismiss", "10:55", "'key':'K'"),
      ], "11:00")
    #expect(
      cards.outcomes("A") == ["1:applied", "2:applied", "3:after-end", "4:noted", "5:applied"])
    let card = try cards.card("A")
    #expect(card.phase == .dismissed)
    #expect(card.build == nil)
    #expect(card.lastSeq == 5)
    #expect(cards.phases() == ["A dismissed"])
  }

  @Test("Where nothing was opened it is no-life")
  func noLife() throws {
    let cards = try Cards(
      [
        a("alert", "10:00", "'key':'K','alert':{}"), line("update", "10:10", "'key':'K'"),
        line("state", "10:20", "'key':'K','state':'active'"), a("start", "10:30"),
      ], "10:40")
    #expect(cards.outcomes("A") == ["1:no-life", "2:no-life", "3:no-life", "4:applied"])
    #expect(try cards.card("A").firstSeq == 1)
  }

  @Test("It does not count for silence: a day after the last own row a new life begins (I5)")
  func silence() throws {
    let cards = try Cards(
      [
        a("start", "10:00", "'key':'K'"), line("update", "21:00", "'key':'K'"),
        a("update", "+1 10:00:01"),
      ], "+1 11:00")
    #expect(cards.outcomes("A") == ["1:applied", "2:after-end", "3:applied"])
    #expect(cards.phases() == ["A dismissed", "A active"])
    #expect(cards.states().map(\.lastSeq) == [2, 3])
  }

  @Test("It says nothing of its key's facts")
  func facts() throws {
    let cards = try Cards(
      [
        a("start", "10:00", "'input-push-channel':'C','build':'1','key':'K'"),
        line("update", "10:10", "'channel':'C','build':'2','key':'L'"),
      ], "10:40")
    let card = try cards.card("A")
    #expect(card.build == "1")
    #expect(card.key == "K")
    #expect(card.updates == 1)
  }
}

@Suite("Broadcasts reach their subscribers (I8, I9)")
struct BroadcastTests {
  @Test("Every activity whose start named the channel gets it, as channel or input-push-channel")
  func subscribers() throws {
    let cards = try Cards(
      [
        a("start", "10:00", "'input-push-channel':'C'"),
        b("start", "10:01", "'channel':'C','source':'app'"),
        line("start", "10:02", "'activity-id':'X','input-push-channel':'Other'"),
        line("update", "10:10", "'channel':'C','source':'broadcast','status':200"),
        line("end", "10:20", "'channel':'C','source':'broadcast','status':200"),
      ], "10:30")
    #expect(cards.phases() == ["A ended", "B ended", "X active"])
    #expect(cards.states().map(\.updates) == [1, 1, 0])
    #expect(try cards.card("A").endReason == "broadcast")
  }

  @Test("Before the start, or with none, it is a row of the channel's own")
  func nobody() throws {
    let cards = try Cards(
      [
        line("update", "9:00", "'channel':'C','source':'broadcast','status':200"),
        a("start", "10:00", "'input-push-channel':'C'"),
        line("update", "10:10", "'channel':'C','source':'broadcast','status':200"),
      ], "10:30")
    #expect(cards.outcomes("channel:C") == ["1:applied"])
    #expect(cards.outcomes("A") == ["2:applied", "3:applied"])
  }

  @Test("A scheduled start counts from its date", arguments: [("+1 22:00", 2), ("+1 22:00:01", 1)])
  func scheduled(at: String, rows: Int) throws {
    let date = seconds("+1 10:00")
    let cards = try Cards(
      [
        a("start", "10:00", "'input-push-channel':'C','start-date':\(date)"),
        line("update", at, "'channel':'C','source':'broadcast','status':200"),
      ], "+2 10:00")
    #expect(cards.outcomes("A").count == rows)
  }

  @Test("A push start that names the channel brings the card that it became")
  func claimed() throws {
    let cards = try Cards(
      [
        line(
          "start", "10:00",
          "'token':'\(start)','key':'K','input-push-channel':'C','alert':{},'status':200"),
        a("state", "10:00:10", "'key':'K','state':'active'"),
        line("end", "10:10", "'channel':'C','source':'broadcast','status':200"),
      ], "10:30")
    #expect(cards.phases() == ["A ended"])
  }

  @Test("A refused broadcast reaches its subscribers and changes nothing")
  func refused() throws {
    let cards = try Cards(
      [
        a("start", "10:00", "'input-push-channel':'C'"),
        line("end", "10:10", "'channel':'C','source':'broadcast','status':503"),
      ], "10:30")
    #expect(cards.outcomes("A") == ["1:applied", "2:refused"])
    #expect(cards.phases() == ["A active"])
  }
}
