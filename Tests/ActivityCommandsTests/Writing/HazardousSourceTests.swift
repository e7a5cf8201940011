import ActivityCommands
import Foundation
import Testing

@Suite("Content of sources on a terminal")
struct HazardousSourceTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private static let hazard = "\u{1B}]0;x\u{7}\u{1B}[31m\u{202E}\u{9B}"

  /// As JSON strings spell it, where they must.
  private static let spelled = #"\u001b]0;x\u0007\u001b[31m"# + "\u{202E}\u{9B}"

  private static let texts: [(name: String, text: String)] = {
    let record = #"{"activity_id":"A","event":"update","created_at":"2026-11-20T17:00:00Z","#
    return [
      ("a record's names", "[" + record + "\"\(spelled)\":1,\"order_id\":\"\(spelled)\"}]"),
      (
        "a kind and handles",
        BadSource.line(1).replacing("update", with: spelled) + "\n"
          + BadSource.line(2).replacing("A-", with: spelled) + "\n" + hazard + "\n"
      ),
      ("a member twice", BadSource.line(1).dropLast() + ",\"\(spelled)\":1,\"\(spelled)\":2}\n"),
      (
        "a table",
        "activity_id,event,at,\"\(hazard)\n\"\nA\(hazard),update,1795199400,\(hazard)\n"
          + "B,\(hazard),\(hazard),\n"
      ),
      (
        "a push",
        BadSource.push(1).replacing("id-", with: spelled)
          .replacing("com.", with: spelled) + "\n"
      ),
    ]
  }()

  @Test("Whatever it holds, nothing printed moves a cursor or turns text around")
  func shown() throws {
    for (what, text) in Self.texts {
      let name = "in\(Self.hazard)"
      try bench.write(name, text)
      for words in [
        ["ingest", "@log", "@\(name)", "--dry-run"], ["audit", "@\(name)"], ["tail", "@\(name)"],
        ["state", "@\(name)", "--all"], ["show", "@\(name)", "A"],
        ["tail", "@\(name)", "-o", "jsonl"], ["ingest", "@log", "@\(name)", "--map", "@\(name)"],
      ] {
        let run = bench.run(words, input: [])
        #expect(!run.err.isEmpty || !run.out.isEmpty, "\(what): \(words)")
        for line in run.out + run.err {
          #expect(!line.unicodeScalars.contains(where: Escape.isHazard), "\(what): \(words)")
        }
      }
    }
  }

  @Test("A guess that holds such names is printed so that --map takes it")
  func guess() throws {
    let record =
      #"{"activity_id":"A","event":"update","created_at":"2026-11-20T17:00:00Z","#
      + #""\#(Self.spelled)":"1"}"#
    try bench.write("in", record + "\n")
    let run = bench.run("ingest", "@log", "@in", "--dry-run")
    let note = try #require(run.err.first { $0.contains("--map: ") })
    let map = try #require(note.range(of: "--map: ")).upperBound
    try bench.write("map", String(note[map...]))
    let mapped = bench.run("ingest", "@log", "@in", "--dry-run", "--map", "@map")
    #expect(mapped.status == .fine, "\(mapped.err)")
    #expect(mapped.out == run.out)
  }
}
