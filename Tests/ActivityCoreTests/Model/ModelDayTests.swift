internal import ActivityTestSupport
internal import Testing

@Suite("Model: generated logs")
struct ModelDayTests {
  @Test("The same seed gives the same lines, another seed others")
  func repeatable() {
    let lines = ModelDay.lines(seed: 7, rows: 300)
    #expect(lines.count == 300)
    #expect(lines == ModelDay.lines(seed: 7, rows: 300))
    #expect(lines != ModelDay.lines(seed: 8, rows: 300))
  }

  @Test("Every line reads, seqs count from 1 and recorded-at never decreases")
  func wellFormed() throws {
    for seed in 1...UInt64(5) {
      let rows = try ModelRow.rows(ModelDay.lines(seed: seed, rows: 400))
      #expect(rows.map(\.seq) == Array(1...400))
      #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.recordedAt <= $1.recordedAt })
      #expect(rows.allSatisfy { $0.at <= $0.recordedAt })
    }
  }

  @Test("Together the logs reach every phase, reason not applied and end reason")
  func reach() throws {
    var phases: Set<String> = []
    var names: Set<String> = []
    var reasons: Set<String> = []
    var kinds: Set<String> = []
    for seed in 1...UInt64(12) {
      let rows = try ModelRow.rows(ModelDay.lines(seed: seed, rows: 600))
      kinds.formUnion(rows.map(\.event))
      for hour in stride(from: 0, through: 96, by: 6) {
        let at = rows[0].at + Int64(hour) * 3_600_000_000
        for card in model(rows, clock: .occurred, at: at, view: .device) {
          phases.insert(card.phase)
          names.formUnion(card.notApplied.map(\.name))
          if let reason = card.endReason { reasons.insert(reason) }
        }
      }
    }
    #expect(phases == ["pending", "active", "stale", "ended", "dismissed"])
    #expect(
      names == [
        "refused", "older", "older-end", "after-end", "future", "too-big", "no-alert",
        "undecodable", "no-life",
      ])
    #expect(
      reasons.isSuperset(of: [
        "app", "push", "broadcast", "person", "system-limit", "disabled", "unknown", "cancelled",
      ]))
    #expect(kinds.isSuperset(of: ["inventory", "authorization", "token", "response", "failure"]))
  }

  @Test("Together the logs reach claims, fan-out by key and channel, and names of their own")
  func reachOfIdentity() throws {
    var reached: Set<String> = []
    for seed in 1...UInt64(6) {
      let lines = ModelDay.lines(seed: seed, rows: 300)
      let rows = try ModelRow.rows(lines)
      for hour in stride(from: 0, through: 84, by: 12) {
        let at = rows[0].at + Int64(hour) * 3_600_000_000
        for card in model(rows, clock: .occurred, at: at, view: .device) {
          let kind = ["start:", "key:", "channel:", "token:"].first(where: card.name.hasPrefix)
          if let kind { reached.insert(kind) }
          // A first row without a handle of the card's own: the card was claimed.
          let first = lines[Int(card.firstSeq) - 1]
          if kind == nil, !first.contains(#""activity-id":"#), first.contains(#""start""#) {
            reached.insert("claimed")
          }
          guard let seq = card.contentSeq, kind != "key:", kind != "channel:" else { continue }
          let content = lines[Int(seq) - 1]
          if content.contains(#""activity-id":"#) || content.contains(#""token":"#) { continue }
          reached.insert(content.contains(#""channel":"#) ? "by channel" : "by key")
        }
      }
    }
    #expect(
      reached == ["start:", "key:", "channel:", "token:", "claimed", "by key", "by channel"])
  }

  @Test("Rows given in any order are the same log")
  func orderOfRows() throws {
    let rows = try ModelRow.rows(ModelDay.lines(seed: 3, rows: 300))
    let at = rows[200].at
    for clock in ModelClock.allCases {
      for view in ModelView.allCases {
        let forwards = model(rows, clock: clock, at: at, view: view)
        #expect(!forwards.isEmpty)
        #expect(forwards == model(rows.reversed(), clock: clock, at: at, view: view))
      }
    }
  }

  @Test("Every life obeys what its phase means")
  func invariants() throws {
    for seed in 20...UInt64(26) {
      let rows = try ModelRow.rows(ModelDay.lines(seed: seed, rows: 400))
      for index in stride(from: 10, to: 400, by: 39) {
        let at = rows[index].at
        for card in model(rows, clock: .occurred, at: at, view: .device) {
          #expect(card.since <= at)
          #expect((card.startedAt == nil) != (card.startedBefore == nil))
          let isOver = ["ended", "dismissed"].contains(card.phase)
          #expect((card.endedAt != nil) == isOver)
          #expect((card.endReason != nil) == isOver)
          let until = try #require(card.visibleUntil)
          // A device may show `pending` after S, and then no clock ends it (C1).
          if card.phase != "pending" {
            #expect((until <= at) == (card.phase == "dismissed"), "\(card)")
          }
        }
      }
    }
  }
}
