import ActivityAudit
import ActivityCore
import Testing

/// What looks like personal data or a raw token, and what only nearly does.
@Suite("Personal data")
struct PersonalDataTests {
  /// Where something sensitive stands in a content, and what it looks like.
  private func found(_ content: String) throws -> [String]? {
    var contents = Contents()
    contents.add(
      try Logs.columns([
        "{\"event\":\"update\",\"at\":1,\"activity-id\":\"A\",\"content-state\":\(content)}"
      ]))
    guard let rare = contents[1]?.rare, rare.sensitive >= 0 else { return nil }
    return [contents.text(rare.sensitive), contents.text(rare.looksLike)].compactMap(\.self)
  }

  @Test(
    "Addresses, phone and card numbers and tokens are known by their form",
    arguments: [
      ("kim@example.com", "e-mail"), ("k.m+tag@mail.example.org", "e-mail"),
      ("+49 151 1234-5678", "phone"), ("+1 (555) 010-9999", "phone"),
      ("4111111111111111", "card"), ("5500 0055 5555 5559", "card"), ("378282246310005", "card"),
      (String(repeating: "0f", count: 32), "token"), (String(repeating: "AB", count: 80), "token"),
    ])
  func known(_ text: String, _ kind: String) throws {
    #expect(try found("{\"x\":\"\(text)\"}") == ["/content-state/x", kind])
  }

  @Test(
    "What only looks like them at a glance is left alone",
    arguments: [
      "@kim", "2@10.50", "a@b", "a b@c.de", "x@@example.com", "+1", "+12:30", "+1234567",
      "4111111111111112", "1234567890123456", "2026-01-05 12:00", "20260105120000000",
      String(repeating: "0f", count: 31), String(repeating: "0g", count: 40), "",
      "0f1e2d3c-1111-2222-3333-444455556666", String(repeating: " ", count: 100),
    ])
  func innocent(_ text: String) throws {
    #expect(try found("{\"x\":\"\(text)\"}") == nil)
  }

  @Test("A digest is no token, whatever its length")
  func digests() throws {
    let digest = String(repeating: "0f", count: 32)
    for name in ["sha256", "contentHash", "etag", "signature"] {
      #expect(try found("{\"\(name)\":\"\(digest)\"}") == nil, "\(name)")
    }
  }

  @Test("The pointer leads through arrays and odd names, escaped as RFC 6901 says")
  func pointers() throws {
    let mail = "\"kim@example.com\""
    for (content, pointer) in [
      ("{\"a/b\":\(mail)}", "/content-state/a~1b"), ("{\"a~b\":\(mail)}", "/content-state/a~0b"),
      ("{\"~1\":\(mail)}", "/content-state/~01"), ("{\"\":\(mail)}", "/content-state/"),
      ("{\"\\u0061\":\(mail)}", "/content-state/a"),
      ("[1,[2,{\"q\\\"\":\(mail)}]]", "/content-state/1/1/q\""),
      ("{\"a\":{\"b\":[]},\"c\":[{},[],\(mail)]}", "/content-state/c/2"),
      ("{\"a\":\"x, {y: [\",\"b\":\(mail)}", "/content-state/b"),
    ] {
      #expect(try found(content)?.first == pointer, "\(content)")
    }
  }

  @Test("Escapes hide nothing: encoders write + and @ as they like")
  func escapes() throws {
    #expect(try found(#"{"x":"\u002B4915112345678"}"#)?.last == "phone")
    #expect(try found(#"{"x":"kim\u0040example.com"}"#)?.last == "e-mail")
    #expect(try found(#"{"x":"a\\\"@"}"#) == nil)
  }

  @Test("Names are no values, and the first value counts")
  func first() throws {
    #expect(try found(#"{"kim@example.com":1}"#) == nil)
    #expect(
      try found(#"{"a":"+4915112345678","b":"kim@example.com"}"#)
        == ["/content-state/a", "phone"])
  }

  @Test("Nesting as deep as a line may be is walked, and its pointer is cut")
  func depth() throws {
    let depth = 500
    let nested =
      String(repeating: "{\"a\":", count: depth) + "\"kim@example.com\""
      + String(repeating: "}", count: depth)
    let pointer = try #require(try found(nested)?.first)
    #expect(pointer.hasPrefix("/content-state/a/a/a"))
    #expect(pointer.utf8.count <= 256)
  }

  @Test("Long runs of digits, blanks and hexadecimal digits cost one look")
  func runs() throws {
    let blank = String(repeating: " 1-", count: 100_000)
    #expect(try found("{\"x\":\"\(blank)\"}") == nil)
    let hex = String(repeating: "deadbeef", count: 40_000)
    #expect(try found("{\"x\":\"\(hex)\"}") == nil)
  }
}
