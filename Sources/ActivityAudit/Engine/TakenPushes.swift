internal import ActivityCore

extension AuditLog {
  /// Of refused pushes of a recorder, given in order: how many of its pushes APNs had taken before
  /// each, or a number that is the same for two of them when none was taken between.
  func taken(by recorder: Entry.Word, before pushes: [(at: Timestamp, seq: Int64)]) -> [Int] {
    if survey.isInOrder {
      let known = Dictionary(
        survey.sent(by: recorder.code).refused.map { ($0.seq, $0.taken) },
        uniquingKeysWith: { first, _ in first })
      return pushes.map { known[$0.seq] ?? 0 }
    }
    // Rows lie nearly in order: the next one taken mostly falls between the same two.
    var between = [Int](repeating: 0, count: pushes.count + 1)
    var place = 0
    let rows = resolution.set.rows
    for (index, row) in rows.packed.enumerated() {
      guard row.recorder == recorder.code, row.answer == .accepted, row.isByPush, row.kind.isAct,
        rows.isNamed(row), !ground.hidden.contains(row: index)
      else { continue }
      let moment = (Timestamp(microseconds: row.at), row.seq)
      while place < pushes.count, pushes[place] < moment { place += 1 }
      while place > 0, moment < pushes[place - 1] { place -= 1 }
      between[place] += 1
    }
    var sum = 0
    return between.dropLast().map { count in
      sum += count
      return sum
    }
  }
}
