import ActivityCore
import Testing

@Suite("What differs between two contents")
struct ContentDifferenceTests {
  /// `pointer before → after` of every place; `·` for nothing there.
  private func differences(_ before: String?, _ after: String?) -> [String] {
    func slice(_ text: String?) -> JSONSlice? { text.flatMap { JSONSlice(Array($0.utf8)) } }
    return ContentDifference.between(slice(before), slice(after)).map { place in
      let (one, other) = (place.before, place.after)
      return [
        place.pointer, one.map { String(decoding: $0, as: UTF8.self) } ?? "·", "→",
        other.map { String(decoding: $0, as: UTF8.self) } ?? "·",
      ].joined(separator: " ")
    }
  }

  @Test("A member that changed, one that went, one that came, in the order of the contents")
  func members() {
    #expect(
      differences(
        #"{"status":"preparing","eta":"18:20","n":1}"#, #"{"n":1,"status":"delivered","by":"Eve"}"#)
        == [
          #"/status "preparing" → "delivered""#, #"/eta "18:20" → ·"#, #"/by · → "Eve""#,
        ])
  }

  @Test("Nested objects and arrays of one length are compared leaf by leaf")
  func nested() {
    #expect(
      differences(
        #"{"a":{"b":{"c":1,"d":[1,{"e":2}]}}}"#, #"{"a":{"b":{"d":[1,{"e":3}],"c":true}}}"#)
        == ["/a/b/c 1 → true", "/a/b/d/1/e 2 → 3"])
  }

  @Test("Arrays of other lengths are wholes, and so is a value of another type")
  func wholes() {
    #expect(differences(#"{"a":[1,2]}"#, #"{"a":[1]}"#) == ["/a [1,2] → [1]"])
    #expect(differences(#"{"a":{}}"#, #"{"a":[]}"#) == ["/a {} → []"])
    #expect(differences(#"{"a":{}}"#, #"{"a":{"b":null}}"#) == ["/a/b · → null"])
  }

  @Test("Numbers differ by their spelling, strings by what they say, blanks and order not at all")
  func equality() {
    #expect(differences(#"{"n":20}"#, #"{"n":20.0}"#) == ["/n 20 → 20.0"])
    #expect(differences(#"{"n":2e1}"#, #"{"n":20}"#) == ["/n 2e1 → 20"])
    #expect(differences(#"{"s":"é"}"#, #"{"s":"\u00e9"}"#) == [])
    #expect(differences("{\"s\":\"e\u{301}\"}", "{\"s\":\"\u{E9}\"}").count == 1)
    #expect(differences(#"{"a":1,"b":[1, 2]}"#, #"{ "b" : [1,2], "a" : 1 }"#) == [])
    #expect(differences(#"{"t":true}"#, #"{"t":"true"}"#) == [#"/t true → "true""#])
  }

  @Test("A content that is not there is added or removed as a whole; two of them are equal")
  func missing() {
    #expect(differences(nil, #"{"a":1}"#) == [#" · → {"a":1}"#])
    #expect(differences(#"[1]"#, nil) == [" [1] → ·"])
    #expect(differences(nil, nil) == [])
    #expect(differences("1", "2") == [" 1 → 2"])
  }

  @Test("Names are spelled as JSON Pointers; a name given twice makes its object a whole")
  func names() {
    #expect(differences(#"{"a/b~c":1}"#, #"{"a/b~c":2}"#) == ["/a~1b~0c 1 → 2"])
    #expect(differences(#"{"":1}"#, #"{"":2}"#) == ["/ 1 → 2"])
    #expect(
      differences(#"{"o":{"a":1,"a":2}}"#, #"{"o":{"a":1}}"#)
        == [#"/o {"a":1,"a":2} → {"a":1}"#])
  }

  @Test("A pointer leads to the value it names")
  func pointers() throws {
    let before = try #require(JSONSlice(Array(#"{"x":{"~/":[{"k":"v"},0]}}"#.utf8)))
    let after = try #require(JSONSlice(Array(#"{"x":{"~/":[{"k":"w"},0]}}"#.utf8)))
    let place = try #require(ContentDifference.between(before, after).first)
    #expect(before[pointer: place.pointer].map { Array($0.text) } == place.before)
    #expect(after[pointer: place.pointer].map { Array($0.text) } == place.after)
  }
}
