import ActivityCommands
import ActivityCore
import Foundation
import Testing

/// Events of 20 November 2026 as lines, for logs made by hand.
struct Story {
  /// A token's raw hex, as a log line may carry it.
  static let token = String(repeating: "ab", count: 32)
  /// What `token` is kept as.
  static let fingerprint = "sha256:9a2db2e23f1504cd056606553ac049c5"
  /// 2026-11-20T18:00:00Z in Unix seconds.
  static let six: Int64 = 1_795_197_600

  private(set) var lines: [String] = []

  /// Adds an event of card `A` at a clock time.
  mutating func add(_ kind: String, _ time: String, _ rest: String, id: String = "AAAA-1") {
    let members = [
      #""event":"\#(kind)""#, #""at":"2026-11-20T\#(time)Z""#, #""activity-id":"\#(id)""#, rest,
    ]
    lines.append("{\(members.filter { !$0.isEmpty }.joined(separator: ","))}")
  }

  /// Adds a line as it is.
  mutating func add(line: String) { lines.append(line) }

  /// A card of order K-1 that the app started at 18:00 and whose token the server knows.
  static func card() -> Story {
    var story = Story()
    story.add(
      "start", "18:00:00",
      #""key":"K-1","device":"phone-1","bundle-id":"com.example.app","source":"app","#
        + #""recorder":"phone","content-state":{"s":"new","n":1}"#)
    story.add("token", "18:00:01", #""token-kind":"update","recorder":"push","# + tokenMember)
    return story
  }

  static let tokenMember = #""token":"\#(token)""#

  /// Adds a push to the card's token with its answer.
  mutating func push(
    _ kind: String, _ time: String, status: Int = 200, _ rest: String = "",
    token: String = Story.token
  ) {
    let said = rest.isEmpty ? "" : "," + rest
    let at = #""event":"\#(kind)","at":"2026-11-20T\#(time)Z""#
    lines.append(
      #"{\#(at),"recorder":"push","source":"push","token":"\#(token)","status":\#(status)\#(said)}"#
    )
  }

  /// A row that only shows that the card's recorder was still writing.
  mutating func later(_ time: String) {
    let at = #""event":"work","at":"2026-11-20T\#(time)Z""#
    lines.append(#"{\#(at),"recorder":"push","key":"K-8","outcome":"open"}"#)
  }

  /// The story as a log called `log`, which ends at 20:00 by the word of a recorder that sees no
  /// card: bare clock times mean that evening, and T is that of the story.
  func bench() throws -> Workbench {
    let bench = try Workbench()
    bench.now = Timestamp(seconds: Story.six + 86_400 * 7)
    let at = #""event":"work","at":"2026-11-20T20:00:00Z""#
    let end = #"{\#(at),"recorder":"shop","key":"K-9","outcome":"open"}"#
    try bench.write("in.jsonl", (lines + [end]).joined(separator: "\n") + "\n")
    let outcome = bench.run("ingest", "@log", "@in.jsonl")
    #expect(outcome.status == .fine, "\(outcome.err)")
    return bench
  }
}

/// Lines of JSON as dictionaries.
func objects(_ lines: [String]) throws -> [[String: Any]] {
  try lines.map { line in
    try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }
}

/// `aps` of a push line.
func aps(_ line: [String: Any]) throws -> [String: Any] {
  let payload = try #require(line["payload"] as? [String: Any])
  return try #require(payload["aps"] as? [String: Any])
}
