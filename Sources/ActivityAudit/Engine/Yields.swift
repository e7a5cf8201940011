/// One finding where several rules speak of the same thing.
enum Yields {
  /// Drops findings that yield; of the same activity the one that stays names them in `also` and
  /// keeps them, since their minutes still count. Where one of the two is about no card, the one
  /// that yields is dropped when the other rule speaks of every row it rests on.
  static func settle(_ found: [Finding]) -> [Finding] {
    let rules = Dictionary(
      AuditRules.all.map { ($0.info.id, $0.info) }, uniquingKeysWith: { first, _ in first })
    var byCard: [String: [Int]] = [:]
    for (number, finding) in found.enumerated() where !finding.card.isEmpty {
      byCard[finding.card, default: []].append(number)
    }
    var winners: [Int: Int] = [:]
    var dropped: Set<Int> = []
    var spoken = Spoken(found)
    for (number, finding) in found.enumerated() {
      guard let rule = rules[finding.rule], !rule.yieldsTo.isEmpty else { continue }
      if rule.yielding == .sameRow, spoken.coversAll(finding, of: rule) { dropped.insert(number) }
      if finding.card.isEmpty { continue }
      let rivals = (byCard[finding.card] ?? []).filter { rule.yieldsTo.contains(found[$0].rule) }
      switch rule.yielding {
      case .sameActivity:
        // The first in the rule's own list is the one that nothing goes before.
        let first = rule.yieldsTo.lazy.compactMap { id in
          rivals.first { found[$0].rule == id }
        }.first
        if let first { winners[number] = first }
      case .sameRow:
        if rivals.contains(where: { !found[$0].rows.isDisjoint(with: finding.rows) }) {
          dropped.insert(number)
        }
      }
    }
    var settled = found
    for (loser, winner) in winners.sorted(by: { $0.key < $1.key }) {
      settled[winner].also.append(found[loser].rule)
      settled[winner].yielded.append(found[loser])
    }
    return settled.indices.compactMap { number in
      winners[number] == nil && !dropped.contains(number) ? settled[number] : nil
    }
  }

  /// The rows that rules speak of, gathered for each rule that one yields to when it is asked for.
  private struct Spoken {
    private let found: [Finding]
    private var ofAll: [String: Set<Int64>] = [:]
    private var ofCardless: [String: Set<Int64>] = [:]
    private var isGathered = false

    init(_ found: [Finding]) { self.found = found }

    /// Whether the rules it yields to speak of every row of a finding, not counting findings about
    /// other cards when it is about a card itself.
    mutating func coversAll(_ finding: Finding, of rule: RuleInfo) -> Bool {
      guard !finding.rows.isEmpty else { return false }
      if !isGathered { gather() }
      let sets = rule.yieldsTo.compactMap { (finding.card.isEmpty ? ofAll : ofCardless)[$0] }
      return !sets.isEmpty && finding.rows.allSatisfy { row in sets.contains { $0.contains(row) } }
    }

    private mutating func gather() {
      isGathered = true
      let asked = Set(
        AuditRules.all.filter { $0.info.yielding == .sameRow }.flatMap { $0.info.yieldsTo })
      for finding in found where asked.contains(finding.rule) {
        ofAll[finding.rule, default: []].formUnion(finding.rows)
        if finding.card.isEmpty { ofCardless[finding.rule, default: []].formUnion(finding.rows) }
      }
    }
  }
}
