import ActivityCommands
import ActivityCore
import Testing

@Suite("schema event")
struct SchemaTests {
  private let text: String
  private let schema: SchemaValue

  init() throws {
    let run = try Workbench().run("schema", "event")
    #expect(run.status == .fine && run.err == [])
    text = run.out.joined(separator: "\n")
    schema = try SchemaValue(text)
  }

  @Test("It is a schema of draft 2020-12, and spread over lines for people")
  func form() {
    #expect(
      schema.object["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
    #expect(schema.object["$id"]?.string == "urn:activitylog:schema:event:1")
    let lines = text.split(separator: "\n")
    #expect(lines.first == "{" && lines.last == "}" && lines.count > 500)
    #expect(lines.contains(#"  "required": ["event"],"#))
  }

  @Test("Every kind has its definition and its branch", arguments: EventKind.allCases)
  func kinds(kind: EventKind) throws {
    guard kind != .unknown else { return }
    let definition = try #require(schema.object["$defs"]?.object[kind.word]?.object)
    #expect(definition["description"]?.string == kind.about)
    let own = Set(definition["properties"]?.object.keys.map(\.self) ?? [])
    #expect(own == Set(LineMember.own(of: kind).map(\.name)))
    for member in kind.members where member != .contentBytes {
      #expect(own.contains(member.name), "\(member)")
    }
    let branches = schema.object["allOf"]?.array ?? []
    #expect(
      branches.contains {
        $0.object["if"]?.object["properties"]?.object["event"]?.object["const"]
          == .string(kind.word)
          && $0.object["then"]?.object["$ref"] == .string("#/$defs/\(kind.word)")
      })
  }

  @Test("What every member says of itself stands in it")
  func descriptions() {
    let everyKind = schema.object["properties"]?.object ?? [:]
    #expect(everyKind.count == LineMember.ofEveryKind.count + 1)
    for (name, member) in everyKind {
      #expect(member.object["description"]?.string?.hasSuffix(".") == true, "\(name)")
    }
    let source = everyKind["source"]?.object["examples"]?.array.compactMap(\.string)
    #expect(source == Member.source.words(on: .start))
  }

  @Test("What else there might be a schema of is said to be none")
  func usage() throws {
    let bench = try Workbench()
    #expect(bench.run("schema").status == .couldNotRun)
    let other = bench.run("schema", "finding")
    #expect(other.status == .couldNotRun)
    #expect(says(other.err, "'finding' is none of event"))
  }
}
