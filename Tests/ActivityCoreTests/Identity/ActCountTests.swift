import ActivityCore
import Testing

private let token = "sha256:11111111111100000000000000000000"

@Suite("Updates and alerts count acts, not rows (I11)")
struct ActCountTests {
  private func counts(_ rows: [String]) throws -> [Int] {
    let card = try Cards([a("start", "10:00")] + rows, "11:00").card("A")
    return [card.updates, card.alerts]
  }

  private func stamp(_ at: String) -> String { "'timestamp':\(seconds(at))" }

  @Test("Attempts of one push are one update, with one alert")
  func attempts() throws {
    let same = "'apns-id':'P','alert':{}"
    #expect(
      try counts([a("update", "10:10", same), a("update", "10:11", same)]) == [1, 1])
    #expect(
      try counts([a("update", "10:10", same), a("alert", "10:11", same)]) == [1, 2])
  }

  @Test("Same token and timestamp are attempts while the earlier was not answered 200")
  func byToken() throws {
    let same = "'token':'\(token)','source':'push'," + stamp("10:10")
    #expect(try counts([a("update", "10:10", same), a("update", "10:11", same)]) == [1, 0])
    let taken = same + ",'status':200"
    #expect(try counts([a("update", "10:10", taken), a("update", "10:11", taken)]) == [2, 0])
    // The third is an attempt of the second, however the first was answered.
    #expect(
      try counts([
        a("update", "10:10", taken), a("update", "10:11", same), a("update", "10:12", taken),
      ]) == [2, 0])
  }

  @Test("Two recorders' rows of one act are one, with a timestamp of their own")
  func witnesses() throws {
    let seen = "'source':'app'," + stamp("10:10")
    #expect(
      try counts([
        a("update", "10:10", seen + ",'recorder':'phone'"),
        a("update", "10:11", seen + ",'recorder':'server'"),
      ]) == [1, 0])
    #expect(try counts([a("update", "10:10", seen), a("update", "10:11", seen)]) == [2, 0])
    #expect(
      try counts([
        a("update", "10:10", seen + ",'recorder':'phone'"),
        a("update", "10:11", seen + ",'recorder':'server','alert':{}"),
      ]) == [2, 1])
    #expect(
      try counts([
        a("update", "10:10", "'source':'app','recorder':'phone'"),
        a("update", "10:10", "'source':'app','recorder':'server'"),
      ]) == [2, 0])
  }

  @Test("A second recorder's row of the start is no update")
  func startWitness() throws {
    let same = "'source':'app'," + stamp("10:00")
    let cards = try Cards(
      [
        a("start", "10:00", same + ",'recorder':'phone'"),
        a("start", "10:00:01", same + ",'recorder':'server'"),
      ], "11:00")
    #expect(cards.outcomes("A") == ["1:applied", "2:applied"])
    #expect(try cards.card("A").updates == 0)
  }

  @Test("Refused attempts are nothing an applied one could repeat")
  func refused() throws {
    let same = "'apns-id':'P','source':'push'"
    #expect(
      try counts([
        a("update", "10:10", same + ",'status':503"), a("update", "10:11", same + ",'status':200"),
      ]) == [1, 0])
  }

  @Test("Each life counts for itself")
  func lives() throws {
    let same = "'apns-id':'P'"
    let cards = try Cards(
      [
        a("start", "10:00"), a("update", "10:10", same), a("end", "10:20"),
        a("start", "10:30"), a("update", "10:40", same),
      ], "11:00")
    #expect(cards.states().map(\.updates) == [1, 1])
  }

  @Test("Many acts are counted as the pairwise definition says", arguments: 0..<8)
  func many(seed: UInt64) throws {
    var random = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
    func pick(_ count: UInt64) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((random >> 33) % count)
    }
    var rows: [(push: Int, token: Bool, stamp: Int, ok: Bool, recorder: Int)] = []
    for _ in 0..<120 {
      rows.append((pick(60), pick(2) == 0, pick(30), pick(2) == 0, pick(3)))
    }
    let lines = rows.enumerated().map { number, row in
      var members = ["'source':'push'", "'recorder':'r\(row.recorder)'"]
      if row.push < 40 { members.append("'apns-id':'P\(row.push)'") }
      if row.token { members.append("'token':'\(token)'") }
      // Rising from row to row, so that nothing is older than what applied.
      if row.stamp > 9 { members.append(stamp(row.stamp > 20 ? "11:00" : "10:59")) }
      if row.ok { members.append("'status':200") }
      return a("update", "10:59:\(number / 60)\(number % 6)", members.joined(separator: ","))
    }
    let cards = try Cards([a("start", "10:00", stamp("10:00"))] + lines, "11:00")
    let set = cards.resolution.set
    let applied = cards.outcomes("A").filter { $0.hasSuffix(":applied") }.dropFirst()
      .compactMap { Int64($0.prefix { $0 != ":" }) }
      .compactMap { seq in set.rows.first { $0.seq == seq } }
    var expected = 0
    for (place, row) in applied.enumerated() {
      let repeats = applied[..<place].contains { isSame($0, row) }
      if !repeats { expected += 1 }
    }
    #expect(applied.count > 25)
    #expect(expected < applied.count)
    #expect(try cards.card("A").updates == expected)
  }

  private func isSame(_ earlier: Row, _ row: Row) -> Bool {
    if row.push != .none, row.push == earlier.push { return true }
    guard row.marks.contains(.versioned), earlier.marks.contains(.versioned),
      row.version == earlier.version
    else { return false }
    if row.token >= 0, row.token == earlier.token, earlier.answer != .accepted { return true }
    return row.recorder != earlier.recorder
  }
}
