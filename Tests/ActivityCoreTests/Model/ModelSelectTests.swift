internal import ActivityTestSupport
internal import Testing

@Suite("Model: rows, clocks and what is selected")
struct ModelSelectTests {
  @Test("A start by the app is active from its at, and visible until twelve hours later")
  func start() throws {
    let card = try life([a("start", "10:00")], "10:30")
    #expect(card.phase == "active")
    #expect(card.since == time("10:00"))
    #expect(card.startedAt == time("10:00"))
    #expect(card.startedBefore == nil)
    #expect(card.visibleUntil == time("22:00"))
    #expect(!card.inferred)
  }

  @Test("Nothing is selected before it happened")
  func before() throws {
    #expect(try lives([a("start", "10:00")], "9:59:59").isEmpty)
  }

  @Test("The recorded clock does not know what the log took later")
  func recordedClock() throws {
    let lines = [
      a("start", "10:00"), a("end", "11:00", "'recorded-at':\(seconds("15:00"))"),
    ]
    #expect(try life(lines, "12:00").phase == "ended")
    #expect(try life(lines, "12:00", clock: .recorded).phase == "active")
    #expect(try life(lines, "15:00", clock: .recorded).endedAt == time("11:00"))
  }

  @Test("An at beyond its recorded-at counts as recorded-at (R1)")
  func futureAt() throws {
    let card = try life([a("start", "12:00", "'recorded-at':\(seconds("10:00"))")], "10:00")
    #expect(card.startedAt == time("10:00"))
  }

  @Test("Without at, the line's recorded-at is when it happened; RFC 3339 reads as the same time")
  func times() throws {
    let text = #"{"event":"start","activity-id":"A","recorded-at":"2025-07-22T12:00:00.25+02:00"}"#
    let card = try life([text], "10:30")
    #expect(card.startedAt == time("10:00") + 250_000)
  }

  @Test("Rows are folded by at, not in the order they were taken")
  func lateRow() throws {
    let lines = [
      a("start", "10:00"), a("update", "10:20", "'content-state':{'n':2}"),
      a("update", "10:10", "'content-state':{'n':1},'recorded-at':\(seconds("10:30"))"),
    ]
    let card = try life(lines, "10:40")
    #expect(card.contentSeq == 2)
    #expect(card.updates == 2)
    #expect(card.lastSeq == 3)
  }

  @Test("At a seq, the rows up to it are derived at their largest at (S1)")
  func atSeq() throws {
    let rows = try ModelRow.rows([
      a("start", "10:00"), line("start", "19:00", "'activity-id':'B'"), a("end", "19:30"),
    ])
    let cards = model(rows, atSeq: 2, view: .device)
    #expect(cards.map(\.phase) == ["ended", "active"])
    #expect(cards.map(\.endReason) == ["system-limit", nil])
  }

  @Test("What is older than 36 hours is not in the window (S2)")
  func window() throws {
    let lines = [a("start", "10:00"), line("start", "+1 12:00", "'activity-id':'B'")]
    #expect(try lives(lines, "+1 22:00").map(\.name) == ["A", "B"])
    #expect(try lives(lines, "+1 22:00:01").map(\.name) == ["B"])
  }

  @Test("A scheduled start keeps its row in the window, and all rows after it (S2)")
  func scheduledWindow() throws {
    let lines = [
      a("start", "10:00", "'start-date':\(seconds("+3 10:00"))"),
      line("start", "11:00", "'activity-id':'B'"),
    ]
    let cards = try lives(lines, "+3 10:30")
    #expect(cards.map(\.phase) == ["active", "dismissed"])
    #expect(cards.first?.startedAt == time("+3 10:00"))
    #expect(try lives(lines, "+4 22:00:01").isEmpty)
  }

  @Test("A start-date counts as at most thirty days after its at (S2)")
  func farStart() throws {
    let lines = [a("start", "10:00", "'start-date':\(seconds("+90 10:00"))")]
    #expect(try life(lines, "+31 22:00").phase == "pending")
    #expect(try lives(lines, "+31 22:00:01").isEmpty)
  }

  @Test("A line without any time is refused")
  func noTime() {
    #expect(throws: ModelRowError.self) {
      try ModelRow(line: #"{"event":"start","activity-id":"A"}"#, number: 1)
    }
  }
}
