import ActivityCommands
import ActivityCore
import Foundation
import Testing

/// Logs for outputs: small, and with what an attacker would put there.
extension Workbench {
  /// The log made from the incident, as it is kept; nothing writes to it.
  static let incident = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Logs/incident/log").path(percentEncoded: false)

  /// A card of a customer who types formulas and markup, a card whose key begins with a tab, and
  /// one that still lives.
  func ingestHostile() throws {
    try ingest(
      "hostile",
      [
        #"{"event":"start","at":"2026-11-20T10:00:00Z","recorder":"app","source":"app","#
          + #""activity-id":"=1+1","key":"=HYPERLINK(\"http://x\")|a","#
          + #""device":"@dev,\"q\" \ufffe","build":"]]><b>&\u001b[31m","#
          + #""attributes-type":"-1+1\n| x | `y`","#
          + #""content-state":{"a":1}}"#,
        #"{"event":"end","at":"2026-11-20T11:00:00Z","recorder":"push","source":"push","#
          + #""activity-id":"=1+1","timestamp":1795172400,"content-state":{"a":2},"status":400,"#
          + #""reason":"<script>[x](http://e)\n|`*{0}\u202e]]>@all"}"#,
        #"{"event":"start","at":"2026-11-20T10:01:00Z","recorder":"app","source":"app","#
          + #""activity-id":"T","key":"\tTAB","build":"5","attributes-type":"T","#
          + #""content-state":{"a":1}}"#,
        #"{"event":"end","at":"2026-11-20T11:01:00Z","recorder":"push","source":"push","#
          + #""activity-id":"T","timestamp":1795172460,"content-state":{"a":2},"status":400,"#
          + #""reason":"x"}"#,
        #"{"event":"start","at":"2026-11-20T12:30:00Z","recorder":"app","source":"app","#
          + #""activity-id":"L","key":"L","content-state":{"a":1}}"#,
      ])
  }

  /// Cards of one build that app and server end, or of which ends are refused or the fate is open.
  ///
  /// - Returns: Lines; every card begins a minute after the one before, from an hour on.
  static func cards(build: String, ended: Int, leaked: Int, live: Int, hour: Int) -> [String] {
    var lines: [String] = []
    for number in 0..<(ended + leaked + live) {
      // Live ones begin last, an hour before the log ends.
      let isLive = number >= ended + leaked
      let id = "\(build)-\(number)"
      let minute = number % 60
      let time = { (hour: Int, second: Int) in
        String(format: "2026-11-20T%02d:%02d:%02dZ", hour, minute, second)
      }
      let begin = isLive ? 22 : hour
      lines.append(
        #"{"event":"start","at":"\#(time(begin, 1))","recorder":"app","source":"app","#
          + #""activity-id":"\#(id)","key":"K-\#(id)","device":"p-\#(id)","build":"\#(build)","#
          + #""attributes-type":"T","content-state":{"a":1}}"#)
      guard !isLive else { continue }
      let status = number < ended ? "200" : #"403,"reason":"ExpiredProviderToken""#
      lines.append(
        #"{"event":"end","at":"\#(time(hour + 1, 2))","recorder":"push-7","source":"push","#
          + #""activity-id":"\#(id)","content-state":{"a":2},"status":\#(status)}"#)
    }
    return lines
  }

  func ingest(_ log: String, _ lines: [String]) throws {
    // Some days later: what is recorded before it happened would count as happening then.
    now = .init(seconds: 1_796_000_000)
    try write("\(log).jsonl", lines.joined(separator: "\n") + "\n")
    let outcome = run("ingest", "@\(log)", "@\(log).jsonl")
    #expect(outcome.status == .fine)
    #expect(says(outcome.err, "refused 0"))
  }

  /// The whole output as one text.
  func output(_ words: String...) -> String {
    run(words, input: []).out.joined(separator: "\n") + "\n"
  }

  /// The output as JSON; an error when it is none.
  func json(_ words: String...) throws -> [String: Any] {
    let text = run(words, input: []).out.joined(separator: "\n")
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return try #require(value as? [String: Any])
  }
}
