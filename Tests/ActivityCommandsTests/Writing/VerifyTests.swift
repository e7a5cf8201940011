import ActivityCommands
import ActivityStore
import Foundation
import Testing

@Suite("verify, seal and info")
struct VerifyTests {
  private let bench: Workbench
  private let segment = "log/\(SegmentName.of(1))"

  /// A log of three commits.
  init() throws {
    bench = try Workbench()
    bench.run("append", "@log", "event=start", "activity-id=A", "recorder=phone", "n=1")
    bench.run(
      "append", "@log", "event=update", "activity-id=A", "status=200", "recorder=push", "n=2")
    bench.run("append", "@log", "event=end", "activity-id=A", "apns-id=p", "recorder=push", "n=3")
  }

  @Test("A sound log is verified to its last seq, and both ends are named")
  func sound() throws {
    let size = try bench.read(segment).count
    let run = bench.run("verify", "@log")
    #expect(run.status == .fine)
    #expect(run.out.count == 2)
    #expect(run.out[0].hasPrefix("log: verified to seq 3: 1 segment, 3 commits, 3 events, "))
    #expect(
      run.out[1]
        == "\(SegmentName.of(1)): \(size) bytes, active; synced to seq 3, byte \(size)")
    let json = bench.run("verify", "@log", "-o", "json").out
    #expect(json.count == 1)
    #expect(json[0].hasPrefix(#"{"schema":"activitylog.verify/1","log":"#))
    #expect(json[0].contains(#""sound":true,"verified-to":3,"#))
    #expect(json[0].contains(#""synced-end":\#(size),"#))
    let both = bench.run("verify", "@log", "@log", "-o", "json").out
    #expect(both == json + json && json[0].hasSuffix(#","path":"log"}"#))
  }

  @Test("One segment is verified by its path, under any name")
  func oneSegment() throws {
    bench.run("seal", "@log")
    try bench.write("copy.bin", bench.read(segment))
    for name in [segment, "copy.bin"] {
      let run = bench.run("verify", "@\(name)")
      #expect(run.status == .fine)
      #expect(run.out.first?.contains("verified to seq 3") == true)
    }
  }

  @Test("A torn tail is one line and no failure; the next writer cuts it and keeps a copy")
  func torn() throws {
    let whole = try bench.read(segment)
    try bench.write(segment, whole + [0x50, 0x2A, 0x4D, 0x18, 1, 2, 3])
    for command in ["verify", "export", "info"] {
      let run = bench.run(command, "@log")
      #expect(run.status == .fine)
      let lines = (run.out + run.err).filter { $0.contains("a write that never finished") }
      #expect(lines.count == 1, "\(command)")
    }
    let next = bench.run("append", "@log", "event=end", "key=k")
    #expect(next.out == ["4"])
    #expect(next.status == .fine)
    #expect(says(next.err, "a write that never finished"))
    #expect(says(next.err, "kept as \(SegmentName.of(1)).torn-\(whole.count)"))
    #expect(bench.run("verify", "@log").out.count == 2)
  }

  @Test("A flipped bit is damage: named by every reader, which gives the rest and ends with 3")
  func damaged() throws {
    let before = bench.export("log")
    bench.run("seal", "@log")
    var bytes = try bench.read(segment)
    let place = try #require(bytes.firstRange(of: Array(#"{"n":"2"}"#.utf8)))
    bytes[place.lowerBound + 6] ^= 1
    try bench.write(segment, bytes)

    let verified = bench.run("verify", "@log")
    #expect(verified.status == .damage)
    #expect(verified.out[0].hasPrefix("log: damaged in 1 place, checked to seq 3: "))
    #expect(verified.out.contains { $0.contains("are damaged (content") && $0.contains("seq 2") })
    let json = bench.run("verify", "@log", "-o", "json").out.joined()
    #expect(json.contains(#""sound":false"#))
    #expect(json.contains(#""part":"content","lost-from":2,"lost-through":2"#))

    let exported = bench.run("export", "@log")
    #expect(exported.status == .damage)
    #expect(exported.out == [before[0], before[2]])
    #expect(says(exported.err, "log: left out 1 damaged event: seq 2"))
    #expect(exported.err.last?.hasPrefix("log: exported 2 events, ") == true)
    #expect(bench.run("append", "@log", "event=end", "key=k").out == ["4"])
  }

  @Test("A writer that finds damage says so once, ends with 3, and goes on in a new segment")
  func writingBehindDamage() throws {
    var bytes = try bench.read(segment)
    let mark = withUnsafeBytes(of: Frames.commit.littleEndian) { Array($0) }
    let headers = bytes.ranges(of: mark)
    #expect(headers.count == 3)
    bytes[headers[1].lowerBound + 20] ^= 0x10
    try bench.write(segment, bytes)
    let first = bench.run("append", "@log", "event=end", "key=k")
    #expect(first.out == ["4"])
    #expect(first.status == .damage)
    #expect(says(first.err, "are damaged"))
    let second = bench.run("append", "@log", "event=end", "key=k")
    #expect(second.out == ["5"])
    #expect(second.err == [])
    #expect(second.status == .fine)
    #expect(try bench.read(segment).starts(with: bytes))
    #expect(bench.run("verify", "@log").status == .damage)
  }

  @Test("Seal closes the segment once, and the next event begins another")
  func seal() {
    #expect(bench.run("seal", "@log").out == ["\(segment): sealed, seq 1 to 3"])
    let again = bench.run("seal", "@log")
    #expect(again.status == .fine)
    #expect(again.out.first?.contains("nothing to seal") == true)
    #expect(bench.run("append", "@log", "event=end", "key=k").out == ["4"])
    #expect(says(bench.run("verify", "@log").out, "2 segments, 4 commits, 4 events"))
  }

  @Test("Info tells files, events, clocks, durability and what the log can judge")
  func info() {
    let out = bench.run("info", "@log").out
    #expect(out.first?.hasPrefix("log: 3 events, seq 1 to 3, ") == true)
    #expect(says(out, "durable   to seq 3, policy every-commit"))
    #expect(says(out, "occurred  2026-11-20T18:30:00Z to 2026-11-20T18:30:00Z"))
    #expect(says(out, "pushes answered      1 of 2 (50.0 %)"))
    #expect(out.contains { $0.hasPrefix("push ") && $0.contains(" 2 ") })
    let json = bench.run("info", "@log", "-o", "json").out.joined()
    #expect(json.hasPrefix(#"{"schema":"activitylog.info/1","log":"#))
    #expect(json.contains(#""kinds":{"start":1,"update":1,"end":1}"#))
    #expect(json.contains(#""pushes":2,"pushes-answered":1,"#))
    #expect(json.contains(#"{"recorder":"phone","events":1,"#))
    bench.run("append", "@log", "event=response", "apns-id=p", "status=200")
    #expect(says(bench.run("info", "@log").out, "pushes answered      2 of 2"))
  }

  @Test("A log without events is no failure")
  func empty() throws {
    try bench.write("empty.ndjson", "")
    bench.run("ingest", "@none", "@empty.ndjson")
    for command in ["export", "verify", "info", "seal"] {
      #expect(bench.run(command, "@none").status == .fine, "\(command)")
    }
    #expect(says(bench.run("verify", "@none").out, "none: verified to seq 0: "))
  }
}
