import ActivityCore
import Testing

private let start = "sha256:11111111111100000000000000000000"
private let other = "sha256:22222222222200000000000000000000"
private let update = "sha256:33333333333300000000000000000000"
private let taken = "'alert':{'title':'x'},'status':200"

/// A push start by the token `start`.
private func push(_ at: String, _ members: String) -> String {
  line("start", at, "'token':'\(start)','source':'push'," + members)
}

@Suite("Which push start became which activity (I7)")
struct ClaimTests {
  @Test("A push start is the first row of the activity that its key becomes")
  func byKey() throws {
    let cards = try Cards(
      [
        push("10:00", "'key':'K',\(taken)"),
        a("state", "10:00:05", "'key':'K','state':'active','device':'D'"),
        a("end", "10:30"),
      ], "11:00")
    let card = try cards.card("A")
    #expect(cards.states().count == 1)
    #expect(card.startedAt?.microseconds == time("10:00"))
    #expect(card.firstSeq == 1)
    #expect(cards.outcomes("A") == ["1:applied", "2:noted", "3:applied"])
  }

  @Test("An activity known by its token is claimed too")
  func byKeyOfToken() throws {
    let cards = try Cards(
      [
        push("10:00", "'key':'K',\(taken)"),
        line("update", "10:05", "'token':'\(update)','key':'K','status':200"),
      ], "11:00")
    #expect(cards.phases() == ["token:333333333333 active"])
    #expect(try cards.card("token:333333333333").startedAt?.microseconds == time("10:00"))
  }

  @Test(
    "By type it is claimed on the device of the start token, within 120 s",
    arguments: [("10:02:00", ["A active"]), ("10:02:01", ["A active", "start:2 active"])])
  func byType(at: String, expected: [String]) throws {
    let cards = try Cards(
      [
        line("token", "9:00", "'token':'\(start)','token-kind':'start','device':'D'"),
        push("10:00", "'attributes-type':'Order',\(taken)"),
        a("state", at, "'attributes-type':'Order','state':'active','device':'D'"),
      ], "11:00")
    #expect(cards.phases() == expected)
  }

  @Test("A card of another key is not claimed by type; neither is one whose device is unknown")
  func byTypeNot() throws {
    let said = line("token", "9:00", "'token':'\(start)','token-kind':'start','device':'D'")
    let push = push("10:00", "'attributes-type':'Order','key':'K',\(taken)")
    let shown = "'attributes-type':'Order','state':'active'"
    let otherKey = try Cards(
      [said, push, a("state", "10:00:05", shown + ",'device':'D','key':'L'")], "11:00")
    #expect(otherKey.phases() == ["A active", "start:2 active"])
    let unknown = try Cards([said, push, a("state", "10:00:05", shown)], "11:00")
    #expect(unknown.phases() == ["A active", "start:2 active"])
  }

  @Test("The reach of a key ends after 12 h", arguments: [("22:00", 1), ("22:00:01", 2)])
  func reach(at: String, count: Int) throws {
    let cards = try Cards(
      [push("10:00", "'key':'K',\(taken)"), a("update", at, "'key':'K'")], "22:30")
    #expect(Set(cards.states().map(\.name)).count == count)
  }

  @Test("The device of an unclaimed start is the one its token belongs to, for 36 h")
  func addressee() throws {
    func device(_ at: String) throws -> String? {
      let cards = try Cards(
        [
          line("token", "10:00", "'token':'\(start)','token-kind':'start','device':'D'"),
          push(at, taken),
        ], at)
      return try cards.card("start:2").device
    }
    #expect(try device("+1 22:00") == "D")
    #expect(try device("+1 22:00:01") == nil)
  }

  @Test("An activity takes the device of the start that claimed it, and another device is not it")
  func device() throws {
    let said = line("token", "9:00", "'token':'\(start)','token-kind':'start','device':'D'")
    let push = push("10:00", "'key':'K',\(taken)")
    let claimed = try Cards([said, push, a("update", "10:05", "'key':'K'")], "11:00")
    #expect(try claimed.card("A").device == "D")
    let elsewhere = try Cards(
      [said, push, a("update", "10:05", "'key':'K','device':'E'")], "11:00")
    #expect(elsewhere.phases() == ["A active", "start:2 active"])
  }

  @Test("The app's own card is passed over by a start that was taken, not by a refused one")
  func appStarted() throws {
    let own = a("start", "10:03", "'key':'K','source':'app','device':'D'")
    let second = try Cards([push("10:00", "'key':'K',\(taken)"), own], "11:00")
    #expect(second.phases() == ["A active", "start:1 active"])
    let refused = try Cards(
      [push("10:00", "'key':'K','alert':{},'status':503"), own], "11:00")
    #expect(refused.phases() == ["A active"])
    #expect(refused.outcomes("A") == ["1:refused", "2:applied"])
    #expect(try refused.card("A").startedAt?.microseconds == time("10:03"))
  }

  @Test("Those that were taken claim before those that were refused, each one, the earliest first")
  func order() throws {
    let cards = try Cards(
      [
        push("10:00", "'key':'K','alert':{},'status':410"),
        line("start", "10:01", "'token':'\(other)','source':'push','key':'K',\(taken)"),
        a("update", "10:05", "'key':'K'"),
        line("update", "10:06", "'activity-id':'B','key':'K'"),
      ], "11:00")
    #expect(cards.outcomes("A") == ["2:applied", "3:applied"])
    #expect(cards.outcomes("B") == ["1:refused", "4:applied"])
  }

  @Test("Attempts claim together; with nothing to claim they are called by the first")
  func attempts() throws {
    let first = push("10:00", "'key':'K','alert':{},'status':503,'apns-id':'P'")
    let second = push(
      "10:00:02", "'key':'K','timestamp':\(seconds("10:00")),\(taken),'apns-id':'P'")
    let third = push("10:00:04", "'key':'K','timestamp':\(seconds("10:00")),\(taken)")
    let claimed = try Cards([first, second, a("update", "10:05", "'key':'K'")], "11:00")
    #expect(claimed.outcomes("A") == ["1:refused", "2:applied", "3:applied"])
    let alone = try Cards([first, second], "11:00")
    #expect(alone.phases() == ["start:1 active"])
    #expect(alone.outcomes("start:1") == ["1:refused", "2:applied"])
    // One that was answered 200 has no later attempts: the third is a start of its own.
    let again = try Cards([first, second, third], "11:00")
    #expect(again.phases() == ["start:1 active", "start:3 active"])
  }

  @Test("By token, key and timestamp all are attempts that follow one not taken")
  func attemptsByTimestamp() throws {
    let stamp = "'key':'K','timestamp':\(seconds("10:00")),'alert':{}"
    let cards = try Cards(
      [
        push("10:00", stamp + ",'status':200"), push("10:01", stamp + ",'status':500"),
        push("10:02", stamp + ",'status':200"), push("10:03", stamp + ",'status':200"),
      ], "11:00")
    #expect(cards.outcomes("start:1") == ["1:applied"])
    #expect(cards.outcomes("start:2") == ["2:refused", "3:applied", "4:applied"])
  }
}
