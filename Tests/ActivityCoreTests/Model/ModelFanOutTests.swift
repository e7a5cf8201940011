internal import ActivityTestSupport
internal import Testing

/// A start of another card than `A`, of the key `K`.
private func b(_ event: String, _ at: String, _ members: String = "'key':'K'") -> String {
  line(event, at, "'activity-id':'B',\(members)")
}

/// A row that has nothing but its key.
private func k(_ event: String, _ at: String, _ members: String = "'content-state':{}") -> String {
  line(event, at, "'key':'K',\(members)")
}

@Suite("Model: what a row reaches by its key alone")
struct ModelFanOutTests {
  @Test("An update by key reaches the cards of that key on two devices, and is no card (I8)")
  func two() throws {
    let lines = [
      a("start", "10:00", "'key':'K','device':'D'"), b("start", "10:01", "'key':'K','device':'E'"),
      line("start", "10:02", "'activity-id':'C','key':'L'"), k("update", "10:05"),
    ]
    let cards = try lives(lines, "10:30")
    #expect(cards.map(\.name) == ["A", "B", "C"])
    #expect(cards.map(\.contentSeq) == [4, 4, nil])
    #expect(cards.map(\.updates) == [1, 1, 0])
  }

  @Test("An end by key ends them all and opens nothing (I8, I10)")
  func ends() throws {
    let lines = [a("start", "10:00", "'key':'K'"), b("start", "10:01"), k("end", "10:05")]
    let cards = try lives(lines, "10:30")
    #expect(cards.map(\.name) == ["A", "B"])
    #expect(cards.map(\.endedAt) == [time("10:05"), time("10:05")])
  }

  @Test("On a card that is over it is after-end, a start too (I10)")
  func over() throws {
    let lines = [
      a("start", "10:00", "'key':'K'"), a("end", "10:01"), b("start", "10:02"),
      k("update", "10:05"), k("start", "10:06"),
    ]
    let cards = try lives(lines, "10:30")
    #expect(cards.map(\.name) == ["A", "B"])
    #expect(cards.map(refusals) == [["4:after-end", "5:after-end"], []])
    #expect(cards.map(\.updates) == [0, 2])
    #expect(cards.map(\.startedAt) == [time("10:00"), time("10:02")])
  }

  @Test("It reaches what began at most 12 hours before it (I8)")
  func edge() throws {
    let start = a("start", "10:00", "'key':'K'")
    let reached = try life([start, k("update", "22:00")], "22:00")
    #expect(refusals(reached) == ["2:after-end"])
    let lines = [start, k("update", "22:00:01")]
    #expect(try lives(lines, "22:00:01").map(\.name) == ["A", "key:K"])
  }

  @Test("A card that begins after it is not reached (I8)")
  func notBefore() throws {
    let lines = [k("update", "10:00"), a("start", "10:01", "'key':'K'")]
    #expect(try lives(lines, "10:30").map(\.name) == ["A", "key:K"])
    let sameInstant = [a("start", "10:00", "'key':'K'"), k("update", "10:00")]
    #expect(try lives(sameInstant, "10:30").map(\.name) == ["A"])
  }

  @Test("A pending card is reached however long ago it was asked for (I8)")
  func pending() throws {
    let start = a("start", "8:00", "'key':'K','start-date':\(seconds("+1 10:00"))")
    #expect(try life([start, k("update", "+1 9:59")], "+1 9:59").contentSeq == 2)
    let lines = [start, k("update", "+1 10:00")]
    #expect(try lives(lines, "+1 10:00").map(\.name) == ["A", "key:K"])
  }

  @Test("The key may be said by any own row, later or refused (I8)")
  func anyRowSaysKey() throws {
    let late = [a("start", "10:00"), k("update", "10:05"), a("stale", "10:10", "'key':'K'")]
    #expect(try life(late, "10:30").contentSeq == 2)
    let refused = [
      a("start", "10:00"), k("update", "10:05"), a("update", "10:10", "'key':'K','status':400"),
    ]
    #expect(try life(refused, "10:30").contentSeq == 2)
  }

  @Test("A refused row begins nothing (I8)")
  func refusedBeginning() throws {
    let lines = [a("start", "10:00", "'key':'K','status':400"), k("update", "10:05")]
    #expect(try life(lines, "10:30").name == "key:K")
  }

  @Test("A later start begins anew, and so does a row after a day of silence (I8)")
  func beginsAnew() throws {
    let again = [
      a("start", "6:00", "'key':'K'"), a("end", "6:10"), a("start", "19:00"), k("update", "19:30"),
    ]
    #expect(try lives(again, "19:40").map(\.updates) == [0, 1])
    func names(_ at: String) throws -> [String] {
      let lines = [
        a("stale", "10:00", "'key':'K'"), a("state", at, "'state':'active'"),
        k("update", "+1 11:00"),
      ]
      return try lives(lines, "+1 11:00").map(\.name)
    }
    #expect(try names("+1 10:00") == ["A", "key:K"])
    #expect(try names("+1 10:00:01") == ["A", "A"])
  }

  @Test("Scopes must agree (I8)")
  func scopes() throws {
    let lines = [
      a("start", "10:00", "'key':'K','device':'D'"), b("start", "10:01", "'key':'K','device':'E'"),
      k("update", "10:05", "'device':'D'"),
    ]
    #expect(try lives(lines, "10:30").map(\.updates) == [1, 0])
    let other = lines.dropLast() + [k("update", "10:05", "'device':'F'")]
    #expect(try lives(Array(other), "10:30").map(\.name) == ["A", "B", "key:K"])
  }

  @Test("A claimed card says its start's key, and a start that claimed none is reached (I7, I8)")
  func claims() throws {
    let push = line(
      "start", "10:00",
      "'token':'S','alert':{},'key':'K','device':'D','attributes-type':'Order'")
    let seen = a("stale", "10:01", "'device':'D','attributes-type':'Order'")
    #expect(try life([push, seen, k("update", "10:05")], "10:30").contentSeq == 3)
    let alone = try life([push, k("update", "10:05")], "10:30")
    #expect(alone.name == "start:1")
    #expect(alone.contentSeq == 2)
  }

  @Test("Where there is none, a start or an update opens the activity of the key (I9)")
  func none() throws {
    #expect(try life([k("start", "10:00")], "10:30").name == "key:K")
    #expect(try life([k("update", "10:00")], "10:30").name == "key:K")
    #expect(try lives([k("alert", "10:00")], "10:30").isEmpty)
    #expect(try life([k("end", "10:00")], "10:30").phase == "ended")
  }

  @Test("An activity of the key stays reached for 12 hours once cards are there too (I9)")
  func staysReached() throws {
    func updates(_ first: String, _ at: String) throws -> [String: Int] {
      let lines = [first, a("start", "20:00", "'key':'K'"), k("update", at)]
      let cards = try lives(lines, at)
      return Dictionary(uniqueKeysWithValues: cards.map { ($0.name, $0.updates) })
    }
    #expect(try updates(k("start", "16:00"), "21:00") == ["A": 1, "key:K": 1])
    #expect(try updates(k("stale", "16:00"), "21:00") == ["A": 1, "key:K": 1])
    #expect(try updates(k("end", "16:00"), "21:00") == ["A": 1, "key:K": 0])
    #expect(try updates(k("alert", "16:00"), "21:00") == ["A": 1])
    #expect(try updates(k("start", "16:00", "'device':'D'"), "21:00") == ["A": 1, "key:K": 1])
    let other = [
      k("start", "16:00", "'device':'D'"), a("start", "20:00", "'key':'K'"),
      k("update", "21:00", "'device':'E'"),
    ]
    #expect(try lives(other, "21:00").map(\.updates) == [1, 0])
  }

  @Test("It stays reached from its own rows alone, to the second (I9)")
  func staysReachedEdge() throws {
    func seqs(_ at: String) throws -> [Int64] {
      let lines = [
        k("start", "10:00"), a("start", "16:00", "'key':'K'"), k("update", "17:00"), k("end", at),
      ]
      return try lives(lines, at).map(\.lastSeq)
    }
    #expect(try seqs("22:00") == [4, 4])
    // The update reached A: it kept no name, and so carries the key on no further.
    #expect(try seqs("22:00:01") == [4, 3])
  }

  @Test("It opens no life, and none begins with it (I10)")
  func opensNothing() throws {
    let lines = [
      a("start", "10:00", "'key':'K','source':'push'"), k("update", "10:05"),
      k("stale", "10:06", "'build':'413'"), k("start", "10:07"),
    ]
    #expect(try lives(lines, "10:30").isEmpty)
    let card = try life(lines + [a("state", "10:10", "'state':'active'")], "10:30")
    #expect(refusals(card) == ["1:no-alert", "2:no-life", "3:no-life", "4:no-life"])
    #expect(card.startedBefore == time("10:10"))
    #expect(card.updates == 0)
  }

  @Test("Evidence by key moves an open life and revives none (I10)")
  func evidence() throws {
    let cards = [a("start", "10:00", "'key':'K'"), b("start", "10:01"), a("end", "10:05")]
    let stale = try lives(cards + [k("stale", "10:20")], "10:30")
    #expect(stale.map(\.phase) == ["ended", "stale"])
    let shown = try lives(cards + [k("state", "10:20", "'state':'active'")], "10:30")
    #expect(shown.map(\.phase) == ["ended", "active"])
    let gone = try lives(cards + [k("dismiss", "10:20", "'by':'person'")], "10:30")
    #expect(gone.map(\.phase) == ["dismissed", "dismissed"])
    #expect(gone.map(\.endReason) == ["unknown", "person"])
    // The system's own end is not undone either.
    let late = try lives(cards + [k("state", "18:30", "'state':'active'")], "18:30")
    #expect(late.map(\.phase) == ["dismissed", "ended"])
  }

  @Test("It says nothing of build and type, and counts for last-seq alone (I10)")
  func saysNothing() throws {
    let lines = [
      a("start", "10:00", "'key':'K','build':'412','recorder':'phone'"),
      k("update", "10:05", "'build':'413','attributes-type':'Order','recorder':'server'"),
    ]
    let card = try life(lines, "10:30")
    #expect(card.build == "412")
    #expect(card.attributesType == nil)
    #expect(card.firstSeq == 1)
    #expect(card.lastSeq == 2)
    // Nor does it let its recorder speak of the card.
    let speech = line("authorization", "10:10", "'enabled':false,'recorder':'server'")
    #expect(try life(lines + [speech], "10:30").phase == "active")
  }

  @Test("It does not break the silence between two lives (I10)")
  func silence() throws {
    let lines = [
      a("stale", "10:00", "'key':'K'"), k("update", "17:00"), a("stale", "+1 10:00:01"),
    ]
    #expect(try lives(lines, "+1 10:30").map(\.firstSeq) == [1, 3])
  }

  @Test("A decode failure of the card names the row that reached it (F1)")
  func undecodable() throws {
    let lines = [
      a("start", "10:00", "'key':'K'"), b("start", "10:00"), k("update", "10:05"),
      a("failure", "10:06", "'operation':'decode'"),
    ]
    #expect(try lives(lines, "10:30").map(refusals) == [["3:undecodable"], []])
  }

  @Test("The sent view folds what fans out by the same reach (V1)")
  func sent() throws {
    let lines = [
      a("start", "10:00", "'key':'K'"), b("state", "10:01", "'state':'active','key':'K'"),
      k("update", "10:05", "'status':500,'content-state':{}"), a("end", "10:06"),
      k("update", "10:07"),
    ]
    let card = try life(lines, "10:30", view: .sent)
    #expect(card.name == "A")
    #expect(card.contentSeq == 3)
    #expect(refusals(card) == ["5:after-end"])
  }
}
