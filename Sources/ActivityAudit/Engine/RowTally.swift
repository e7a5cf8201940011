package import ActivityCore

/// Occurrences that other rules must be able to tell by their rows: what causes count, and rules
/// that yield row by row. A row that reaches many cards is one occurrence.
package struct RowTally: Sendable {
  /// `seq` of every row.
  package private(set) var rows: Set<Int64> = []
  private var tally = Tally()

  package init() {}

  package var count: Int { rows.count }
  package var cards: Int { tally.cards.count }
  package var first: Timestamp { tally.first }

  /// Notes a row of a life, once.
  package mutating func add(_ entry: Entry, of life: Timeline) {
    add(entry, device: life.deviceWord, card: life.number)
  }

  /// Notes a row, once.
  package mutating func add(_ entry: Entry, device: Entry.Word, card: Int = -1) {
    add(at: entry.at, seq: entry.seq, device: device, card: card)
  }

  /// Notes a row, once.
  package mutating func add(
    at: Timestamp, seq: Int64, device: Entry.Word = Entry.Word(-1), card: Int = -1
  ) {
    guard rows.insert(seq).inserted else { return tally.reach(device: device, card: card) }
    tally.add(at: at, seq: seq, device: device, card: card)
  }

  /// Takes in what another counted.
  package mutating func add(_ other: RowTally) {
    rows.formUnion(other.rows)
    tally.merge(other.tally)
    // A row in both is one occurrence.
    tally.count = rows.count
  }

  fileprivate var counted: Tally { tally }
}

extension Finding {
  /// A finding about many rows; `identity` says in what scope, without any `seq`.
  package init(
    _ rule: RuleInfo, _ verdict: Verdict, tally: RowTally, identity: [String], message: String,
    severity: Severity? = nil
  ) {
    self.init(
      rule, verdict, tally: tally.counted, identity: identity, message: message,
      severity: severity)
    rows = tally.rows
  }

  /// A finding about a type and a build.
  package init(
    _ rule: RuleInfo, _ verdict: Verdict, tally: RowTally, _ scope: TypeAndBuild, _ log: AuditLog,
    message: String, severity: Severity? = nil
  ) {
    self.init(
      rule, verdict, tally: tally.counted, scope, log, message: message, severity: severity)
    rows = tally.rows
  }
}

extension [Finding] {
  /// Every row that findings of some rules rest on.
  package func rows(of rules: [String]) -> Set<Int64> {
    var rows: Set<Int64> = []
    for finding in self where rules.contains(finding.rule) { rows.formUnion(finding.rows) }
    return rows
  }
}

extension TypeAndBuild {
  package init(type: Entry.Word, build: Entry.Word) {
    self.type = type
    self.build = build
  }

  /// An order that is the same whatever order the rows came in.
  package func precedes(_ other: TypeAndBuild, _ log: AuditLog) -> Bool {
    (log.text(type) ?? "", log.text(build) ?? "") < (
      log.text(other.type) ?? "", log.text(other.build) ?? ""
    )
  }
}
