import Foundation
import Testing

/// A folder of `Logs/walkthroughs`: what people had after an incident, the script that says what
/// they did with it, and what it printed, read by a person.
@Suite("The walkthroughs")
struct WalkthroughTests {
  static let folders = Repository.names(in: "Logs/walkthroughs")
    .filter { Repository.isFolder("Logs/walkthroughs/\($0)") }

  @Test("There is one of a push log with its orders, and one of three phones")
  func both() {
    #expect(Set(Self.folders).isSuperset(of: ["push-log-and-orders", "three-phones"]))
  }

  @Test(
    "Each runs from anywhere, prints what is kept beside it and leaves nothing", arguments: folders)
  func runs(_ name: String) throws {
    let shell = try #require(try Shell(), "activitylog is not built beside the tests")
    defer { shell.remove() }
    let folder = "Logs/walkthroughs/\(name)"
    let before = Repository.files(below: folder)
    let result = try shell.run("mkdir own && TMPDIR=$PWD/own \(folder)/run && rmdir own")
    #expect(result.status == 0, "\(result.output)")
    let expected = try Repository.text("\(folder)/expected.txt")
    if result.output != expected { Issue.record("\(Self.difference(expected, result.output))") }
    #expect(Repository.files(below: folder) == before)
  }

  @Test("Each is a script that stops at the first failure", arguments: folders)
  func scripts(_ name: String) throws {
    let path = "Logs/walkthroughs/\(name)/run"
    let mode = try #require(try Repository.attributes(path)[.posixPermissions] as? Int)
    #expect(mode & 0o111 == 0o111)
    let text = try Repository.text(path)
    #expect(text.hasPrefix("#!/usr/bin/env bash\n"))
    #expect(text.contains("\nset -euo pipefail\n"))
  }

  @Test("The push log gives orders and pushes, and no raw token")
  func pushLog() throws {
    let folder = "Logs/walkthroughs/push-log-and-orders"
    let expected = try Repository.text("\(folder)/expected.txt")
    let paths = try Repository.text("\(folder)/push.ndjson").matches(of: /3\/device\/([0-9a-f]+)/)
    #expect(paths.count > 100)
    #expect(paths.allSatisfy { !expected.contains($0.output.1) })
    #expect(!expected.contains("@example.com"))
    #expect(expected.matches(of: /(?m)^B-21\d\d$/).count == 22)
    #expect(expected.matches(of: /(?m)^\{"schema":"activitylog.end-payload\/1"/).count == 11)
  }

  @Test("The phones give no error, and say how many lines nobody can attribute and why")
  func phones() throws {
    let expected = try Repository.text("Logs/walkthroughs/three-phones/expected.txt")
    #expect(
      expected.contains("3 recorders, 14.1 % of lines (33 of 234) unattributable because their ids")
    )
    #expect(expected.contains(#"\(activity.id, privacy: .public)"#))
    #expect(expected.contains("\nexit status 0\n"))
  }

  @Test("The README's commands are those of the walkthrough")
  func readme() throws {
    let expected = try Repository.text("Logs/walkthroughs/push-log-and-orders/expected.txt")
    let commands = try Repository.text("README.md").split(separator: "\n")
      .filter { $0.hasPrefix("activitylog audit push.ndjson ") }
    #expect(commands.count == 3)
    #expect(commands.allSatisfy { expected.contains("\n$ \($0)\n") })
  }

  /// The first line that is not what was kept.
  private static func difference(_ expected: String, _ printed: String) -> String {
    let (old, new) = (expected.split(separator: "\n"), printed.split(separator: "\n"))
    let place =
      zip(old, new).enumerated().first { $1.0 != $1.1 }?.offset ?? min(old.count, new.count)
    let kept = place < old.count ? old[place] : "(end)"
    let now = place < new.count ? new[place] : "(end)"
    return "line \(place + 1), blank lines aside\n  kept    \(kept)\n  printed \(now)"
  }
}
