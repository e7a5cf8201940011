import ActivityCommands
import ActivityStore
import Foundation
import Testing

@Suite("Sources of ingest")
struct SourceTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private func lines(_ range: ClosedRange<Int>, _ key: String = "K", step: Int = 1) -> String {
    range.map { number in
      let minute = number * step
      let at = "2026-11-20T17:\(minute < 10 ? "0" : "")\(minute):00Z"
      return #"{"event":"update","key":"\#(key)","at":"\#(at)","n":\#(number)}"# + "\n"
    }.joined()
  }

  private func numbers(_ log: String) -> [Int] {
    bench.export(log).compactMap { line in
      line.range(of: #""n":"#).flatMap { Int(line[$0.upperBound...].dropLast()) }
    }
  }

  @Test("A packed file is read as it was, and a rotated one goes on where its feed was left")
  func packed() throws {
    try bench.write("push.ndjson", lines(1...4))
    #expect(bench.run("ingest", "@log", "@push.ndjson").status == .fine)
    try bench.write("push.ndjson.1.gz", gzip(Array(lines(1...7).utf8)))
    let rotated = bench.run("ingest", "@log", "@push.ndjson.1.gz")
    #expect(rotated.status == .fine)
    #expect(says(rotated.err, "recorded 3 events (seq 5 to 7)"))
    let again = bench.run("ingest", "@log", "@push.ndjson.1.gz")
    #expect(says(again.err, "push.ndjson.1.gz: nothing new: its "))
    #expect(says(again.err, "recorded 0 events"))
    #expect(numbers("log") == Array(1...7))
  }

  @Test("Line numbers of what a packed file brings anew count from its beginning")
  func packedNumbers() throws {
    try bench.write("push.gz", gzip(Array(lines(1...4).utf8)))
    bench.run("ingest", "@log", "@push.gz")
    try bench.write("push.gz", gzip(Array((lines(1...5) + "{}\n").utf8)))
    let run = bench.run("ingest", "@log", "@push.gz")
    #expect(says(run.err, #"push.gz:6:1: There is no "event""#))
    #expect(numbers("log") == Array(1...5))
  }

  @Test("Of a packed file that breaks off the whole lines are taken, and the run says damage")
  func brokenOff() throws {
    let whole = gzip(Array(lines(1...6).utf8))
    try bench.write("push.gz", Array(whole.dropLast(40)))
    let run = bench.run("ingest", "@log", "@push.gz")
    #expect(run.status == .damage)
    #expect(says(run.err, "push.gz: the gzip data ends before its own end"))
    #expect(numbers("log") == Array(1...5))
    try bench.write("push.gz", whole)
    let then = bench.run("ingest", "@log", "@push.gz")
    #expect(then.status == .fine)
    #expect(numbers("log") == Array(1...6))
  }

  @Test("UTF-16 is read as text, and a mark before UTF-8 does not move what was taken")
  func encodings() throws {
    let text = lines(1...3)
    let wide = text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    try bench.write("wide.ndjson", [0xFF, 0xFE] + wide)
    #expect(bench.run("ingest", "@wide", "@wide.ndjson").status == .fine)
    #expect(numbers("wide") == [1, 2, 3])
    try bench.write("mark.ndjson", [0xEF, 0xBB, 0xBF] + Array(text.utf8))
    bench.run("ingest", "@mark", "@mark.ndjson")
    try bench.extend("mark.ndjson", lines(4...5))
    #expect(says(bench.run("ingest", "@mark", "@mark.ndjson").err, "recorded 2 events"))
    #expect(says(bench.run("ingest", "@mark", "@mark.ndjson").err, "nothing new"))
    let narrow = try bench.write("narrow.ndjson", text)
    #expect(says(bench.run("ingest", "@wide", narrow).err, "narrow.ndjson: nothing new"))
  }

  @Test("What is no text is refused with the command that makes text of it, before the log is made")
  func otherForms() throws {
    try bench.write("push.zst", [0x28, 0xB5, 0x2F, 0xFD, 0, 1, 2, 3])
    let packed = bench.run("ingest", "@log", "@push.zst")
    #expect(packed.status == .couldNotRun)
    #expect(says(packed.err, "push.zst: the input is zstd data"))
    #expect(says(packed.err, "try: zstd -dc "))
    let archive = bench.path("phone.logarchive")
    try FileManager.default.createDirectory(
      atPath: archive, withIntermediateDirectories: false)
    let folder = bench.run("ingest", "@log", "@phone.logarchive")
    #expect(folder.status == .couldNotRun)
    #expect(says(folder.err, "phone.logarchive: the input is a log archive"))
    #expect(!FileManager.default.fileExists(atPath: bench.path("log")))
  }

  @Test("Several files are merged by at; an event without one goes with the one before it")
  func merged() throws {
    try bench.write("even.ndjson", lines(1...5, step: 2))
    try bench.write(
      "odd.ndjson",
      #"{"event":"update","key":"K","n":100}"# + "\n" + lines(11...11)
        + #"{"event":"update","key":"K","n":101}"# + "\n" + lines(3...3) + lines(12...12))
    let run = bench.run("ingest", "@log", "@even.ndjson", "@odd.ndjson")
    #expect(run.status == .fine)
    // What says no time comes first, then 2, 4, 6, 8 and 10 minutes, and 11 brings what follows it.
    #expect(numbers("log") == [100, 1, 2, 3, 4, 5, 11, 101, 3, 12])
    let again = bench.run("ingest", "@log", "@even.ndjson", "@odd.ndjson")
    #expect(again.err.filter { $0.contains("nothing new") }.count == 2)
    #expect(says(again.err, "recorded 0 events"))
  }

  @Test("Equal times keep the order of the files, and of the lines in them")
  func stable() throws {
    for (name, numbers) in [("a", [1, 2]), ("b", [3, 4]), ("c", [5])] {
      let text = numbers.map {
        #"{"event":"update","key":"\#(name)","at":"2026-11-20T17:00:00Z","n":\#($0)}"# + "\n"
      }
      try bench.write(name, text.joined())
    }
    bench.run("ingest", "@log", "@b", "@a", "@c")
    #expect(numbers("log") == [3, 4, 1, 2, 5])
  }

  @Test("A file and its packed beginning in one command are one file")
  func copies() throws {
    try bench.write("push.ndjson", lines(1...5))
    try bench.write("push.ndjson.1.gz", gzip(Array(lines(1...3).utf8)))
    let run = bench.run("ingest", "@log", "@push.ndjson.1.gz", "@push.ndjson")
    #expect(says(run.err, "push.ndjson.1.gz: left out: push.ndjson begins with it"))
    #expect(numbers("log") == Array(1...5))
  }

  @Test("Files that begin with one line and go on otherwise are remembered each for itself")
  func sameFirstLine() throws {
    let first = lines(1...1)
    try bench.write("a", first + lines(2...4))
    try bench.write("b", first + lines(5...7))
    #expect(says(bench.run("ingest", "@log", "@a", "@b").err, "recorded 8 events"))
    for name in ["a", "b", "a"] {
      #expect(says(bench.run("ingest", "@log", "@\(name)").err, "\(name): nothing new"))
    }
    try bench.extend("a", lines(8...8))
    try bench.extend("b", lines(9...9))
    let grown = bench.run("ingest", "@log", "@b", "@a")
    #expect(says(grown.err, "recorded 2 events (seq 9 to 10)"))
  }

  @Test("Refused rows and lines of several files are told with their file and line, and kept")
  func refusedRows() throws {
    let one = #"{"event":"update","activity-id":"A","id":"x","n":1}"# + "\n"
    let two = #"{"event":"update","activity-id":"A","id":"x","n":2}"# + "\n"
    try bench.write("a.ndjson", "\n" + one + one)
    try bench.write("b.ndjson", lines(1...1) + "{\n" + two)
    let run = bench.run(
      "ingest", "@log", "@a.ndjson", "@b.ndjson", "--rejects", "@bad.ndjson")
    #expect(run.status == .damage)
    #expect(says(run.err, #"b.ndjson:3: "id" is in the log already, as seq 1"#))
    #expect(says(run.err, "b.ndjson:2:2: The JSON ends too early"))
    #expect(says(run.err, "recorded 2 events (seq 1 to 2), refused 2, skipped 0, repeated 1"))
    #expect(try bench.read("bad.ndjson") == Array(("{\n" + two).utf8))
  }

  @Test("An array over many lines is read, and an unfinished last record is taken once it is whole")
  func laidOut() throws {
    let objects = lines(1...3).split(separator: "\n").map(String.init)
    try bench.write("all.json", "[\n  " + objects[0] + ",\n  " + objects[1].dropLast())
    let cut = bench.run("ingest", "@log", "@all.json")
    #expect(cut.status == .damage)
    #expect(numbers("log") == [1])
    try bench.extend("all.json", "},\n  " + objects[2] + "\n]\n")
    let whole = bench.run("ingest", "@log", "@all.json")
    #expect(whole.status == .fine)
    #expect(numbers("log") == [1, 2, 3])
  }

  @Test("--set gives members to events that lack them, and only to those")
  func constants() throws {
    try bench.write(
      "push.ndjson",
      #"{"event":"end","key":"k","build":"7"}"# + "\n" + #"{"event":"end","key":"l"}"#)
    bench.run("ingest", "@log", "@push.ndjson", "--set", "build=8", "--set", "device=phone 1")
    let export = bench.export("log")
    #expect(export.count == 2)
    #expect(export[0].contains(#""build":"7""#) && export[1].contains(#""build":"8""#))
    #expect(export.allSatisfy { $0.contains(#""device":"phone 1""#) })
    let own = bench.run("ingest", "@log", "@push.ndjson", "--set", "seq=8")
    #expect(own.status == .couldNotRun)
  }

  @Test("--tz takes offsets, UTC and local, and says what it takes instead of a place")
  func zones() throws {
    try bench.write("push.ndjson", lines(1...1))
    for zone in ["+01:00", "-0530", "+2", "UTC", "local"] {
      let run = bench.run("ingest", "@log", "@push.ndjson", "--tz", zone)
      #expect(run.status == .fine, "\(zone)")
    }
    for zone in ["Europe/Berlin", "1", "+1:60", "+25:00", ""] {
      let run = bench.run("ingest", "@log", "@push.ndjson", "--tz", zone)
      #expect(run.status == .couldNotRun, "\(zone)")
      #expect(says(run.err, "--tz takes an offset such as +01:00, UTC or local"))
    }
  }

  @Test("A map reads what no dialect knows, and a bad one is told where it is wrong")
  func mapped() throws {
    let records = (1...3).map {
      #"{"what":"moved","order":"A-\#($0)","when":"2026-11-20T17:0\#($0):00Z","to":{"n":\#($0)}}"#
    }
    try bench.write("app.log", records.joined(separator: "\n") + "\n")
    try bench.write(
      "map.json",
      #"{"format":"json","rows":[{"when":{"/what":"moved"},"set":{"event":"update"},"#
        + #""take":{"/order":"key","/when":"at","/to":"content-state"}}]}"#)
    let run = bench.run("ingest", "@log", "@app.log", "--map", "@map.json")
    #expect(run.status == .fine, "\(run.err)")
    #expect(says(bench.export("log"), #""key":"A-2""#))
    #expect(bench.export("log").count == 3)
    let both = bench.run("ingest", "@log", "@app.log", "--map", "@map.json", "--format", "ndjson")
    #expect(both.status == .couldNotRun)
    try bench.write("bad.json", #"{"format":"json","rows":7}"#)
    let bad = bench.run("ingest", "@new", "@app.log", "--map", "@bad.json")
    #expect(bad.status == .couldNotRun)
    #expect(says(bad.err, "bad.json: the map at /rows "))
    #expect(!FileManager.default.fileExists(atPath: bench.path("new")))
  }

  @Test("A file in which nothing is understood is told how to be read")
  func unknown() throws {
    try bench.write("notes.txt", "one\ntwo\n")
    let run = bench.run("ingest", "@log", "@notes.txt")
    #expect(run.status == .damage)
    #expect(says(run.err, "notes.txt: in no form that is recognised, and no event line: --format"))
  }
}

@Suite("ingest --dry-run")
struct DryRunTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  @Test("It prints the events as lines, says what is odd, and writes nothing")
  func preview() throws {
    let good = #"{"event":"update","activity-id":"A","at":"2026-11-20T17:00:00Z","n":20.0}"#
    let raw = #"{"event":"token","activity-id":"A","token":"00ff00ff00ff00ff"}"#
    let odd = #"{"event":"update","activity-id":"A","contentState":{"a":1}}"#
    try bench.write("push.ndjson", [good, "{}", raw, odd].joined(separator: "\n") + "\n")
    let run = bench.run("ingest", "@log", "@push.ndjson", "--dry-run")
    #expect(run.status == .damage)
    #expect(run.out.count == 3)
    #expect(says(run.out, #""n":20.0"#))
    #expect(says(run.out, #""token":"sha256:"#) && !says(run.out, "00ff00ff"))
    #expect(says(run.err, #"push.ndjson:2:1: There is no "event""#))
    #expect(says(run.err, "push.ndjson:4: ") && says(run.err, "contentState"))
    #expect(says(run.err, "log: would record 3 events, refused 1, skipped 0, repeated 0; "))
    #expect(!FileManager.default.fileExists(atPath: bench.path("log")))
    let allowed = bench.run("ingest", "@log", "@push.ndjson", "--dry-run", "--max-errors", "1")
    #expect(allowed.status == .fine)
  }

  @Test("What it prints is what a real run records")
  func sameEvents() throws {
    let lines = (1...9).map {
      #"{"event":"update","key":"k-\#($0 % 3)","at":"2026-11-20T17:0\#(10 - $0):00Z","n":\#($0)}"#
    }
    try bench.write("a.ndjson", lines[..<4].joined(separator: "\n"))
    try bench.write("b.ndjson", lines[4...].joined(separator: "\n"))
    let dry = bench.run("ingest", "@log", "@a.ndjson", "@b.ndjson", "--dry-run")
    try bench.write("dry.ndjson", dry.out.joined(separator: "\n"))
    bench.run("ingest", "@log", "@a.ndjson", "@b.ndjson")
    bench.run("ingest", "@again", "@dry.ndjson")
    #expect(bench.export("log").count == 9)
    #expect(bench.export("again") == bench.export("log"))
  }

  @Test("It does not go with -f or --restore")
  func refused() throws {
    try bench.write("push.ndjson", "")
    for word in ["-f", "--restore"] {
      let run = bench.run("ingest", "@log", "@push.ndjson", "--dry-run", word)
      #expect(run.status == .couldNotRun)
    }
  }
}
