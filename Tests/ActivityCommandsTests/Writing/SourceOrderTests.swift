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

  /// Takes files into a log in one command, which finds out itself what they are.
  func ingest(_ log: String, together names: [String]) {
    let run = bench.run(["ingest", "@\(log)"] + names.map { "@\($0)" } + words, input: [])
    #expect(run.status == .fine, "\(run.err)")
  }

  /// Takes files into a log one by one, told what they are, which is quicker.
  /// - Returns: how many events were new.
  @discardableResult
  func ingest(_ log: String, apart names: [String]) throws -> Int {
    try names.reduce(0) { sum, name in
      let run = bench.run(
        ["ingest", "@\(log)", "@\(name)", "--format", Incident.format(name)] + words, input: [])
      #expect(run.status == .fine, "\(run.err)")
      let said = try #require(run.err.last?.firstMatch(of: /: recorded (\d+) event/)?.output.1)
      return sum + (Int(said) ?? 0)
    }
  }

  private static func format(_ name: String) -> String {
    name.hasPrefix("push") ? "apns" : name.hasPrefix("orders") ? "csv" : "oslog"
  }

  /// Writes lines of a file, counted from 1, as files of their own.
  func cut(_ name: String, into pieces: [(name: String, lines: any RangeExpression<Int>)]) throws {
    let lines = String(decoding: try bench.read(name), as: UTF8.self).split(separator: "\n")
    for piece in pieces {
      let own = lines.enumerated().filter { number, _ in piece.lines.contains(number + 1) }
      try bench.write(piece.name, own.map { "\($1)\n" }.joined())
    }
  }

  func told(_ words: [String]) throws -> Told {
    Told(states: bench.states(words), findings: try bench.findings(words))
  }

  /// What a log made of all files tells, and how many events it holds.
  func whole() throws -> (told: Told, count: Int) {
    let count = try ingest("whole", apart: names)
    return (try told(["@whole"]), count)
  }
}

@Suite("The order in which sources come")
struct SourceOrderTests {
  @Test("A push log and its orders: either first, together or one by one, and once more")
  func evening() throws {
    let evening = try Incident.evening()
    let (expected, count) = try evening.whole()
    #expect(expected.states.count == 32)
    #expect(expected.findings.count == 29)
    #expect(count == 214)
    for (number, names) in evening.names.orders.enumerated() {
      evening.ingest("together\(number)", together: names)
      #expect(try evening.told(["@together\(number)"]) == expected, "\(names)")
    }
    #expect(try evening.ingest("apart", apart: evening.names.reversed()) == count)
    #expect(try evening.told(["@apart"]) == expected)
    #expect(try evening.ingest("apart", apart: evening.names) == 0)
    #expect(try evening.told(["@apart"]) == expected)
  }

  @Test("Three phones: six orders, one by one and once more; together in one")
  func phones() throws {
    let phones = try Incident.phones()
    let (expected, count) = try phones.whole()
    #expect(expected.states.count == 30)
    #expect(expected.findings.isEmpty)
    #expect(count == 234)
    for (number, names) in phones.names.orders.enumerated() {
      #expect(try phones.ingest("log\(number)", apart: names) == count)
      #expect(try phones.ingest("log\(number)", apart: names.reversed()) == 0)
      #expect(try phones.told(["@log\(number)"]) == expected, "\(names)")
    }
    phones.ingest("together", together: ["carol.ndjson", "alice.ndjson", "bob.ndjson"])
    #expect(try phones.told(["@together"]) == expected)
  }

  @Test("Overlapping pieces of the push log in six orders, its orders before, between or behind")
  func pieces() throws {
    let evening = try Incident.evening()
    let (expected, count) = try evening.whole()
    try evening.cut(
      "push.ndjson", into: [("push1", 1...90), ("push2", 60...160), ("push3", 140...)])
    for (number, pieces) in ["push1", "push2", "push3"].orders.enumerated() {
      var names = pieces
      names.insert("orders.csv", at: number % 4)
      #expect(try evening.ingest("log\(number)", apart: names) == count)
      #expect(try evening.told(["@log\(number)"]) == expected, "\(names)")
    }
    // The whole file on top of its pieces has nothing new to tell, nor has a piece.
    #expect(try evening.ingest("log0", apart: ["push.ndjson", "push2"]) == 0)
    #expect(try evening.told(["@log0"]) == expected)
    evening.ingest("together", together: ["push3", "orders.csv", "push1", "push2"])
    #expect(try evening.told(["@together"]) == expected)
  }

  /// A piece that begins while a card is open has lines that only the pieces before can attribute.
  /// It says so in coverage of its own, which changes how many lines are said to be lost, and
  /// nothing that is told of any card.
  @Test("Overlapping pieces of a phone's log in any order, the whole behind them")
  func piecesOfPhone() throws {
    let phones = try Incident.phones()
    try phones.ingest("whole", apart: ["alice.ndjson"])
    let expected = try phones.told(["@whole"])
    #expect(expected.states.count == 11)
    try phones.cut("alice.ndjson", into: [("a", 1...60), ("b", 40...90), ("c", 70...)])
    // Each piece comes first, between and last once.
    for (number, names) in [["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]].enumerated() {
      try phones.ingest("log\(number)", apart: names)
      #expect(try phones.told(["@log\(number)"]) == expected, "\(names)")
      #expect(try phones.ingest("log\(number)", apart: ["alice.ndjson"]) == 0)
    }
  }

  @Test("A packed copy beside the file it was made of", arguments: [false, true])
  func packed(isFirst: Bool) throws {
    for incident in [try Incident.evening(), try Incident.phones()] {
      let (expected, count) = try incident.whole()
      let packed = incident.names[0] + ".1.gz"
      try incident.bench.write(packed, gzip(try incident.bench.read(incident.names[0])))
      let names = isFirst ? [packed] + incident.names : incident.names + [packed]
      #expect(try incident.ingest("log", apart: names) == count)
      #expect(try incident.told(["@log"]) == expected)
    }
  }

  @Test("A push log and its orders read without a log, twice, or beside a log of one of them")
  func eveningWithoutLog() throws {
    let evening = try Incident.evening()
    let expected = try evening.whole().told
    try evening.ingest("orders", apart: ["orders.csv"])
    for logs in [["@orders.csv", "@push.ndjson"], ["@orders", "@push.ndjson", "@whole"]] {
      #expect(try evening.told(logs + evening.words) == expected, "\(logs)")
    }
  }

  @Test("Phones read without a log: in any order, twice, beside a log of one of them")
  func phonesWithoutLog() throws {
    let phones = try Incident.phones()
    let expected = try phones.whole().told
    try phones.ingest("bob", apart: ["bob.ndjson"])
    let paths = phones.names.map { "@\($0)" }
    let logs =
      [
        paths.reversed(), paths + paths.reversed(), ["@bob", paths[2], paths[0]],
        ["@whole"] + paths,
      ]
    for logs in logs {
      #expect(try phones.told(logs + ["--format", "oslog"]) == expected, "\(logs)")
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
