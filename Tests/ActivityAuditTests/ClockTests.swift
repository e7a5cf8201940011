import ActivityAudit
import ActivityCore
import Testing

@Suite("Clocks that are ahead of the log")
struct ClockTests {
  /// Three rows of a phone, recorded so many seconds before they say they happened.
  private func findings(lead: Int64) throws -> [Finding] {
    var batch = try Logs.columns(
      RuleScript.lines(
        """
        0m start A source=app recorder=phone device=phone stale-date=@9h content
        10m update A source=app recorder=phone device=phone stale-date=@9h content=2
        20m end A source=app recorder=phone device=phone content=3
        """))
    for row in 0..<batch.count { batch.recordedAt[row] = batch.at[row] - lead * 1_000_000 }
    var projector = Projector(Selection(clock: .occurred, allUntil: batch.at[2]))
    projector.add(batch)
    return Audit.report(of: projector).findings
  }

  @Test("More than five minutes is one finding a recorder, with how far it is at most")
  func ahead() throws {
    let found = try findings(lead: 420)
    #expect(found.map(\.rule) == ["clock-skew"])
    #expect(found[0].count == 3)
    #expect(found[0].evidence == [1, 2, 3])
    #expect(found[0].message == "phone dates 3 events up to 7 min after the log recorded them")
  }

  @Test("Five minutes and less is none")
  func within() throws { #expect(try findings(lead: 300).isEmpty) }
}
