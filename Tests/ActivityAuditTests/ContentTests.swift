import ActivityAudit
import ActivityCore
import Testing

/// What the audit reads from JSON, on good lines and on hostile ones.
@Suite("Contents")
struct ContentTests {
  /// The contents of updates with these members, each on a line of its own; `seq` counts from 1.
  private func contents(_ members: [String], keyPath: String? = nil) throws -> Contents {
    try contents(
      lines: members.map {
        "{\"event\":\"update\",\"at\":1767571200,\"activity-id\":\"A\",\"source\":\"push\",\($0)}"
      }, keyPath: keyPath)
  }

  private func contents(lines: [String], keyPath: String? = nil) throws -> Contents {
    var contents = Contents(keyPath: keyPath)
    contents.add(try Logs.columns(lines))
    return contents
  }

  private func facts(_ members: String) throws -> ContentFacts? { try contents([members])[1] }

  @Test("Equal bytes of a content have equal digests, other spellings others")
  func digests() throws {
    let contents = try contents([
      #""content-state":{"n":20}"#, #""content-state":{"n":20},"relevance-score":5"#,
      #""content-state":{"n":20.0}"#, #""content-state":{"n":2e1}"#,
    ])
    #expect(contents[1]?.digest == contents[2]?.digest)
    #expect(contents[1]?.digest != contents[3]?.digest)
    #expect(contents[3]?.digest != contents[4]?.digest)
    #expect(contents[5] == nil)
    #expect(contents[0] == nil)
    #expect(contents[-1] == nil)
  }

  @Test("A row without anything of interest has no facts, and its neighbours keep theirs")
  func gaps() throws {
    let contents = try contents([
      #""relevance-score":1"#, #""other":true"#, #""relevance-score":3"#,
    ])
    #expect(contents[1]?.relevance == 1)
    #expect(contents[2] == nil)
    #expect(contents[3]?.relevance == 3)
  }

  @Test("Batches with a gap between them keep their own rows")
  func batches() throws {
    var contents = Contents()
    for (first, score) in [(Int64(1), 1), (10, 2), (11, 3)] {
      var batch = try Logs.columns([
        #"{"event":"update","at":1,"activity-id":"A","relevance-score":\#(score)}"#
      ])
      batch.firstSeq = first
      contents.add(batch)
    }
    #expect(contents[1]?.relevance == 1)
    #expect(contents[2] == nil)
    #expect(contents[9] == nil)
    #expect(contents[10]?.relevance == 2)
    #expect(contents[11]?.relevance == 3)
    #expect(contents[12] == nil)
  }

  @Test("A shape is the members and their types, in any order and spelling; null is absent")
  func shapes() throws {
    let contents = try contents([
      #""content-state":{"a":1,"b":"x"}"#, #""content-state":{"b":"","a":-7,"c":null}"#,
      #""content-state":{"\u0061":2,"b":"y"}"#, #""content-state":{"a":1,"a":2.5,"b":"x"}"#,
      #""content-state":{"a":1e0,"b":"x"}"#, #""content-state":{"a":[1],"b":{}}"#,
    ])
    let shape = try #require(contents[1]?.shape)
    #expect(contents.shape(shape)?.members == ["a": .integer, "b": .string])
    for seq in [Int64(2), 3, 4] { #expect(contents[seq]?.shape == shape) }
    #expect(contents[5]?.shape != shape)
    #expect(contents.shape(contents[6]?.shape ?? -1)?.members == ["a": .array, "b": .object])
    #expect(contents.shape(-1) == nil)
    #expect(contents.shape(.max) == nil)
  }

  @Test("A content that is no object has a digest and no shape; an empty one is marked")
  func oddContents() throws {
    for odd in ["[]", "7", "\"text\"", "true"] {
      let facts = try #require(try facts("\"content-state\":\(odd)"))
      #expect(facts.digest != 0)
      #expect(facts.shape == -1)
      #expect(!facts.marks.contains(.empty))
    }
    #expect(try facts("\"content-state\":{}")?.marks.contains(.empty) == true)
    #expect(try facts("\"content-state\":null") == nil)
  }

  @Test("A content with more members than anybody decodes has no shape")
  func wideContents() throws {
    let members = (0..<300).map { "\"m\($0)\":\($0)" }.joined(separator: ",")
    let facts = try #require(try facts("\"content-state\":{\(members)}"))
    #expect(facts.shape == -1)
  }

  @Test("Shapes beyond the first thousand have no number, and nothing grows with them")
  func manyShapes() throws {
    let contents = try contents((0..<1100).map { #""content-state":{"key\#($0)":1}"# })
    #expect(contents[1]?.shape == 0)
    #expect(contents[1024]?.shape == 1023)
    #expect(contents[1025]?.shape == -1)
    #expect(contents[1100]?.digest != contents[1]?.digest)
  }

  @Test("Of a member written twice the first that is not null counts")
  func repeatedMembers() throws {
    let contents = try contents([
      #""content-state":null,"content-state":{"a":1},"content-state":{"b":1}"#,
      #""content-state":{"a":1}"#, #""relevance-score":4,"relevance-score":5"#,
    ])
    #expect(contents[1]?.digest == contents[2]?.digest)
    #expect(contents[3]?.relevance == 4)
  }

  @Test("Names with escapes are the names they stand for")
  func escapedNames() throws {
    let facts = try facts(#""content\u002dstate":{"a":1},"\u0061lert":{"titl\u0065":"T"}"#)
    #expect(facts?.shape == 0)
    #expect(facts?.hasTitle == true)
    #expect(facts?.hasBody == false)
  }

  @Test("Relevance is a number of any size, and nothing else")
  func relevance() throws {
    #expect(try facts(#""relevance-score":-2.5"#)?.relevance == -2.5)
    #expect(try facts(#""relevance-score":1e999"#)?.relevance == .infinity)
    #expect(try facts(#""relevance-score":"7""#) == nil)
    #expect(try facts(#""relevance-score":null"#) == nil)
  }

  @Test("An alert has a title or a body under either name, if an empty one; a text is a body")
  func alerts() throws {
    #expect(try facts(#""alert":"B""#)?.marks == .body)
    #expect(try facts(#""alert":{"title":"","body":""}"#)?.marks == [.title, .body])
    #expect(try facts(#""alert":{"title-loc-key":"K","loc-key":"L"}"#)?.marks == [.title, .body])
    #expect(try facts(#""alert":{"title":null,"sound":"S"}"#)?.marks == [])
    #expect(try facts(#""alert":[]"#)?.marks == [])
  }

  @Test("Dates as text, and dismissal dates of acts that are no end, are marked")
  func dates() throws {
    #expect(try facts(#""stale-date":"2026-01-05T00:00:00Z""#)?.marks == .textDate)
    #expect(try facts(#""stale-date":1767571200"#) == nil)
    #expect(try facts(#""dismissal-date":0"#)?.marks == .strayDismissal)
  }

  @Test("Wrong names of members are told, right ones and strange ones are not")
  func aliases() throws {
    for (name, isAlias) in [
      ("contentState", true), ("stale_date", true), ("events", true), ("contentstate", false),
      ("my_own", false), (#"content\u0053tate"#, true),
    ] {
      let contents = try contents(["\"\(name)\":{}"])
      #expect((contents[1]?.rare?.alias ?? -1 >= 0) == isAlias, "\(name)")
    }
  }

  @Test("A failure's case, code and message are kept as they read, and cut where they are long")
  func failures() throws {
    let long = String(repeating: "m", count: 2000)
    let contents = try contents(lines: [
      #"{"event":"failure","at":1,"activity-id":"A","case":"vis\u0069bility","code":5}"#,
      #"{"event":"failure","at":1,"activity-id":"A","message":"\#(long)"}"#,
    ])
    let first = try #require(contents[1]?.rare)
    #expect(contents.text(first.failureCase) == "visibility")
    #expect(contents.text(first.failureCode) == "5")
    #expect(contents.text(contents[2]?.rare?.message ?? -1)?.utf8.count == 512)
  }

  @Test("A key path leads through objects and arrays, with escapes of its own")
  func keys() throws {
    let content = #""content-state":{"a/b":[{"~k":12.50},"x"],"n":null}"#
    for (path, key) in [
      ("/content-state/a~1b/0/~0k", "12.50"), ("/content-state/a~1b/1", "x"),
      ("/content-state/a~1b/01", nil), ("/content-state/a~1b/2", nil), ("/content-state/n", nil),
      ("/content-state/a", nil), ("content-state", nil), ("", nil),
    ] {
      let contents = try contents([content], keyPath: path)
      #expect(contents.text(contents[1]?.key ?? -1) == key, "\(path)")
    }
  }

  @Test("The size of attributes and content together is kept where it is large")
  func sizes() throws {
    let text = String(repeating: "x", count: 1500)
    #expect(
      try facts(#""content-state":{"t":"\#(text)"},"attributes":{"t":"\#(text)"}"#)?.rare?.size
        == 3016)
    #expect(try facts(#""content-state":{"t":"\#(text)"}"#)?.rare == nil)
  }
}
