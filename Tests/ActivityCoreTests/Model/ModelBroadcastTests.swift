internal import ActivityTestSupport
internal import Testing

private func broadcast(_ event: String, _ at: String, _ members: String = "") -> String {
  let tail = members.isEmpty ? "" : ",\(members)"
  return line(event, at, "'channel':'C','source':'broadcast','content-state':{}\(tail)")
}

@Suite("Model: what a broadcast reaches")
struct ModelBroadcastTests {
  @Test("A broadcast reaches the cards whose start named its channel, either way (I8)")
  func subscribers() throws {
    let lines = [
      a("start", "10:00", "'input-push-channel':'C'"),
      line("start", "10:00", "'activity-id':'B','channel':'C','source':'app'"),
      line("start", "10:00", "'activity-id':'E','input-push-channel':'F'"),
      // Not its start: no subscription.
      line("start", "10:00", "'activity-id':'G'"),
      line("update", "10:01", "'activity-id':'G','channel':'C'"),
      broadcast("update", "10:05"),
    ]
    let cards = try lives(lines, "10:30")
    #expect(cards.map(\.name) == ["A", "B", "E", "G"])
    #expect(cards.map(\.updates) == [1, 1, 0, 1])
  }

  @Test("With no subscriber it is the channel's own row (I9)")
  func none() throws {
    let lines = [broadcast("update", "10:00"), a("start", "10:05", "'input-push-channel':'C'")]
    #expect(try lives(lines, "10:30").map(\.name) == ["A", "channel:C"])
    // Later ones reach the subscriber only.
    let cards = try lives(lines + [broadcast("update", "10:10")], "10:30")
    #expect(cards.map(\.lastSeq) == [3, 1])
  }

  @Test("A refused start is no subscriber (I8)")
  func refused() throws {
    let lines = [
      a("start", "10:00", "'channel':'C','source':'push','status':400"),
      a("state", "10:01", "'state':'active'"), broadcast("update", "10:05"),
    ]
    #expect(try lives(lines, "10:30").map(\.name) == ["A", "channel:C"])
  }

  @Test("A subscription lasts 12 hours from the start, or from its start-date (I8)")
  func edge() throws {
    func names(_ start: String, _ at: String) throws -> [String] {
      try lives([start, broadcast("update", at)], at).map(\.name)
    }
    let plain = a("start", "10:00", "'input-push-channel':'C'")
    #expect(try names(plain, "22:00") == ["A"])
    #expect(try names(plain, "22:00:01") == ["A", "channel:C"])
    let date = seconds("+1 10:00")
    let scheduled = a("start", "10:00", "'input-push-channel':'C','start-date':\(date)")
    #expect(try names(scheduled, "+1 22:00") == ["A"])
    #expect(try names(scheduled, "+1 22:00:01") == ["A", "channel:C"])
  }

  @Test("Scopes must agree (I8)")
  func scopes() throws {
    let lines = [
      a("start", "10:00", "'input-push-channel':'C','environment':'sandbox'"),
      broadcast("update", "10:05", "'environment':'production'"),
    ]
    #expect(try lives(lines, "10:30").map(\.updates) == [0, 1])
  }

  @Test("A card listens to the channel of the start that claimed it (I7, I8)")
  func claimed() throws {
    let push = line(
      "start", "10:00", "'token':'S','alert':{},'key':'K','input-push-channel':'C'")
    let card = try life(
      [push, a("stale", "10:01", "'key':'K'"), broadcast("end", "10:05")], "10:30")
    #expect(card.name == "A")
    #expect(card.endReason == "broadcast")
    #expect(try life([push, broadcast("end", "10:05")], "10:30").name == "start:1")
  }

  @Test("A row with a channel and a key goes by its channel (I1, I8)")
  func channelFirst() throws {
    let lines = [
      a("start", "10:00", "'key':'K'"), broadcast("update", "10:05", "'key':'K'"),
    ]
    #expect(try lives(lines, "10:30").map(\.name) == ["A", "channel:C"])
  }
}
