import ActivityCommands
import Testing

@Suite("Arguments")
struct ArgumentTests {
  @Test(
    "Every GNU spelling of the same arguments gives the same",
    arguments: [
      ["probe", "orders", "--follow", "--quiet", "--lines", "5"],
      ["probe", "-f", "-q", "-n", "5", "orders"],
      ["probe", "-fqn5", "orders"],
      ["probe", "-fq", "--lines=5", "--", "orders"],
      ["probe", "orders", "-qfn", "5"],
      ["probe", "-n1", "-n5", "-q", "orders", "-f"],
    ])
  func spellings(_ words: [String]) {
    let outcome = run(words)
    #expect(outcome.status == .fine)
    #expect(outcome.err == [])
    #expect(outcome.out.prefix(4) == ["orders", "files []", "follow true quiet true", "lines 5"])
  }

  @Test("Words after -- are operands, and a lone dash is one")
  func operands() {
    #expect(run("probe", "-", "--", "-f", "--lines").out[1] == #"files ["-f", "--lines"]"#)
    #expect(run("probe", "-").out[0] == "-")
  }

  @Test("A repeatable option keeps order; an option takes a value that looks like an option")
  func values() {
    let outcome = run(
      "probe", "x", "-w", "build=413", "--where=key=a=b", "-wevent=", "--since", "-90m",
      "--idle-limit", "1.5s", "-ojson")
    #expect(outcome.out[4] == #"where ["build is 413", "key is a=b", "event is "]"#)
    #expect(outcome.out[5...] == ["output json", "since given", "idle 1500000"])
  }

  @Test(
    "What is wrong is said in one line with something to try",
    arguments: [
      (["probe"], "LOG is missing", "activitylog probe --help"),
      (["probe", "x", "--folow"], "unknown option --folow", "--follow"),
      (["probe", "x", "--out"], "unknown option --out", "--output"),
      (["probe", "x", "--zebra"], "unknown option --zebra", "activitylog probe --help"),
      (["probe", "x", "-z"], "unknown option -z", "activitylog probe --help"),
      (["probe", "x", "--follow=1"], "--follow takes no value", nil),
      (["probe", "x", "-n"], "--lines needs N", nil),
      (
        ["probe", "x", "-n", "ten"], "--lines takes a whole number, 0 to 1000, not 'ten'", nil
      ),
      (["probe", "x", "-o", "jsn"], "--output: 'jsn' is none of text, json, ids", "json"),
      (["probe", "x", "-w", "=1"], "--where takes NAME=VALUE, not '=1'", nil),
      (
        ["probe", "x", "--since", "noon"], "--since: 'noon' is no time",
        "2026-11-20T18:00:00Z, '2026-11-20 18:00', 18:00, -90m, @1700000000 or now"
      ),
      (
        ["probe", "x", "--idle-limit", "5"], "--idle-limit: '5' is no length of time",
        "2s, 500ms, 90m or 1h30m"
      ),
      (
        ["probe", "x", "--color", "blue"],
        "--color: 'blue' is none of auto, always, never", nil
      ),
      (["prob"], "unknown command 'prob'", "activitylog probe"),
      (["--verison"], "unknown option '--verison'", "activitylog --help"),
      (["completion", "fsh"], "SHELL: 'fsh' is none of bash, zsh, fish", "fish"),
      (["man", "x"], "unexpected word 'x'", "activitylog man --help"),
    ] as [([String], String, String?)])
  func complaints(_ words: [String], _ message: String, _ hint: String?) {
    let outcome = run(words)
    #expect(outcome.status == .couldNotRun)
    #expect(outcome.out == [])
    #expect(outcome.err == ["activitylog: \(message)"] + (hint.map { ["try: \($0)"] } ?? []))
  }

  @Test("An operand of many leaves words for the ones that must follow")
  func manyThenOne() throws {
    let many = Operand("FILE", .many)
    let last = Operand("LOG")
    let given = try ArgumentScanner.scan(
      ["a", "b", "c"], command: "x", declared: [.operand(many), .operand(last)])
    #expect(given.all(many) == ["a", "b"])
    #expect(try given.operand(last) == "c")
    #expect(throws: UsageError.self) {
      try ArgumentScanner.scan(["a"], command: "x", declared: [.operand(many), .operand(last)])
    }
    let optional = Operand("ID", .optional)
    let pair = try ArgumentScanner.scan(
      ["a"], command: "x", declared: [.operand(last), .operand(optional)])
    #expect(pair.optional(optional) == nil)
  }

  @Test("The nearest spelling counts a swap as one slip and knows when nothing is near")
  func nearest() {
    #expect(Spelling.distance("follow", "fololw") == 1)
    #expect(Spelling.distance("", "abc") == 3)
    #expect(Spelling.nearest(to: "tial", among: ["tail", "trial", "append"]) == "tail")
    #expect(Spelling.nearest(to: "xyz", among: ["tail", "state"]) == nil)
  }
}
