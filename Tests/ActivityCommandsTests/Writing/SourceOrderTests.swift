import ActivityCommands
import ActivityCore
import Foundation
import Testing

/// What a log, or files read without one, tell of the sources they hold, but for seqs: those are
/// places in a log, so they follow the order of the imports.
private struct Told: Equatable {
  var states: [String]
  var findings: [String]
}

/// Files of `Logs/walkthroughs` in a folder of their own.
private struct Incident {
  let bench: Workbench
  let names: [String]
  /// What every import of them says besides, so that the same line is the same event.
  let words: [String]

  init(_ folder: String, _ names: [String], _ words: [String] = []) throws {
    bench = try Workbench()
    // What happened after it was recorded would count as of then, in the order of the imports.
    bench.now = bench.now + .hours(24)
    self.names = names
    self.words = words
    for name in names { try bench.write(name, Checkout.bytes("walkthroughs/\(folder)/\(name)")) }
  }

  static func evening() throws -> Incident {
    try Incident("push-log-and-orders", ["push.ndjson", "orders.csv"], ["--key-path", "/order"])
  }

  static func phones() throws -> Incident {
    try Incident("three-phones", ["alice.ndjson", "bob.ndjson", "carol.ndjson"])
  }

  /// The format of a file, so that a test need not find it out each time.
  static func format(_ name: String) -> String {
    name.hasPrefix("push") ? "apns" : name.hasPrefix("orders") ? "csv" : "oslog"
  }

  @discardableResult
  func ingest(_ log: String, _ names: [String], format: String? = nil) -> Outcome {
    let said = format.map { ["--format", $0] } ?? []
    let run = bench.run(
      ["ingest", "@\(log)"] + names.map { "@\($0)" } + words + said, input: [])
    #expect(run.status == .fine, "\(run.err)")
    return run
  }

  func told(_ words: [String]) throws -> Told {
    Told(states: bench.states(words), findings: try bench.findings(words))
  }

  /// What a log made of all files in one command tells.
  func whole(cards: Int, findings: Int) throws -> Told {
    ingest("whole", names)
    let told = try told(["@whole"])
    #expect(told.states.count == cards)
    #expect(told.findings.count == findings)
    return told
  }

  /// How many events a log holds.
  func count(_ log: String) -> Int { bench.export(log).count }
}

@Suite("The order in which sources come")
struct SourceOrderTests {
  @Test("A push log and its orders: either first, together or one by one, and once more")
  func evening() throws {
    let evening = try Incident.evening()
    let expected = try evening.whole(cards: 40, findings: 29)
    let count = evening.count("whole")
    for (number, names) in evening.names.orders.enumerated() {
      evening.ingest("together\(number)", names)
      #expect(try evening.told(["@together\(number)"]) == expected, "\(names)")
      for name in names { evening.ingest("apart\(number)", [name]) }
      #expect(try evening.told(["@apart\(number)"]) == expected, "\(names)")
      let again = evening.ingest("apart\(number)", names.reversed())
      #expect(says(again.err, "recorded 0 events"))
      #expect(evening.count("apart\(number)") == count)
    }
  }

  @Test("Three phones: six orders, together or one by one, and once more")
  func phones() throws {
    let phones = try Incident.phones()
    let expected = try phones.whole(cards: 30, findings: 0)
    let count = phones.count("whole")
    for (number, names) in phones.names.orders.enumerated() {
      phones.ingest("together\(number)", names, format: "oslog")
      for name in names { phones.ingest("apart\(number)", [name], format: "oslog") }
      for log in ["together\(number)", "apart\(number)"] {
        #expect(try phones.told(["@\(log)"]) == expected, "\(log) \(names)")
        let again = phones.ingest(log, names.reversed(), format: "oslog")
        #expect(says(again.err, "recorded 0 events"))
        #expect(phones.count(log) == count)
      }
    }
  }

  @Test("Overlapping pieces of the push log in six orders, its orders before, between or behind")
  func pieces() throws {
    let evening = try Incident.evening()
    let expected = try evening.whole(cards: 40, findings: 29)
    let count = evening.count("whole")
    let lines = try Checkout.lines("walkthroughs/push-log-and-orders/push.ndjson")
    #expect(lines.count > 160)
    for (name, range) in [("push1", 0..<90), ("push2", 59..<160), ("push3", 139..<lines.count)] {
      try evening.bench.write(name, lines[range].map { $0 + "\n" }.joined())
    }
    for (number, pieces) in ["push1", "push2", "push3"].orders.enumerated() {
      var names = pieces
      names.insert("orders.csv", at: number % 4)
      for name in names {
        evening.ingest("log\(number)", [name], format: Incident.format(name))
      }
      #expect(try evening.told(["@log\(number)"]) == expected, "\(names)")
      #expect(evening.count("log\(number)") == count)
      // The whole file on top of its pieces has nothing new to tell, nor has a piece.
      for name in ["push.ndjson", pieces[0]] {
        let again = evening.ingest("log\(number)", [name], format: "apns")
        #expect(says(again.err, "recorded 0 events"))
      }
    }
    evening.ingest("together", ["push3", "orders.csv", "push1", "push2"])
    #expect(try evening.told(["@together"]) == expected)
  }

  @Test("A packed copy beside the file it was made of", arguments: [false, true])
  func packed(isFirst: Bool) throws {
    for incident in [try Incident.evening(), try Incident.phones()] {
      let name = incident.names[0]
      incident.ingest("whole", incident.names)
      try incident.bench.write("\(name).1.gz", gzip(try incident.bench.read(name)))
      let names = isFirst ? ["\(name).1.gz"] + incident.names : incident.names + ["\(name).1.gz"]
      incident.ingest("log", names)
      #expect(try incident.told(["@log"]) == incident.told(["@whole"]))
      #expect(incident.count("log") == incident.count("whole"))
    }
  }

  @Test("Files read without a log: in any order, twice, in pieces, beside a log of some of them")
  func withoutLog() throws {
    for incident in [try Incident.evening(), try Incident.phones()] {
      incident.ingest("whole", incident.names)
      let expected = try incident.told(["@whole"])
      let paths = incident.names.map { "@\($0)" }
      incident.ingest("some", [incident.names[1]])
      for logs in [
        paths, paths.reversed(), paths + paths.reversed(), ["@some", paths[0]] + paths[2...],
        paths + ["@whole"],
      ] {
        #expect(try incident.told(logs + incident.words) == expected, "\(logs)")
      }
    }
  }
}

extension Array {
  /// Every order of its elements.
  fileprivate var orders: [[Element]] {
    guard count > 1 else { return [self] }
    return indices.flatMap { index in
      var rest = self
      let first = rest.remove(at: index)
      return rest.orders.map { [first] + $0 }
    }
  }
}
