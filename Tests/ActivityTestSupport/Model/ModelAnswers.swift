/// What was answered to each act among the selected rows (A1 to A3), and what did not decode.
struct ModelAnswers {
  /// An answer to one act.
  struct Answer {
    var refuses: Bool
    var status: Int64?
  }

  private var bySeq: [Int64: Answer] = [:]
  /// Acts by activity and seq: a failure in one scope says nothing of another device.
  private var undecodable: Set<String> = []

  /// Acts that carry one value of a member, in order, so that an answer looks only among them.
  private struct Acts {
    var byAPNSID: [String: [ModelRow]] = [:]
    var byHandle: [String: [ModelRow]] = [:]
  }

  private var acts = Acts()

  /// All answers; what did not decode waits for the activities, which depend on answers (I7, I8).
  init(_ selected: [ModelRow]) {
    for row in selected where row.isAct {
      if let id = row.apnsID { acts.byAPNSID[id, default: []].append(row) }
      for handle in Self.handles(row) { acts.byHandle[handle, default: []].append(row) }
    }
    // A2: in order, so that the latest answer to an act stands.
    for row in selected {
      guard let answer = Self.answer(row), let act = Self.named(by: row, among: acts) else {
        continue
      }
      bySeq[act.seq] = answer
    }
    // A2: its own status comes first. A3: only a push has an answer.
    for row in selected where row.isAct {
      if !row.isByPush {
        bySeq[row.seq] = nil
      } else if let status = row.status {
        bySeq[row.seq] = Answer(refuses: status != 200, status: status)
      }
    }
  }

  /// The answer to the act with this seq, nil if there is none.
  func answer(to seq: Int64) -> Answer? { bySeq[seq] }

  /// A2: whether the row is an act whose answer refuses it.
  func isRefused(_ row: ModelRow) -> Bool {
    row.isAct && bySeq[row.seq]?.refuses == true
  }

  /// A2: whether the row is an act that was answered 200.
  func isAccepted(_ row: ModelRow) -> Bool {
    row.isAct && bySeq[row.seq]?.refuses == false
  }

  /// F1: whether a decode failure names the content act with this seq.
  func isUndecodable(_ seq: Int64, in group: ModelGroup) -> Bool {
    undecodable.contains("\(seq)") || undecodable.contains(Self.place(seq, in: group))
  }

  private static func place(_ seq: Int64, in group: ModelGroup) -> String {
    "\(seq) \(group.name) \(group.scope)"
  }

  /// A1, A2: what a row says as an answer; nil if it is none.
  private static func answer(_ row: ModelRow) -> Answer? {
    if row.event == "failure", let operation = row.operation,
      ["sign", "connect", "send"].contains(operation)
    {
      return Answer(refuses: true, status: row.status)
    }
    guard row.event == "response" else { return nil }
    if let status = row.status { return Answer(refuses: status != 200, status: status) }
    return row.reason == nil ? nil : Answer(refuses: true, status: nil)
  }

  /// The four handles in the order of A1, each marked with its member.
  private static func handles(_ row: ModelRow) -> [String] {
    let members = [("i", row.activityID), ("t", row.token), ("c", row.channel), ("k", row.key)]
    return members.compactMap { mark, value in value.map { "\(mark) \($0)" } }
  }

  /// A1: the act that an answer names.
  private static func named(by row: ModelRow, among acts: Acts) -> ModelRow? {
    if row.apnsID != nil { return namedByAPNSID(row, among: acts) }
    guard let handle = handles(row).first else { return nil }
    return acts.byHandle[handle]?.last {
      $0.precedes(row) && $0.isByPush && $0.recorder == row.recorder
    }
  }

  private static func namedByAPNSID(_ row: ModelRow, among acts: Acts) -> ModelRow? {
    guard let id = row.apnsID else { return nil }
    return acts.byAPNSID[id]?.last { act in
      guard act.precedes(row) else { return false }
      if let one = act.attempt, let two = row.attempt { return one == two }
      return true
    }
  }

  /// F1 `undecodable`: by `apns-id` as A1, else the latest content act of the same activity.
  mutating func findUndecodable(_ selected: [ModelRow], groups: [ModelGroup]) {
    for row in selected where row.event == "failure" && row.operation == "decode" {
      if row.apnsID != nil {
        if let act = Self.namedByAPNSID(row, among: acts) { undecodable.insert("\(act.seq)") }
        continue
      }
      for group in groups where group.failures.contains(row.seq) {
        let act = group.rows.last { $0.isContentAct && $0.precedes(row) }
        if let act { undecodable.insert(Self.place(act.seq, in: group)) }
      }
    }
  }
}
