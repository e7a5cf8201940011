internal import ActivityCore
import Testing

@testable import ActivityIngest

@Suite("Tokens and credentials in foreign records")
struct SecretScrubTests {
  private static let token = String(repeating: "0f36c98a", count: 8)
  private static let digest = TokenDigest.digest(of: token)

  private func kept(_ name: String, _ value: String) -> String {
    var draft = EventDraft("update")
    if let value = JSONSlice(Array(value.utf8)) { draft.keep(name, value) }
    return String(decoding: draft[name]?.text ?? [], as: UTF8.self)
  }

  @Test("a token in hex is kept as its digest, at any depth, in texts, names and JSON in texts")
  func hexTokens() {
    let (token, digest) = (Self.token, Self.digest)
    #expect(
      kept("user", #"{"a":[{"b":"\#(token)"}],"n":20.0}"#)
        == #"{"a":[{"b":"\#(digest)"}],"n":20.0}"#)
    #expect(kept("msg", #""to \#(token.uppercased()) now""#) == #""to \#(digest) now""#)
    #expect(kept("tries", #"{"\#(token)":2}"#) == #"{"\#(digest)":2}"#)
    #expect(kept("sent", #""{\"to\":\"\#(token)\"}""#) == #""{\"to\":\"\#(digest)\"}""#)
    #expect(kept("link", #""/3/device/\#(token)?a=1""#) == #""/3/device/\#(digest)?a=1""#)
  }

  @Test("base64 is a token only under a name that says so, a token of FCM is one anywhere")
  func otherTokens() {
    let base64 = "DzbJig82yYoPNsmKDzbJig82yYoPNsmKDzbJig82yYo="
    #expect(
      kept("user", #"{"pushTokens":["\#(base64)"]}"#) == #"{"pushTokens":["\#(Self.digest)"]}"#)
    #expect(kept("picture", #""\#(base64)""#) == #""\#(base64)""#)
    let ofFCM = "d1X-u_aa0:APA91b" + String(repeating: "Hx9_", count: 30)
    #expect(kept("msg", #""to \#(ofFCM)""#) == #""to \#(TokenDigest.digest(of: ofFCM))""#)
  }

  @Test("credentials are removed, what surrounds them stays")
  func credentials() {
    let key = "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJURUFNIn0.c2ln"
    #expect(kept("auth", #""Bearer abcdef0123456789""#) == #""Bearer [removed]""#)
    #expect(kept("msg", #""signed with \#(key), sent""#) == #""signed with [removed], sent""#)
    #expect(
      kept("call", #"{"headers":{"Authorization":"Basic YTpi"}}"#)
        == #"{"headers":{"Authorization":"[removed]"}}"#)
    #expect(kept("msg", #""the bearer of news""#) == #""the bearer of news""#)
  }

  @Test("content is kept exactly")
  func content() {
    var draft = EventDraft("update")
    let content = #"{"hash":"\#(Self.token)"}"#
    draft.set("content-state", JSONSlice(Array(content.utf8)))
    #expect(draft["content-state"].map { String(decoding: $0.text, as: UTF8.self) } == content)
  }

  @Test(
    "what stands for every token is the handle of none",
    arguments: [
      "[REDACTED]", "$TOKEN", "${token}", "<token>", "****d2d6", "xxxx", "{{token}}", "REDACTED",
      "null", "%s", "DEVICE_TOKEN",
    ])
  func placeholders(text: String) {
    var draft = EventDraft("update")
    draft.set("token", text: text)
    #expect(!draft.has("token"))
  }

  @Test(
    "any spelling of a token is one",
    arguments: [
      "0f36c98a", SecretScrubTests.token, "DzbJig82yYoPNsmKDzbJig82yYoPNsmKDzbJig82yYo=",
      "token-1", SecretScrubTests.digest,
    ])
  func tokens(text: String) {
    var draft = EventDraft("update")
    draft.set("token", text: text)
    #expect(draft.has("token"))
  }
}

@Suite("Records of requests that are too much")
struct RequestLimitTests {
  private static let payload =
    #""payload":{"aps":{"timestamp":1795197600,"event":"update","content-state":{}}}"#

  private func outcome(_ record: String) -> (RecordOutcome, Int) {
    var dialect = APNsRequests(SourceSettings())
    var events: [EventDraft] = []
    let bytes = Array(record.utf8)
    let outcome = dialect.read(
      SourceRecord(line: 1, bytes: bytes, json: JSONSlice(bytes)), into: &events)
    return (outcome, events.count)
  }

  private func code(_ outcome: RecordOutcome) -> String? {
    if case .refused(let code, _) = outcome { code } else { nil }
  }

  @Test("more than 2 000 members around a payload are refused")
  func members() {
    let members = (0..<20_000).map { #""m\#($0)":\#($0)"# }.joined(separator: ",")
    let (outcome, count) = outcome("{\(members),\(Self.payload)}")
    #expect(code(outcome) == "too-many-members")
    #expect(count == 0)
  }

  @Test("a payload for more tokens than 16 MiB of events are refused, fewer are one act each")
  func tokens() {
    let tokens = (0..<3_000).map { #""\#(String(1_000_000 + $0))""# }.joined(separator: ",")
    let text = String(repeating: "dinner ", count: 15_000)
    let (refused, none) = outcome(#"{"tokens":[\#(tokens)],"note":"\#(text)",\#(Self.payload)}"#)
    #expect(code(refused) == "too-many-tokens")
    #expect(none == 0)
    let (taken, count) = outcome(#"{"tokens":[\#(tokens)],\#(Self.payload)}"#)
    #expect(taken == .events)
    #expect(count == 3_000)
  }
}
