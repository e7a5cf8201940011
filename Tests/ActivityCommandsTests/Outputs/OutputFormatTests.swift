import ActivityCommands
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("Outputs of audit")
struct OutputFormatTests {
  @Test("CSV is a row a finding, and no cell is a formula or holds a control")
  func csv() throws {
    let bench = try Workbench()
    try bench.ingestHostile()
    let rows = CSV.rows(bench.output("audit", "@hostile", "-o", "csv"))
    #expect(rows.count == 3)
    let header = try #require(rows.first)
    #expect(rows.allSatisfy { $0.count == header.count })
    let cells = Dictionary(uniqueKeysWithValues: zip(header, rows[1]))
    #expect(cells["activity-id"] == "'=1+1")
    #expect(cells["key"] == #"'=HYPERLINK("http://x")|a"#)
    #expect(cells["device"] == "'@dev,\"q\" \u{FFFE}")
    #expect(cells["build"] == #"]]><b>&\u{1B}[31m"#)
    #expect(cells["attributes-type"] == #"'-1+1\u{A}| x | `y`"#)
    #expect(cells["evidence"] == "2")
    #expect(cells["also"] == "never-ended")
    #expect(rows[2][try #require(header.firstIndex(of: "key"))] == #"'\u{9}TAB"#)
    for cell in rows.joined() {
      #expect(!["=", "+", "-", "@"].contains(cell.first), "\(cell)")
      #expect(!cell.unicodeScalars.contains { $0.value < 0x20 }, "\(cell)")
    }
  }

  @Test("JUnit is one XML document with a case a rule, whatever the log holds")
  func junit() throws {
    let bench = try Workbench()
    try bench.ingestHostile()
    let text = bench.output("audit", "@hostile", "-o", "junit")
    let suite = XMLCases()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = suite
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    #expect(suite.suite["name"] == "activitylog")
    #expect(suite.suite["failures"] == "1")
    #expect(suite.suite["tests"] == "\(suite.cases.count)")
    let failed = try #require(suite.cases.first { $0["name"] == "end-not-delivered" })
    #expect(failed["classname"] == "activitylog.activity")
    #expect(failed["failure"] == "confirmed")
    #expect(failed["message"] == "2 findings: 2 confirmed, 0 inferred")
    let body = try #require(failed["text"])
    #expect(body.contains(#"<script>[x](http://e)\u{A}|`*{0}\u{202E}]]>@all"#))
    #expect(body.contains(#"=HYPERLINK("http://x")|a"#))
    #expect(!text.contains("]]>"))
    #expect(!text.contains("<script>"))
  }

  @Test("A rule the log cannot judge is skipped in JUnit, with what is missing")
  func skipped() throws {
    let bench = try Workbench()
    try bench.ingest(
      "unanswered",
      [
        #"{"event":"start","at":"2026-11-20T10:00:00Z","activity-id":"A","source":"app"}"#,
        #"{"event":"update","at":"2026-11-20T10:01:00Z","activity-id":"A","source":"push"}"#,
      ])
    let text = bench.output("audit", "@unanswered", "-o", "junit")
    #expect(text.contains(#"<skipped message="not judged, the log has no responses"/>"#))
    let one = bench.output("audit", "@unanswered", "-o", "junit", "--rule", "never-ended")
    #expect(one.contains(#"tests="1""#))
    #expect(!one.contains("skipped message"))
  }

  @Test("SARIF has what the standard requires, and texts that are no markup of its own")
  func sarif() throws {
    let bench = try Workbench()
    try bench.ingestHostile()
    let log = try bench.json("audit", "@hostile", "-o", "sarif")
    #expect(log["version"] as? String == "2.1.0")
    #expect((log["$schema"] as? String)?.hasSuffix("sarif-2.1.0.json") == true)
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let tool = try #require(run["tool"] as? [String: Any])
    let driver = try #require(tool["driver"] as? [String: Any])
    #expect(driver["name"] as? String == "activitylog")
    let rules = try #require(driver["rules"] as? [[String: Any]])
    for rule in rules {
      for text in ["shortDescription", "fullDescription", "help"] {
        #expect((rule[text] as? [String: Any])?["text"] is String, "\(rule)")
      }
      let level = (rule["defaultConfiguration"] as? [String: Any])?["level"] as? String
      #expect(["error", "warning", "note"].contains(level))
    }
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(results.count == 2)
    let first = results[0]
    let index = try #require(first["ruleIndex"] as? Int)
    #expect(rules[index]["id"] as? String == first["ruleId"] as? String)
    #expect(first["level"] as? String == "error")
    let message = (first["message"] as? [String: Any])?["text"] as? String
    #expect(message?.contains(#"\[x\](http://e)\\u{{A}}|`*{{0}}"#) == true)
    let prints = first["partialFingerprints"] as? [String: String]
    #expect(prints?["activitylog/v1"]?.count == 16)
    let place = (first["locations"] as? [[String: Any]])?.first
    let logical = try #require(place?["logicalLocations"] as? [[String: String]])
    #expect(logical.map { $0["kind"] } == ["activity", "key"])
    let properties = try #require(first["properties"] as? [String: Any])
    #expect(properties["verdict"] as? String == "confirmed")
    #expect(properties["evidence"] as? [Int] == [2])
    #expect(first["suppressions"] == nil)
  }

  @Test("Markdown shows a log's text as it is: no cell, link, HTML or mention comes of it")
  func markdown() throws {
    let bench = try Workbench()
    try bench.ingestHostile()
    let lines = bench.run("audit", "@hostile", "-o", "markdown").out
    let rows = lines.filter { $0.hasPrefix("| =HYPERLINK") }
    let row = try #require(rows.first)
    #expect(rows.count == 1)
    // Seven cells: what is left when escaped bars are taken away has eight bars.
    #expect(row.replacing(#"\|"#, with: "").count { $0 == "|" } == 8)
    #expect(row.contains(#"\[x\](http:/<!-- -->/e)"#))
    #expect(row.contains("&lt;script&gt;"))
    #expect(row.contains("@<!-- -->all"))
    #expect(!lines.joined().contains("<script>"))
    #expect(!lines.joined().contains("\u{1B}"))
    let all = bench.run("audit", "@hostile", "-o", "markdown", "--all").out
    #expect(all.filter { $0.hasPrefix("| =HYPERLINK") }.count == 2)
  }

  @Test("Keys and ids come once each, in the order of the findings; what has no key is counted")
  func names() throws {
    let bench = try Workbench()
    let keys = bench.run("audit", Workbench.incident, "-o", "keys")
    #expect(keys.out.first == "A-1095")
    #expect(Set(keys.out).count == keys.out.count)
    #expect(keys.err == ["3 findings without a key left out"])
    let listed = bench.run("audit", Workbench.incident, "-o", "jsonl").out.count
    #expect(keys.out.count < listed)
  }

  @Test("The same log and arguments give the same bytes", arguments: AuditFormatName.all)
  func repeatable(_ format: String) throws {
    let bench = try Workbench()
    let first = bench.output("audit", Workbench.incident, "--utc", "-o", format)
    #expect(bench.output("audit", Workbench.incident, "--utc", "-o", format) == first)
    #expect(first.count > 100)
  }
}

/// The formats by name.
enum AuditFormatName {
  static let all = ["text", "json", "jsonl", "csv", "junit", "sarif", "markdown", "ids", "keys"]
}

/// RFC 4180, read strictly enough for a test.
enum CSV {
  static func rows(_ text: String) -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var cell = ""
    var isQuoted = false
    var rest = Array(text.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"" where isQuoted && rest.first == "\"":
        cell.append("\"")
        rest.removeFirst()
      case "\"": isQuoted.toggle()
      case "," where !isQuoted:
        row.append(cell)
        cell = ""
      case "\n" where !isQuoted:
        rows.append(row + [cell])
        row = []
        cell = ""
      default: cell.unicodeScalars.append(scalar)
      }
    }
    return rows
  }
}

/// The suite, its cases, and the first failure of each.
final class XMLCases: NSObject, XMLParserDelegate {
  var suite: [String: String] = [:]
  var cases: [[String: String]] = []

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    switch name {
    case "testsuite": suite = attributes
    case "testcase": cases.append(attributes)
    case "failure":
      cases[cases.count - 1]["failure"] = attributes["type"]
      cases[cases.count - 1]["message"] = attributes["message"]
    default: break
    }
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if !cases.isEmpty { cases[cases.count - 1]["text", default: ""] += text }
  }
}
