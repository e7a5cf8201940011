import ActivityCommands
import ActivityCore
import Testing

/// The schema takes a line exactly when the reader does.
@Suite("The schema and the reader agree")
struct SchemaAgreementTests {
  private let checker: SchemaChecker

  init() throws {
    let run = try Workbench().run("schema", "event")
    checker = try SchemaChecker(schema: try SchemaValue(run.out.joined(separator: "\n")))
  }

  /// The code of a refusal; nil when the line is taken.
  private func refusal(_ line: String) -> String? {
    var reader = LineReader()
    switch reader.read(Array(line.utf8)[...], number: 1) {
    case .row: return nil
    case .refused(let refusal): return refusal.reason.code
    case .blank, .full: return "no line"
    }
  }

  /// - Parameter value: the line's value, for a test that has it already.
  private func check(_ line: String, _ value: SchemaValue? = nil) throws {
    let isTaken = refusal(line) == nil
    let isValid = try checker.accepts(try value ?? SchemaValue(line))
    #expect(isTaken == isValid, "reader \(isTaken), schema \(isValid): \(line.prefix(300))")
  }

  private static let kinds = EventKind.allCases.filter { $0 != .unknown }.map(\.word) + ["other"]

  @Test("About a sample of every kind, whole, without each member and with each null")
  func samples() throws {
    for kind in EventKind.allCases {
      let name = kind == .unknown ? "unknown" : kind.word
      let line = try Checkout.lines("kinds/\(name).json")[0]
      #expect(refusal(line) == nil)
      try check(line)
      let members = try #require(JSONSlice(Array(line.utf8))).members
      for index in members.indices {
        var others = members.map { "\"\($0.name)\":\($0.value.spelling)" }
        let removed = others.remove(at: index)
        try check("{\(others.joined(separator: ","))}")
        others.insert("\"\(members[index].name)\":null", at: index)
        try check("{\(others.joined(separator: ","))}")
        #expect(!removed.isEmpty)
      }
    }
  }

  @Test("About every line of the recorded incident")
  func incident() throws {
    for line in try Checkout.lines("incident/incident.jsonl").prefix(200) { try check(line) }
  }

  @Test("About what a kind needs: each set of handles, present or null", arguments: kinds)
  func required(kind: String) throws {
    let names = ["activity-id", "token", "channel", "key", "recorder", "apns-id"]
    for choice in 0..<(1 << names.count) {
      let chosen = names.indices.filter { choice >> $0 & 1 == 1 }
      try check(line(kind, chosen.map { "\"\(names[$0])\":\"x\($0)\"" }))
      try check(line(kind, chosen.map { "\"\(names[$0])\":null" }))
    }
  }

  @Test("About every value of a kind's members, and some of all others", arguments: kinds)
  func values(kind: String) throws {
    let declared = EventKind.allCases.first { $0 != .unknown && $0.word == kind } ?? .unknown
    var full = Set(LineMember.own(of: declared).map(\.name))
    var names = Set(LineMember.ofEveryKind.map(\.name)).union(["event", "colour"])
    if declared == .unknown { full.formUnion(names) }
    for other in EventKind.allCases { names.formUnion(LineMember.own(of: other).map(\.name)) }
    let values = try Self.values.map { ($0, try SchemaValue($0)) }
    let handles = ["activity-id", "token", "channel", "key", "recorder"]
    for name in names.sorted() {
      let present = handles.filter { $0 != name }
      var members = Dictionary(uniqueKeysWithValues: present.map { ($0, SchemaValue.string("x")) })
      members["event"] = .string(kind)
      let rest = present.map { "\"\($0)\":\"x\"" }
      for (spelling, value) in full.contains(name) ? values : values.filter({ isTelling($0.0) }) {
        members[name] = value
        let kindMember = name == "event" ? [] : ["\"event\":\"\(kind)\""]
        let all = kindMember + rest + ["\"\(name)\":\(spelling)"]
        try check("{\(all.joined(separator: ","))}", .object(members))
      }
    }
  }

  /// Of each type one, and what texts and times are refused for.
  private func isTelling(_ spelling: String) -> Bool {
    ["null", "true", "1.5", "\"\"", "\"soon\"", "{}", "[1]"].contains(spelling)
  }

  private func line(_ kind: String, _ members: [String]) -> String {
    "{" + (["\"event\":\"\(kind)\""] + members).joined(separator: ",") + "}"
  }

  private static let values =
    [
      "null", "true", "false", "0", "1", "-1", "-0", "1.5", "2e1", "1.0", "20.50", "1e30",
      "1e-7", "9.2e12", "9.3e12", "-9.2e12", "1795197845", "1795197845000", "253402300799.5",
      "253402300800", "-62135596800", "-62135596801", "123456789012345678",
    ]
    + [
      "", "x", "active", "Active", "soon", "1795197845", "2026-11-20T18:04:05Z",
      "2026-11-20t18:04:05z", "2026-11-20 18:04:05.25+05:30", "2026-11-20T18:04:05",
      "2026-11-20T18:04:05.Z", "2026-11-20T24:00:00Z", "2026-13-20T18:04:05Z",
      "2026-11-20T18:60:00Z", "2026-11-20T18:04:61Z", "2026-06-30T23:59:60Z",
      "2026-11-20T18:04:05+24:00", "2026-11-20T18:04:05+0100", " 2026-11-20T18:04:05Z",
      "2026-11-00T18:04:05Z", "2026-00-20T18:04:05Z", String(repeating: "k", count: 4_096),
      String(repeating: "k", count: 4_097), "a\\\"b", "\\u0041", "é",
    ].map { "\"\($0)\"" }
    + [
      "{}", "{\"active\":{}}", "{\"Active\":{\"_0\":1}}", "{\"a\":1}", "{\"a\":{},\"b\":{}}",
      "{\"\":{}}", "[]", "[1]", "[{}]", "[null]", "[{\"activity-id\":\"A\"}]",
      "[{\"activity-id\":\"A\",\"state\":null},{\"activity-id\":\"B\",\"state\":\"Ended\"}]",
      "[{\"activity-id\":\"\"}]", "[{\"activity-id\":null}]", "[{\"activity-id\":7}]",
      "[{\"activity-id\":\"A\",\"state\":7}]", "[{\"activity-id\":\"A\",\"state\":{}}]",
      "[{\"activity-id\":\"A\",\"state\":{\"ended\":{}},\"more\":[1]}]",
    ]

  /// All that the reader refuses and no schema can: it sees values, not the line they stand on.
  @Test(
    "But for what a schema cannot see",
    arguments: [
      ("a member that comes twice", #"{"event":"stale","key":"K","key":"K"}"#, "repeated-member"),
      (
        "characters that are several bytes",
        #"{"event":"stale","key":"\#(String(repeating: "é", count: 2_049))"}"#, "text-too-long"
      ),
      (
        "a day that its month does not have",
        #"{"event":"stale","key":"K","at":"2026-02-30T00:00:00Z"}"#, "bad-time"
      ),
      (
        "a leap second where none can be",
        #"{"event":"stale","key":"K","at":"2026-11-20T18:04:60Z"}"#, "bad-time"
      ),
      (
        "a text outside the years 0001 to 9999",
        #"{"event":"stale","key":"K","at":"0000-01-01T00:00:00Z"}"#, "bad-time"
      ),
      (
        "an escape in a time",
        #"{"event":"stale","key":"K","at":"\u0032026-11-20T18:04:05Z"}"#, "bad-time"
      ),
      (
        "an escape in the name of a coded state",
        #"{"event":"state","key":"K","state":{"activ\u0065":{}}}"#, "wrong-type"
      ),
      (
        "a number that is the limit itself once it is a binary fraction",
        #"{"event":"update","key":"K","status":1000000000000000000}"#, "not-whole"
      ),
      (
        "a token that stands where its digest cannot",
        #"{"event":"stale","token":"1234567890123456","x":1234567890123456}"#,
        "token-not-replaceable"
      ),
    ])
  func exceptions(what: String, line: String, code: String) throws {
    #expect(refusal(line) == code, "\(what)")
    #expect(try checker.accepts(try SchemaValue(line)), "\(what)")
  }

  @Test("And the size of a line, and of an inventory in bytes")
  func sizes() throws {
    let long = String(repeating: "x", count: 4 << 20)
    let line = #"{"event":"stale","key":"K","note":"\#(long)"}"#
    #expect(refusal(line) == "line-too-long")
    #expect(try checker.accepts(try SchemaValue(line)))
    let entry = #"{"activity-id":"A","note":"\#(long.prefix(600_000))"}"#
    let inventory = #"{"event":"inventory","activities":[\#(entry),\#(entry)]}"#
    #expect(refusal(inventory) == "inventory-too-long")
    #expect(try checker.accepts(try SchemaValue(inventory)))
  }

  @Test("An inventory lists 4 096 activities and no more")
  func inventoryLength() throws {
    for count in [4_096, 4_097] {
      let entries = (0..<count).map { #"{"activity-id":"\#($0)"}"# }.joined(separator: ",")
      try check(#"{"event":"inventory","activities":[\#(entries)]}"#)
    }
  }
}
