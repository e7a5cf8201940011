import ActivityCommands
import Foundation
import Testing

@Suite("The page of the outputs")
struct OutputPageTests {
  private static let page = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/ActivityCommands/ActivityCommands.docc/Outputs.md")

  @Test("Every member that JSON or the CSV's header names is on the page")
  func members() throws {
    let text = try String(contentsOf: OutputPageTests.page, encoding: .utf8)
    let bench = try Workbench()
    try bench.write(
      "base.json", bench.output("audit", Workbench.incident, "-o", "json", "--at", "18:45"))
    try bench.write(
      "known.jsonl", #"{"fingerprint":"d4bd6a72b0d230ba","reason":"r","until":"2027-01-01"}"#)
    let report = try bench.json(
      "audit", Workbench.incident, "-o", "json", "--baseline", "@base.json", "--fail-on", "worse",
      "--suppress", "@known.jsonl", "--group-by", "build", "--require-coverage", "nobody")
    var names = OutputPageTests.names(report)
    #expect(names.isSuperset(of: ["before", "reason", "gone", "why", "decided", "evidence"]))
    for words in [
      ["audit", Workbench.incident], ["audit", Workbench.incident, "--group-by", "build"],
    ] {
      for line in bench.run(words + ["-o", "jsonl"], input: []).out {
        names.formUnion(
          OutputPageTests.names(try JSONSerialization.jsonObject(with: Data(line.utf8))))
      }
      let header = bench.run(words + ["-o", "csv"], input: []).out.first ?? ""
      names.formUnion(header.split(separator: ",").map(String.init))
    }
    #expect(names.count > 50)
    for name in names.sorted() {
      #expect(text.contains("`\(name)`"), "Outputs.md does not explain \(name)")
    }
  }

  @Test("Every format and every schema that is written is on the page")
  func formats() throws {
    let text = try String(contentsOf: OutputPageTests.page, encoding: .utf8)
    for name in AuditFormatName.all { #expect(text.contains("| `\(name)` |"), "\(name)") }
    let bench = try Workbench()
    var schemas: Set<String> = []
    for format in ["json", "jsonl", "sarif"] {
      var output = bench.run("audit", Workbench.incident, "-o", format).out.joined(separator: "\n")
      if format == "jsonl" {
        output += bench.run("audit", Workbench.incident, "--group-by", "build", "-o", format).out
          .joined()
      }
      for match in output.matches(of: #/"schema":"([^"]*)"/#) { schemas.insert(String(match.1)) }
    }
    #expect(schemas.count == 4)
    for schema in schemas { #expect(text.contains("`\(schema)`"), "\(schema)") }
  }

  private static func names(_ value: Any) -> Set<String> {
    if let object = value as? [String: Any] {
      return object.values.reduce(into: Set(object.keys)) { $0.formUnion(names($1)) }
    }
    guard let list = value as? [Any] else { return [] }
    return list.reduce(into: []) { $0.formUnion(names($1)) }
  }
}
