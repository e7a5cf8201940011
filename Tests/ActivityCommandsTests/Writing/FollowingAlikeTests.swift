import ActivityCommands
import Foundation
import Testing

@Suite("ingest -f of files that begin alike, and of what only an end brings out")
struct FollowingAlikeTests {
  private let following: Following
  private var bench: Workbench { following.bench }

  private static let map = """
    {"format":"csv","rows":[{"when":{"/kind":"*"},"set":{"event":"update"},\
    "take":{"/at":"at","/key":"key"}}]}
    """

  init() throws {
    following = try Following()
    try following.bench.write("m.json", Self.map)
  }

  private func row(_ minute: Int, _ key: String) -> String {
    "2026-11-20T17:0\(minute):00Z,u,\(key)\n"
  }

  private func keys(_ log: String = "log") -> [String] {
    bench.export(log).compactMap { line in
      line.firstMatch(of: /"key":"([^"]*)"/).map { String($0.1) }
    }
  }

  @Test("Files with one header are different files, though one has only that yet")
  func header() throws {
    try bench.write("a.csv", "at,kind,key\n")
    try bench.write("b.csv", "at,kind,key\n" + row(0, "B1") + row(1, "B2"))
    following.then { [following, row] in
      try following.add("a.csv", row(2, "A1"))
      try following.add("b.csv", row(3, "B3"))
    }
    following.then {}
    _ = try following.run("ingest", "@log", "@a.csv", "@b.csv", "-f", "--map", "@m.json")
    #expect(keys() == ["B1", "B2", "A1", "B3"])
  }

  @Test("Files that were alike are both read from where they part")
  func parted() throws {
    let common = "at,kind,key\n" + row(0, "C1")
    try bench.write("a.csv", common)
    try bench.write("b.csv", common)
    following.then { [following, row] in try following.add("a.csv", row(1, "A1")) }
    following.then { [following, row] in try following.add("b.csv", row(2, "B1")) }
    following.then {}
    let run = try following.run("ingest", "@log", "@a.csv", "@b.csv", "-f", "--map", "@m.json")
    #expect(Set(keys()) == ["C1", "A1", "B1"] && keys().count == 3)
    #expect(!says(run.err, "left out"))
  }

  @Test("At the end a file that goes on where another one ends is read, and a copy is named")
  func waiting() throws {
    let line = #"{"event":"update","key":"A"}"# + "\n"
    try bench.write("a", line + line)
    try bench.write("longer", line + line + #"{"event":"update","key":"B"}"# + "\n")
    following.then {}
    _ = try following.run("ingest", "@log", "@a", "@longer", "-f")
    #expect(keys() == ["A", "A", "B"])
    let other = try Following()
    for name in ["a", "copy"] { try other.bench.write(name, line + line) }
    other.then {}
    let run = try other.run("ingest", "@log", "@a", "@copy", "-f")
    #expect(says(run.err, "copy: left out: "))
    #expect(other.bench.export("log").count == 2)
  }

  private func push(_ key: String) -> String {
    "$ curl -H 'apns-topic: com.example.app.push-type.liveactivity' "
      + "-H 'apns-push-type: liveactivity' -d '{\"aps\":{\"timestamp\":1795197600,"
      + "\"event\":\"update\",\"content-state\":{\"key\":\"\(key)\"}}}' "
      + "https://api.push.apple.com/3/device/4e27cfd10206a1f930d5d0fbf0f360b32d3d6108590eb950\n"
      + "< HTTP/2 200\n"
  }

  @Test("What a dialect still waits with is recorded when following ends")
  func held() throws {
    try bench.write("t", push("1"))
    following.then { [following, push] in try following.add("t", push("2")) }
    following.then {}
    _ = try following.run("ingest", "@log", "@t", "-f", "--format", "curl")
    // Two pushes and the answer of each.
    #expect(bench.export("log").count == 4)
    #expect(says(bench.run("ingest", "@log", "@t", "--format", "curl").err, "recorded 0 events"))
  }

  @Test("A last row without its end is left until it has one")
  func rowWithoutEnd() throws {
    try bench.write("a.csv", "at,kind,key\n" + row(0, "K1") + row(1, "A-10").dropLast())
    let first = bench.run("ingest", "@log", "@a.csv", "--map", "@m.json")
    #expect(first.status == .fine)
    #expect(says(first.err, "a.csv: its last line has no end"))
    #expect(keys() == ["K1"])
    try following.add("a.csv", "42\n")
    bench.run("ingest", "@log", "@a.csv", "--map", "@m.json")
    #expect(keys() == ["K1", "A-1042"])
  }

  @Test("A pipe is refused without waiting for its writer")
  func pipe() throws {
    #expect(mkfifo(bench.path("pipe"), 0o600) == 0)
    let run = bench.run("ingest", "@log", "@pipe", "-f")
    #expect(run.status == .couldNotRun)
    #expect(says(run.err, "pipe: -f follows files, and this is a stream"))
  }

  @Test("A file that could not be read is tried again when it was written")
  func triedAgain() throws {
    let line = #"{"event":"update","key":"A"}"# + "\n"
    try bench.write("a", line)
    following.then { [following] in try following.move("a", to: "old") }
    following.then { [bench] in
      try bench.write("a", [UInt8](repeating: 0, count: 600))
    }
    following.then { [following] in
      try following.cut("a")
      try following.add("a", #"{"event":"update","key":"B"}"# + "\n")
    }
    following.then {}
    _ = try following.run("ingest", "@log", "@a", "-f")
    #expect(keys() == ["A", "B"])
  }

  @Test("A dry run goes on where the log was left, and refuses what it would not use")
  func dryRun() throws {
    let line = #"{"event":"update","order":"A","id":"1"}"# + "\n"
    try bench.write("a", line)
    bench.run("ingest", "@log", "@a", "--key-path", "/order")
    try following.add("a", #"{"event":"update","order":"B","id":"2"}"# + "\n")
    try following.add("a", #"{"event":"update","order":"B","id":"2"}"# + "\n")
    let run = bench.run("ingest", "@log", "@a", "--dry-run")
    #expect(run.out.count == 1 && says(run.out, #""key":"B""#))
    #expect(says(run.err, "would record 1 event, refused 0, skipped 0, repeated 1; "))
    for words in [["--dry-run", "--rejects", "@r"], ["--restore", "--key-path", "/order"]] {
      #expect(bench.run(["ingest", "@new", "@a"] + words, input: []).status == .couldNotRun)
    }
  }
}
