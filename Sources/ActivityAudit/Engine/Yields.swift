/// One finding where several rules speak of the same thing.
enum Yields {
  /// Drops findings that yield; of the same activity the one that stays names them in `also` and
  /// keeps them, since their minutes still count.
  static func settle(_ found: [Finding]) -> [Finding] {
    let rules = Dictionary(
      AuditRules.all.map { ($0.info.id, $0.info) }, uniquingKeysWith: { first, _ in first })
    var byCard: [String: [Int]] = [:]
    for (number, finding) in found.enumerated() where !finding.card.isEmpty {
      byCard[finding.card, default: []].append(number)
    }
    var winners: [Int: Int] = [:]
    var dropped: Set<Int> = []
    for (number, finding) in found.enumerated() {
      guard let rule = rules[finding.rule], !rule.yieldsTo.isEmpty else { continue }
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
}
