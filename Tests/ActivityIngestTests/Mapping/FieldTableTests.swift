import ActivityCore
import ActivityIngest
import Testing

/// The fields of every row of a table, as an event that keeps them all, and what was refused.
private func rows(_ table: String, chunk: Int = .max) throws -> ReadSource {
  let map =
    #"{"format":"csv","rows":[{"set":{"event":"stale","key":"K","id":"i","recorder":"r"},"#
    + #""keep":true}]}"#
  return ReadSource(
    Array(table.utf8), .mapped(try EventMap(Array(map.utf8))), chunk: chunk)
}

private let head = #"{"event":"stale","key":"K","id":"i","recorder":"r""#

@Suite("Tables become records")
struct FieldTableTests {
  @Test(
    "Comma, semicolon or tab, byte order mark, CRLF: the same fields",
    arguments: [
      "a,b\nx,\"1;2\"\n", "a;b\nx;\"1;2\"\n", "a\tb\nx\t1;2", "\u{FEFF}a,b\r\nx,1;2\r\n",
      "sep=,\na,b\nx,1;2\n", "\n\"a\",\"b\"\n\n\"x\",\"1;2\"\n", "a,b,\nx,1;2,,\n",
    ])
  func separators(table: String) throws {
    let read = try rows(table)
    #expect(read.lines == [head + #","a":"x","b":"1;2"}"#] && read.refused.isEmpty)
  }

  @Test("Quotes, separators and line ends inside a field stay; a quote within a word is a letter")
  func quotes() throws {
    let read = try rows("a,b\n\"say \"\"hi\"\", all\",\"two\nlines\"\n5\" pipe,\"\"\n")
    #expect(
      read.lines == [
        head + #","a":"say \"hi\", all","b":"two\nlines"}"#, head + #","a":"5\" pipe"}"#,
      ])
  }

  @Test("Names that stand twice are told apart; what databases write for nothing is nothing")
  func names() throws {
    let read = try rows("s, s ,s 2,t\n1,2,3,NULL\n\\N,null,\"NULL\",0000-00-00 00:00:00\n")
    #expect(
      read.lines == [
        head + #","s":"1","s 2":"2","s 2 2":"3"}"#, head + #","s 2 2":"NULL"}"#,
      ])
  }

  @Test("Rows of another length are refused one by one, with their lines")
  func lengths() throws {
    let read = try rows("a,b\n1,2\n1\n1,2,3\n1,2,,\n(4 rows)\n")
    #expect(read.lines.count == 2)
    let code = "wrong-number-of-fields"
    #expect(read.refused == ["3 \(code)", "4 \(code)", "6 \(code)"])
  }

  @Test("One stray quote costs its own row, not the rows behind it")
  func strayQuote() throws {
    let table = "a,b\n1,2\n3,\"4\n5,6\n7,8"
    for chunk in [1, 5, Int.max] {
      let read = try rows(table, chunk: chunk)
      #expect(
        read.lines.map { $0.dropFirst(head.count) } == [
          #","a":"1","b":"2"}"#, #","a":"5","b":"6"}"#, #","a":"7","b":"8"}"#,
        ])
      #expect(read.refused == ["3 field-not-closed"])
    }
  }

  @Test("A stray quote before many rows is given up soon, and all of them are read")
  func longQuote() throws {
    let many = String(repeating: "5,\(String(repeating: "6", count: 200))\n", count: 3_000)
    let read = try rows("a,b\n3,\"4\n" + many)
    #expect(read.lines.count == 3_000 && read.refused == ["2 field-not-closed"])
  }

  @Test(
    "One column, a header alone, nothing: no crash and no events", arguments: ["a\n1\n", "a,b", ""])
  func little(table: String) throws {
    let read = ReadSource(Array(table.utf8), SourceFormat(FieldTable.self))
    #expect(read.lines.isEmpty)
    #expect(Recognition(Array(table.utf8)) == nil)
  }
}

extension Recognition {
  fileprivate init?(_ head: [UInt8]) { self.init(head, settings: SourceSettings()) }
}
