import ActivityAudit
import ActivityCore
import Testing

@Suite("What recorders had and could not record")
struct LossTests {
  private let coverage = """
    {"event":"coverage","recorder":"alice","at":1763660000,"from":1763660000,"until":1763660000,\
    "lost":1,"why":"redacted"}
    """

  @Test("Lines lost are counted by recorder and reason")
  func counted() throws {
    let dropped = """
      {"event":"coverage","recorder":"alice","at":1763660009,"from":1763660000,\
      "until":1763660008,"lost":214,"why":"dropped"}
      """
    let other = #"{"event":"work","recorder":"bob","key":"K","outcome":"open","at":1763660001}"#
    let report = try Logs.report([coverage, coverage, dropped, other])
    let alice = try #require(report.coverage.recorders.first { $0.name == "alice" })
    #expect(alice.losses.map(\.why) == ["dropped", "redacted"])
    #expect(alice.losses.map(\.lines) == [214, 2])
    #expect(alice.losses.map(\.rows) == [1, 2])
    #expect(report.coverage.recorders.first { $0.name == "bob" }?.losses == [])
  }

  @Test("A card whose id was hidden is never more than live, whatever is known of its work")
  func redacted() throws {
    func lines(_ id: String) -> [String] {
      [
        #"{"event":"start","source":"app","activity-id":"\#(id)","key":"K","at":1763600000}"#,
        #"{"event":"work","key":"K","outcome":"finished","at":1763603600}"#,
        #"{"event":"state","activity-id":"\#(id)","state":"active","at":1763640000}"#,
      ]
    }
    var options = AuditOptions()
    options.live = true
    let named = try Logs.report(lines("A"), options)
    #expect(!named.findings.isEmpty && named.liveCount == 0)
    let hidden = try Logs.report(lines("redacted:phone/71/5"), options)
    #expect(hidden.findings.isEmpty)
    #expect(hidden.liveCount == 1 && hidden.live.map(\.name) == ["redacted:phone/71/5"])
    #expect(hidden.coverage.redactedCards == 1)
  }
}
