import ActivityCore
import ActivityIngest
import Testing

@Suite("Names tell what a table means")
struct NameGuessTests {
  private static let guessed = ForeignSample.unmapped.filter {
    ["json", "csv"].contains($0.given["format"]?.string)
  }

  @Test("The guess that is printed gives the same events as the guess", arguments: guessed)
  func printed(sample: ForeignSample) throws {
    let source = try sample.bytes(try #require(sample.given["source"]?.string))
    let settings = try sample.settings()
    let guess = try #require(Recognition(source, settings: settings))
    let map = try EventMap(guess.map)
    let told = ReadSource(source, .mapped(map, settings: settings))
    #expect(told.lines == ReadSource(source, guess.format).lines)
    #expect(!told.lines.isEmpty)
  }

  @Test(
    "Tables of work are known by their columns, however these are spelled",
    arguments: [
      "order_id,status,updated_at\nA,delivered,2026-11-20T18:00:00Z\n",
      "Order Number;State;Last Updated\nA;Complete;2026-11-20T18:00:00Z\n",
      "ORDER_NO.\tCOMPLETED_ON\nA\t1795197600\n",
      "id,state,createdAt,closedAt\nA,x,,1795197600000\n",
      "bookingReference,event,at\nA,DONE,20/Nov/2026:19:00:00 +0100\n",
    ])
  func work(table: String) throws {
    let bytes = Array(table.utf8)
    let guess = try #require(Recognition(bytes, settings: SourceSettings()))
    #expect(guess.format.dialect.name == "csv")
    let read = ReadSource(bytes, guess.format)
    let line = try #require(read.lines.first.flatMap { JSONSlice(Array($0.utf8)) })
    #expect(line["event"]?.string == "work" && line["outcome"]?.string == "finished")
    #expect(line["key"]?.string == "A" && read.lines.count == 1)
    #expect(line["at"]?.string == "2026-11-20T18:00:00.000000Z")
  }

  @Test(
    "Other tables and records are nobody's",
    arguments: [
      "a,b\n1,2\n", "name,email\nMia,m@example.com\n", "id,status\n1,done\n",
      "order_id,customer\nA,Mia\n", "id,created_at\n1,2026-11-20T18:00:00Z\n",
      "order_id,status,updated_at\nA,purple,2026-11-20T18:00:00Z\n",
      #"{"id":7,"status":"done","timestamp":1795197600}"#,
      #"{"level":"info","msg":"done","time":1795197600,"status":200}"#,
      #"{"token":"ab","event":"login","at":1795197600}"#,
      "plain text, with a comma\nand more; of it\n",
    ])
  func nobodys(source: String) {
    #expect(
      [nil, "ndjson"].contains(
        Recognition(Array(source.utf8), settings: SourceSettings())?.format.dialect.name))
  }

  @Test("Our own lines are not taken for foreign ones")
  func ours() {
    let line = #"{"event":"work","key":"A","outcome":"finished","at":"2026-11-20T18:00:00Z"}"#
    let json = JSONSlice(Array(line.utf8))
    let record = SourceRecord(line: 1, bytes: Array(line.utf8), json: json)
    #expect(MappedJSON.likeness(of: record) == 0)
  }

  @Test("Personal columns are not kept")
  func personal() throws {
    let table = "order_id,name,phone,completed_at\nA,Mia,+49 40 1,2026-11-20T18:00:00Z\n"
    let read = ReadSource(Array(table.utf8), SourceFormat(FieldTable.self))
    #expect(read.lines.count == 1 && !read.lines[0].contains("Mia"))
    #expect(!read.lines[0].contains("+49"))
  }

  @Test("Records whose names tell nothing are refused with the way out")
  func unknown() {
    let read = ReadSource(Array(#"{"a":1}"#.utf8), SourceFormat(MappedJSON.self))
    #expect(read.refused == ["1 no-map"] && read.lines.isEmpty)
  }

  @Test("Names that come later only add: what was read before would be read alike")
  func growing() {
    let first = #"{"order_id":"A","created_at":1795197600}"#
    let later = #"{"order_id":"B","created_at":1795197601,"delivered_at":1795199400}"#
    let both = ReadSource(Array("\(first)\n\(later)\n".utf8), SourceFormat(MappedJSON.self))
    let turned = ReadSource(Array("\(later)\n\(first)\n".utf8), SourceFormat(MappedJSON.self))
    #expect(both.lines.count == 3 && both.lines.sorted() == turned.lines.sorted())
  }
}
