import ActivityCommands
import Testing

@Suite("Rendering")
struct RenderingTests {
  @Test("JSON keeps the order it was written in and escapes what must be")
  func json() {
    var json = JSONText()
    json.object {
      $0.member("z", "say \"hi\"\\\n\t\u{1}")
      $0.member("a", 3)
      $0.member("b", UInt64.max)
      $0.member("none", nil as String?)
      $0.member("minutes", 12.5)
      $0.member("odd", Double.nan)
      $0.member("on", true)
      $0.array("list") { list in
        list.value(1)
        list.object { _ in }
        list.value("x")
      }
      $0.object("inner") { $0.member("k", raw: Array(#"{"n": 20.0}"#.utf8)) }
      $0.member("last", false)
    }
    json.newline()
    json.value(7)
    #expect(
      json.text == #"{"z":"say \"hi\"\\\n\t\u0001","a":3,"b":18446744073709551615,"#
        + #""none":null,"minutes":12.5,"odd":null,"on":true,"list":[1,{},"x"],"#
        + #""inner":{"k":{"n": 20.0}},"last":false}"# + "\n7")
    json.removeAll()
    json.value("é👩‍👩‍👧")
    #expect(json.text == "\"é👩‍👩‍👧\"")
  }

  @Test("Raw JSON keeps its bytes, but neither hazards nor line ends leave as they came")
  func rawJSON() {
    var json = JSONText()
    json.value(raw: Array("{\n\"a\": \"é\u{202E}\u{7F}\u{E0001}\\u0007\"}".utf8))
    #expect(json.text == #"{ "a": "é\u202e\u007f\udb40\udc01\u0007"}"#)
  }

  @Test("No character of control, reordering or line separation survives escaping")
  func escape() {
    for value in UInt32(0)...0x1_0000 {
      guard let scalar = Unicode.Scalar(value), Escape.isHazard(scalar) else { continue }
      let hex = String(value, radix: 16, uppercase: true)
      #expect(Escape.text("a\(scalar)b") == "a\\u{\(hex)}b")
    }
    for hazard in ["\u{1B}", "\u{9B}", "\u{202E}", "\u{2067}", "\r\n", "\u{2028}", "\u{200F}"] {
      #expect(!Escape.text(hazard).unicodeScalars.contains { Escape.isHazard($0) })
    }
    #expect(Escape.text("Grüße 👩‍👩‍👧 ½ “x” Ä") == "Grüße 👩‍👩‍👧 ½ “x” Ä")
  }

  @Test("A table aligns by what a person sees and leaves no trailing space")
  func table() {
    var table = Table([.text("name"), .number("n"), .text("note")])
    table.add([Styled("Grüße👩‍👩‍👧", .red), "7"])
    table.add(["x", "1000", "here"])
    let expected = """
      name       n  note
      Grüße👩‍👩‍👧     7
      x       1000  here
      """
    let lines = table.lines()
    #expect(lines.map(\.text).joined(separator: "\n") == expected)
    #expect(lines[1].rendered(colours: true) == "\u{1B}[31mGrüße👩‍👩‍👧\u{1B}[0m     7")
  }

  @Test("A table without titles has only its rows, and hostile cells are harmless")
  func bare() {
    var table = Table([.text(""), .text("")])
    #expect(table.isEmpty)
    #expect(table.lines() == [])
    table.add(["", Styled("a\u{1B}b")])
    table.add(["long", "c"])
    #expect(table.lines().map(\.text) == [#"      a\u{1B}b"#, "long  c"])
  }

  @Test("On a narrow terminal the column that shrinks gives way")
  func narrow() {
    var table = Table([.text("id"), .text("message", shrinks: true), .number("n")])
    table.add(["A", "the person never saw the card", "12"])
    #expect(
      table.lines(width: 24).map(\.text) == [
        "id  message            n", "A   the person neve…  12",
      ])
    #expect(table.lines(width: 5).map(\.width).max() == 16)
  }

  @Test("Styles are pieces of text; without colours only the text is left")
  func styled() {
    let line = Styled("never ended", .bold) + " for " + Styled("2 h", .red)
    #expect(line.rendered(colours: false) == "never ended for 2 h")
    #expect(
      line.rendered(colours: true) == "\u{1B}[1mnever ended\u{1B}[0m for \u{1B}[31m2 h\u{1B}[0m")
    #expect(line.shortened(to: 8).text == "never e…")
    #expect(line.shortened(to: 0).text == "")
    #expect(line.shortened(to: 99) == line)
  }
}
