import ActivityCommands
import Foundation
import Testing

@Suite("Comparing builds and days")
struct ComparingTests {
  /// Build 412 had all day: 40 cards, 8 of them left behind. Of 413 most cards still live: 10 are
  /// decided, 5 of them left behind.
  private static let twoBuilds =
    Workbench.cards(build: "412", ended: 32, leaked: 8, live: 0, hour: 9)
    + Workbench.cards(build: "413", ended: 5, leaked: 5, live: 30, hour: 12)

  @Test("A newer build that had less time to leak is compared by rates, not by counts")
  func rates() throws {
    let bench = try Workbench()
    try bench.ingest("two", ComparingTests.twoBuilds)
    let report = try bench.json("audit", "@two", "-o", "json", "--group-by", "build")
    let comparison = try #require(report["groups-by"] as? [String: Any])
    #expect(comparison["by"] as? String == "build")
    let groups = try #require(comparison["groups"] as? [[String: Any]])
    #expect(groups.map { $0["value"] as? String } == ["413", "412"])
    #expect(groups.map { $0["decided"] as? Int } == [10, 40])
    #expect(groups.map { $0["leaked"] as? Int } == [5, 8])
    #expect(groups.map { $0["findings"] as? Int } == [5, 8])
    #expect(groups.map { $0["findings-per-1000"] as? Double } == [500, 200])
    let decided = try #require(report["decided"] as? [String: Any])
    #expect(decided["cards"] as? Int == 50)
    #expect(report["live"] as? Int == 30)
    // The outage is about no single card and in no group.
    let rules = groups.flatMap { ($0["rules"] as? [[String: Any]]) ?? [] }
    #expect(Set(rules.compactMap { $0["rule"] as? String }) == ["end-not-delivered"])
  }

  @Test("Every output that compares says the same")
  func outputs() throws {
    let bench = try Workbench()
    try bench.ingest("two", ComparingTests.twoBuilds)
    let text = bench.run("audit", "@two", "--group-by", "build").out
    let table = text.filter { $0.hasPrefix("41") || $0.hasPrefix("BUILD") }
    #expect(
      table.map { $0.split(separator: " ").prefix(5).joined(separator: " ") } == [
        "BUILD DECIDED LEAKED FINDINGS PER", "413 10 5 5 500.0", "412 40 8 8 200.0",
      ])
    let csv = CSV.rows(bench.output("audit", "@two", "--group-by", "build", "-o", "csv"))
    #expect(
      csv.map { $0.prefix(6).joined(separator: " ") } == [
        "by value decided leaked findings findings-per-1000", "build 413 10 5 5 500.0",
        "build 412 40 8 8 200.0",
      ])
    let lines = bench.run("audit", "@two", "--group-by", "build", "-o", "jsonl").out
    #expect(lines.filter { $0.contains("activitylog.group/1") }.count == 2)
    let page = bench.run("audit", "@two", "--group-by", "build", "-o", "markdown").out
    #expect(says(page, "| 413 | 10 | 5 | 5 | 500.0 |"))
    let refused = bench.run("audit", "@two", "--group-by", "build", "-o", "junit")
    #expect(refused.status == .couldNotRun)
    #expect(says(refused.err, "--group-by has no place in -o junit"))
  }

  @Test(
    "Cards group by what they share; source and recorder are those of the start",
    arguments: [
      ("attributes-type", ["T 50"]), ("source", ["app 50"]), ("recorder", ["app 50"]),
    ])
  func groupings(by: String, expected: [String]) throws {
    let bench = try Workbench()
    try bench.ingest("two", ComparingTests.twoBuilds)
    let rows = CSV.rows(bench.output("audit", "@two", "--group-by", by, "-o", "csv"))
    #expect(rows.dropFirst().map { "\($0[1]) \($0[2])" } == expected)
    let devices = CSV.rows(bench.output("audit", "@two", "--group-by", "device", "-o", "csv"))
    #expect(devices.count == 51)
  }

  @Test("A filter and a window choose the cards that rates are over, too")
  func chosen() throws {
    let bench = try Workbench()
    try bench.ingest("two", ComparingTests.twoBuilds)
    func decided(_ words: String...) throws -> Int? {
      let outcome = bench.run(["audit", "@two", "-o", "json"] + words, input: [])
      let value = try JSONSerialization.jsonObject(
        with: Data(outcome.out.joined(separator: "\n").utf8))
      let report = try #require(value as? [String: Any])
      return (report["decided"] as? [String: Any])?["cards"] as? Int
    }
    #expect(try decided("--where", "build=413") == 10)
    #expect(try decided("--where", "severity=error") == 50)
    #expect(try decided("--until", "2026-11-20T11:00:00Z") == 40)
  }

  @Test("Worse is a higher rate of a rule with ten findings or more")
  func worse() throws {
    let bench = try Workbench()
    let before = Workbench.cards(build: "1", ended: 40, leaked: 10, live: 1, hour: 9)
    try bench.ingest("before", before)
    let more = Workbench.cards(build: "2", ended: 38, leaked: 14, live: 1, hour: 9)
    try bench.ingest("more", more)
    let few = Workbench.cards(build: "3", ended: 1, leaked: 9, live: 1, hour: 9)
    try bench.ingest("few", few)
    let twice = Workbench.cards(build: "4", ended: 80, leaked: 20, live: 1, hour: 9)
    try bench.ingest("twice", twice)
    try bench.write("base.json", bench.output("audit", "@before", "-o", "json"))
    func status(_ log: String, _ gate: String) -> ActivityCommands.ExitStatus {
      bench.run("audit", "@\(log)", "--baseline", "@base.json", "--fail-on", gate).status
    }
    // 14 of 52 is 1.35 times 10 of 50.
    #expect(status("more", "worse:1.3") == .gate)
    #expect(status("more", "worse") == .fine)
    #expect(status("more", "worse:1") == .gate)
    // Nine findings are chance, whatever the rate; twice as many of twice as many are the same.
    #expect(status("few", "worse") == .fine)
    #expect(status("twice", "worse:1") == .fine)
    let said = bench.run(
      "audit", "@more", "--baseline", "@base.json", "--fail-on", "worse:1.3", "-o", "ids")
    #expect(
      said.err.contains(
        "worse: end-not-delivered: 269.2 findings per 1,000 decided cards (14 of 52), "
          + "200.0 in the baseline"))
  }

  @Test("A rule the baseline does not have is worse from ten findings on")
  func newRule() throws {
    let bench = try Workbench()
    try bench.ingest("clean", Workbench.cards(build: "1", ended: 40, leaked: 0, live: 1, hour: 9))
    try bench.write("base.json", bench.output("audit", "@clean", "-o", "json"))
    for (leaked, expected) in [(9, ActivityCommands.ExitStatus.fine), (10, .gate)] {
      let log = "bad\(leaked)"
      try bench.ingest(
        log, Workbench.cards(build: "2", ended: 190, leaked: leaked, live: 1, hour: 9))
      let outcome = bench.run(
        "audit", "@\(log)", "--baseline", "@base.json", "--fail-on", "worse:9")
      #expect(outcome.status == expected)
    }
  }

  @Test("Against a baseline a report says what is new and what is gone")
  func changes() throws {
    let bench = try Workbench()
    try bench.write(
      "base.json",
      bench.output("audit", Workbench.incident, "-o", "json", "--skip", "never-ended"))
    let text = bench.run("audit", Workbench.incident, "--baseline", "@base.json").out
    #expect(says(text, "New since the baseline: 3; gone: 0."))
    #expect(text.filter { $0.contains("(new)") }.count == 3)
    let fewer = try bench.json(
      "audit", Workbench.incident, "--baseline", "@base.json", "--rule", "late-end", "-o", "json")
    let change = try #require(fewer["baseline"] as? [String: Any])
    #expect((change["new"] as? [Any])?.isEmpty == true)
    // Of rules that were not asked for nothing is gone.
    #expect((change["gone"] as? [Any])?.isEmpty == true)
    let early = try bench.json(
      "audit", Workbench.incident, "--at", "18:45", "--baseline", "@base.json", "-o", "json")
    let lost = (early["baseline"] as? [String: Any])?["gone"] as? [Any]
    #expect(lost?.isEmpty == false)
    let ids = bench.run("audit", Workbench.incident, "--baseline", "@base.json", "-o", "ids")
    #expect(ids.err == ["new since the baseline: 3; gone: 0"])
  }

  @Test(
    "What is no baseline is one line, and the run ends with 2",
    arguments: [
      ("nonsense", "this is no JSON report"),
      ("[]", "this is no JSON report"),
      (#"{"schema":"activitylog.finding/1"}"#, "its schema is 'activitylog.finding/1'"),
      (#"{"runs":[]}"#, "it names no schema"),
      (#"{"schema":"activitylog.report/2","findings":[]}"#, "its schema is 'activitylog.report/2'"),
      (#"{"schema":"activitylog.report/1","findings":[]}"#, "lacks its findings or decided cards"),
      (
        #"{"schema":"activitylog.report/1","findings":[],"decided":{"cards":-1,"rules":[]}}"#,
        "lacks its findings or decided cards"
      ),
      (
        #"{"schema":"activitylog.report/1","findings":[],"decided":{"cards":1,"rules":[{}]}}"#,
        "names no rule or no findings"
      ),
      (
        #"{"schema":"activitylog.report/1","findings":[7],"decided":{"cards":1,"rules":[]}}"#,
        "has no rule or fingerprint"
      ),
    ])
  func badBaseline(text: String, what: String) throws {
    let bench = try Workbench()
    try bench.write("base.json", text)
    let outcome = bench.run("audit", Workbench.incident, "--baseline", "@base.json")
    #expect(outcome.status == .couldNotRun)
    #expect(outcome.out.isEmpty)
    #expect(outcome.err.count == 2)
    #expect(outcome.err.first?.contains("base.json: ") == true)
    #expect(says(outcome.err, what))
  }

  @Test(
    "A gate that cannot be is a usage error",
    arguments: ["wrose", "worse:", "worse:x", "worse:0.5", "worse:inf", "worse:nan", ""])
  func badGate(_ gate: String) throws {
    let bench = try Workbench()
    let outcome = bench.run("audit", Workbench.incident, "--baseline", "@b", "--fail-on", gate)
    #expect(outcome.status == .couldNotRun)
    #expect(says(outcome.err, "--fail-on"))
    #expect(says(bench.run("audit", "@x", "--fail-on", "worse").err, "--baseline is missing"))
    let absent = bench.run("audit", Workbench.incident, "--baseline", "@absent.json")
    #expect(absent.status == .couldNotRun)
    #expect(absent.err.last == "try: check the path")
  }
}
