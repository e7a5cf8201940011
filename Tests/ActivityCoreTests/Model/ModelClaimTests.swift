internal import ActivityTestSupport
internal import Testing

/// A start pushed to the start token `S`, that no answer refuses unless the members say so.
private func push(_ at: String, _ members: String = "'key':'K'") -> String {
  line("start", at, "'token':'S','alert':{},\(members)")
}

/// The device tells its start token.
private func startToken(_ at: String, _ device: String) -> String {
  line("token", at, "'token':'S','token-kind':'start','device':'\(device)'")
}

@Suite("Model: what a push-to-start claims")
struct ModelClaimTests {
  @Test("A start by push claims the card of its key, which then begins with it (I7)")
  func byKey() throws {
    let card = try life(
      [push("10:00"), a("state", "10:05", "'state':'active','key':'K','device':'D'")], "10:30")
    #expect(card.name == "A")
    #expect(card.startedAt == time("10:00"))
    #expect(card.device == "D")
    #expect(card.firstSeq == 1)
    // Before the device spoke the start was an activity of its own.
    #expect(try life([push("10:00")], "10:01").name == "start:1")
  }

  @Test("A claim by key reaches 12 hours, to the second (I7)")
  func keyEdge() throws {
    func names(_ at: String) throws -> [String] {
      let lines = [push("10:00"), a("state", at, "'state':'active','key':'K'")]
      return try lives(lines, at).map(\.name)
    }
    #expect(try names("22:00") == ["A"])
    #expect(try names("22:00:01") == ["A", "start:1"])
  }

  @Test("A card that was there before the start is not claimed, one of the same instant is (I7)")
  func notBefore() throws {
    let seen = a("token", "10:00", "'token':'T','key':'K'")
    #expect(try lives([seen, push("10:00")], "10:30").map(\.name) == ["A"])
    #expect(try lives([seen, push("10:00:01")], "10:30").map(\.name) == ["A", "start:2"])
  }

  @Test("Without a key the same device and type claim within 120 seconds (I7)")
  func byType() throws {
    func names(_ at: String, _ members: String) throws -> [String] {
      let lines = [
        push("10:00", "'device':'D','attributes-type':'Order'"),
        a("state", at, "'state':'active',\(members)"),
      ]
      return try lives(lines, "10:30").map(\.name)
    }
    let own = "'device':'D','attributes-type':'Order'"
    #expect(try names("10:02", own) == ["A"])
    #expect(try names("10:02:01", own) == ["A", "start:1"])
    #expect(try names("10:02", "'attributes-type':'Order'") == ["A", "start:1"])
    #expect(try names("10:02", "'device':'D'") == ["A", "start:1"])
    #expect(try names("10:02", "'device':'D','attributes-type':'Ride'") == ["A", "start:1"])
    #expect(try names("10:02", own + ",'key':'K'") == ["A"])
  }

  @Test("Keys that differ block the claim by device and type (I7)")
  func keysDiffer() throws {
    let own = "'device':'D','attributes-type':'Order'"
    let start = push("10:00", own + ",'key':'K'")
    #expect(try lives([start, a("stale", "10:01", own)], "10:30").map(\.name) == ["A"])
    let other = [start, a("stale", "10:01", own + ",'key':'L'")]
    #expect(try lives(other, "10:30").map(\.name) == ["A", "start:1"])
  }

  @Test("The key of a card is the first that its rows say (I7)")
  func firstKey() throws {
    let lines = [
      push("10:00"), a("stale", "10:01", "'key':'L'"), a("stale", "10:02", "'key':'K'"),
    ]
    #expect(try lives(lines, "10:30").map(\.name) == ["A", "start:1"])
  }

  @Test("A card of the same key comes before an earlier one of the same device and type (I7)")
  func keyBeforeType() throws {
    let own = "'device':'D','attributes-type':'Order'"
    let lines = [
      push("10:00", own + ",'key':'K'"),
      line("stale", "10:01", "'activity-id':'B'," + own), a("stale", "11:00", "'key':'K'"),
    ]
    #expect(try lives(lines, "11:30").map(\.startedAt) == [time("10:00"), nil])
  }

  @Test("A row of the device's start token says which device a start addresses (I7)")
  func addressedDevice() throws {
    let type = "'attributes-type':'Order'"
    func names(_ token: String, _ device: String) throws -> [String] {
      let seen = a("stale", "10:01", "'device':'\(device)',\(type)")
      return try lives([token, push("10:00", type), seen], "10:30").map(\.name)
    }
    #expect(try names(startToken("9:00", "D"), "D") == ["A"])
    #expect(try names(startToken("9:00", "D"), "E") == ["A", "start:2"])
    // Told after the start it is too late.
    #expect(try names(startToken("10:00:01", "D"), "D") == ["A", "start:2"])
    let other = "'token':'S','token-kind':'update','device':'D'"
    #expect(try !names(line("token", "9:00", other), "D").contains("D"))
  }

  @Test("The latest row of the start token decides, for 36 hours (I7)")
  func tokenEdge() throws {
    // A start scheduled far ahead keeps the window open.
    let scheduled = line(
      "start", "5:00", "'activity-id':'Z','start-date':\(seconds("+5 10:00"))")
    func device(_ tokens: [String], _ at: String) throws -> String? {
      let cards = try lives([scheduled] + tokens + [push(at)], at)
      return try #require(cards.last).device
    }
    #expect(try device([startToken("10:00", "D")], "+1 22:00") == "D")
    #expect(try device([startToken("10:00", "D")], "+1 22:00:01") == nil)
    #expect(try device([startToken("10:00", "D"), startToken("11:00", "E")], "12:00") == "E")
  }

  @Test("A start that claims nothing is on the device it addresses (I7)")
  func unclaimedDevice() throws {
    let lines = [
      startToken("9:00", "D"), push("10:00"),
      line("authorization", "10:10", "'enabled':false,'device':'D'"),
    ]
    let card = try life(lines, "10:30")
    #expect(card.name == "start:2")
    #expect(card.device == "D")
    #expect(card.endReason == "disabled")
  }

  @Test("A claim fills in what the card's scope lacks (I7)")
  func fills() throws {
    let lines = [
      startToken("9:00", "D"), push("10:00"), a("stale", "10:05", "'key':'K'"),
      line("inventory", "10:10", "'device':'D','complete':true,'activities':[]"),
    ]
    let card = try life(lines, "10:30")
    #expect(card.device == "D")
    #expect(card.endedAt == time("10:10"))
  }

  @Test("Scopes that disagree are not claimed, also by the device of the token (I7)")
  func scopes() throws {
    let seen = "'key':'K','device':'E','environment':'production'"
    for said in ["'key':'K','device':'D'", "'key':'K','environment':'sandbox'"] {
      let lines = [push("10:00", said), a("stale", "10:05", seen)]
      #expect(try lives(lines, "10:30").map(\.name) == ["A", "start:1"])
    }
    let lines = [startToken("9:00", "D"), push("10:00"), a("stale", "10:05", seen)]
    #expect(try lives(lines, "10:30").map(\.name) == ["A", "start:2"])
  }

  @Test("Two starts claim two cards in order, and a card is claimed once (I7)")
  func inOrder() throws {
    let starts = [push("10:00"), push("10:01")]
    let one = a("stale", "10:05", "'key':'K'")
    let two = line("stale", "10:04", "'activity-id':'B','key':'K'")
    let cards = try lives(starts + [one, two], "10:30")
    #expect(cards.map(\.name) == ["A", "B"])
    #expect(cards.map(\.startedAt) == [time("10:01"), time("10:00")])
    let single = try lives(starts + [one], "10:30")
    #expect(single.map(\.name) == ["A", "start:2"])
    #expect(single.map(\.startedAt) == [time("10:00"), time("10:01")])
  }

  @Test("A card known by its token alone is claimed like one with an id (I7)")
  func tokenCard() throws {
    let lines = [push("10:00"), line("update", "10:05", "'token':'sha256:ab','key':'K'")]
    let card = try life(lines, "10:30")
    #expect(card.name == "token:ab")
    #expect(card.startedAt == time("10:00"))
  }

  @Test("A start that was refused claims last, if anything is left (I7)")
  func refusedLast() throws {
    let refused = push("10:00", "'key':'K','status':400")
    let seen = a("state", "10:05", "'state':'active','key':'K'")
    let both = try life([refused, push("10:01"), seen], "10:30")
    #expect(both.startedAt == time("10:01"))
    #expect(both.notApplied.isEmpty)
    let alone = try life([refused, seen], "10:30")
    #expect(alone.startedAt == nil)
    #expect(refusals(alone) == ["1:refused"])
  }

  @Test("A card that the app asked for itself is passed over, unless the push was refused (I7)")
  func appCard() throws {
    let app = a("start", "10:05", "'source':'app','key':'K'")
    #expect(try lives([push("10:00"), app], "10:30").map(\.name) == ["A", "start:1"])
    let pushed = a("start", "10:05", "'source':'push','alert':{},'key':'K'")
    #expect(try lives([push("10:00"), pushed], "10:30").map(\.name) == ["A"])
    let card = try life([push("10:00", "'key':'K','status':410"), app], "10:30")
    #expect(card.startedAt == time("10:05"))
    #expect(refusals(card) == ["1:refused"])
  }

  @Test("Attempts of one start claim together, and the first speaks for them (I7)")
  func attempts() throws {
    let starts = [
      push("10:00", "'key':'K','apns-id':'P','status':429"),
      push("10:01", "'key':'K','apns-id':'P','status':200"),
    ]
    let card = try life(starts + [a("stale", "10:05", "'key':'K'")], "10:30")
    #expect(card.startedAt == time("10:01"))
    #expect(card.firstSeq == 1)
    #expect(refusals(card) == ["1:refused"])
    // Twelve hours count from the first attempt.
    let late = try lives(starts + [a("stale", "22:00:30", "'key':'K'")], "22:00:30")
    #expect(late.map(\.name) == ["A", "start:1"])
  }

  @Test("The same token, key and timestamp are an attempt while the earlier has no 200 (I7)")
  func attemptsByTimestamp() throws {
    func names(_ one: String, _ two: String) throws -> [String] {
      try lives([push("10:00", one), push("10:01", two)], "10:30").map(\.name)
    }
    let same = "'key':'K','timestamp':\(seconds("10:00"))"
    #expect(try names(same + ",'status':500", same) == ["start:1"])
    #expect(try names(same, same) == ["start:1"])
    #expect(try names(same, same.replacing("'K'", with: "'L'")) == ["start:1", "start:2"])
    #expect(try names(same + ",'status':200", same) == ["start:1", "start:2"])
    #expect(try names(same, same + ".5") == ["start:1"])
    #expect(try names("'key':'K'", "'key':'K'") == ["start:1", "start:2"])
  }

  @Test("Attempts go on from one to the next (I7)")
  func chain() throws {
    let stamp = "'key':'K','timestamp':\(seconds("10:00"))"
    let lines = [
      push("10:00", "'key':'K','apns-id':'P'"), push("10:01", stamp + ",'apns-id':'P'"),
      push("10:02", stamp),
    ]
    let card = try life(lines, "10:30")
    #expect(card.name == "start:1")
    #expect(card.lastSeq == 3)
  }
}
