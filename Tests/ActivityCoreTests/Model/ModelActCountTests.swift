internal import ActivityTestSupport
internal import Testing

/// An update of `A` with an explicit timestamp, its alert and stale date given.
private func seen(_ at: String, _ recorder: String, _ members: String = "") -> String {
  let tail = members.isEmpty ? "" : ",\(members)"
  return a("update", at, "'recorder':'\(recorder)','timestamp':\(seconds("10:05"))\(tail)")
}

@Suite("Model: acts that several rows tell of are counted once")
struct ModelActCountTests {
  /// Updates and alerts of the start, then these lines.
  private func counts(_ lines: [String], view: ModelView = .device) throws -> [Int] {
    let card = try life([a("start", "10:00")] + lines, "10:30", view: view)
    return [card.updates, card.alerts]
  }

  @Test("An update that two recorders saw counts once, its alert too (I11)")
  func witness() throws {
    let said = "'stale-date':\(seconds("11:00")),'alert':{},'source':'push','content-state':{}"
    let lines = [seen("10:05", "phone", said), seen("10:06", "server", said)]
    #expect(try counts(lines) == [1, 1])
    // The later row is applied all the same.
    let card = try life([a("start", "10:00")] + lines, "10:30")
    #expect(card.contentSeq == 3)
    #expect(card.notApplied.isEmpty)
  }

  @Test("Timestamps are compared in whole seconds (I11)")
  func wholeSeconds() throws {
    let second = a("update", "10:06", "'recorder':'server','timestamp':\(seconds("10:05")).9")
    #expect(try counts([seen("10:05", "phone"), second]) == [1, 0])
  }

  @Test("Whatever differs makes another act, and so does the same recorder (I11)")
  func noWitness() throws {
    let first = seen("10:05", "phone", "'source':'app'")
    let others = [
      seen("10:06", "phone", "'source':'app'"), seen("10:06", "server"),
      seen("10:06", "server", "'source':'app','stale-date':\(seconds("11:00"))"),
      a(
        "update", "10:06",
        "'recorder':'server','source':'app','timestamp':\(seconds("10:06"))"),
    ]
    for other in others { #expect(try counts([first, other]) == [2, 0], "\(other)") }
    let alert = seen("10:06", "server", "'source':'app','alert':{}")
    #expect(try counts([first, alert]) == [2, 1])
  }

  @Test("Without an explicit timestamp there is no witness (I11)")
  func noTimestamp() throws {
    let lines = ["phone", "server"].map { a("update", "10:05", "'recorder':'\($0)'") }
    #expect(try counts(lines) == [2, 0])
  }

  @Test("Lines without a recorder are one recorder, another than any named (I11)")
  func noRecorder() throws {
    let bare = a("update", "10:06", "'timestamp':\(seconds("10:05"))")
    #expect(try counts([bare, bare]) == [2, 0])
    #expect(try counts([seen("10:05", "phone"), bare]) == [1, 0])
  }

  @Test("The same apns-id is the same act, whatever was answered (I11)")
  func sameID() throws {
    let lines = [
      a("update", "10:05", "'apns-id':'P','attempt':1,'alert':{}"),
      a("update", "10:06", "'apns-id':'P','attempt':2,'status':200,'alert':{}"),
      a("update", "10:07", "'apns-id':'P','status':200"),
    ]
    #expect(try counts(lines) == [1, 1])
    let upper = "0A0B0C0D-0000-4000-8000-00000000000F"
    let cases = [upper, upper.lowercased()].map { a("update", "10:05", "'apns-id':'\($0)'") }
    #expect(try counts(cases) == [1, 0])
  }

  @Test("The same token and timestamp are an attempt until one is answered 200 (I11)")
  func sameTimestamp() throws {
    func update(_ at: String, _ answer: String = "") -> String {
      a("update", at, "'token':'t','timestamp':\(seconds("10:05"))\(answer)")
    }
    let accepted = ",'status':200"
    #expect(try counts([update("10:05"), update("10:06", accepted)]) == [1, 0])
    #expect(try counts([update("10:05", accepted), update("10:06")]) == [2, 0])
    // The third attempts the second again, which has no 200.
    let three = [update("10:05", accepted), update("10:06"), update("10:07")]
    #expect(try counts(three) == [2, 0])
    // An answer that came later says the same.
    let response = line("response", "10:05:30", "'token':'t','status':200")
    #expect(try counts([update("10:05"), response, update("10:06")]) == [2, 0])
  }

  @Test("Only a row that applied makes a later one the same act (I11)")
  func refusedFirst() throws {
    let lines = [
      a("update", "10:05", "'apns-id':'P','status':500,'alert':{}"),
      a("update", "10:06", "'apns-id':'P','status':200,'alert':{}"),
    ]
    #expect(try counts(lines) == [1, 1])
    // The sender's view applies both: one act.
    #expect(try counts(lines, view: .sent) == [1, 1])
  }

  @Test("A start that another recorder saw adds no update (I11)")
  func start() throws {
    let lines = ["phone", "server"].map { recorder in
      a("start", "10:00", "'recorder':'\(recorder)','alert':{},'timestamp':\(seconds("10:00"))")
    }
    let card = try life(lines, "10:30")
    #expect([card.updates, card.alerts] == [0, 1])
  }

  @Test("Other kinds are other acts (I11)")
  func kinds() throws {
    let lines = [
      a("update", "10:05", "'apns-id':'P','alert':{}"), a("alert", "10:06", "'apns-id':'P'"),
      a("alert", "10:07", "'apns-id':'P'"),
    ]
    #expect(try counts(lines) == [1, 2])
  }

  @Test("Another life counts anew (I11)")
  func otherLife() throws {
    let stamp = "'timestamp':\(seconds("10:40"))"
    let lines = [
      a("start", "10:00"), a("update", "10:05", "'recorder':'phone',\(stamp)"), a("end", "10:10"),
      a("start", "10:30"), a("update", "10:35", "'recorder':'server',\(stamp)"),
    ]
    #expect(try lives(lines, "10:50").map(\.updates) == [1, 1])
  }

  @Test("What fans out counts as an act like any other (I10, I11)")
  func fannedOut() throws {
    let lines = [
      a("update", "10:04", "'key':'K'"), line("update", "10:05", "'key':'K','apns-id':'P'"),
      line("update", "10:06", "'key':'K','apns-id':'P'"),
    ]
    #expect(try counts(lines) == [2, 0])
  }
}
