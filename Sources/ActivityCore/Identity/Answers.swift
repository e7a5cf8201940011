/// A1–A3: answers that came on rows of their own find their acts.
extension Resolution {
  /// What an answer without `apns-id` is known by.
  private struct HandleKey: Hashable {
    var kind: HandleKind
    var code: Int32
    var recorder: Int32
  }

  private static func isAnswer(_ row: Row) -> Bool {
    row.kind == .response || row.kind == .failure && row.marks.contains(.sending)
  }

  private static func firstHandle(_ row: Row) -> (HandleKind, Int32)? {
    if row.activity >= 0 { return (.activity, row.activity) }
    if row.token >= 0 { return (.token, row.token) }
    if row.channel >= 0 { return (.channel, row.channel) }
    if row.key >= 0 { return (.key, row.key) }
    return nil
  }

  private static func handles(_ row: Row) -> [(HandleKind, Int32)] {
    [
      (.activity, row.activity), (.token, row.token), (.channel, row.channel), (.key, row.key),
    ].filter { $0.1 >= 0 }
  }

  /// Gives every act the answer that names it, and marks acts a decode failure names by `apns-id`.
  mutating func answer(_ order: [Int32]) {
    let answers = order.filter { index in
      let row = set.rows[Int(index)]
      return Resolution.isAnswer(row) || row.marks.contains(.decoding) && row.push != .none
    }
    guard !answers.isEmpty else { return }
    let wanted = wantedHandles(answers)
    var byPush: [PushID: [Int32]] = [:]
    var byHandle: [HandleKey: Int32] = [:]
    var next = 0
    for index in order {
      let row = set.rows[Int(index)]
      if row.kind.isAct {
        if wanted.pushes.contains(row.push) { byPush[row.push, default: []].append(index) }
        if row.isByPush { remember(index, row, wanted.handles, &byHandle) }
      }
      guard next < answers.count, answers[next] == index else { continue }
      next += 1
      if row.push != .none {
        let act = byPush[row.push]?.last { candidate in
          let attempt = set.rows[Int(candidate)].attempt
          return attempt < 0 || row.attempt < 0 || attempt == row.attempt
        }
        give(row, index, to: act)
      } else if let (kind, code) = Resolution.firstHandle(row) {
        give(row, index, to: byHandle[HandleKey(kind: kind, code: code, recorder: row.recorder)])
      }
    }
  }

  private func wantedHandles(
    _ answers: [Int32]
  ) -> (pushes: Set<PushID>, handles: Set<HandleKey>) {
    var pushes: Set<PushID> = []
    var handles: Set<HandleKey> = []
    for index in answers {
      let row = set.rows[Int(index)]
      if row.push != .none {
        pushes.insert(row.push)
      } else if let (kind, code) = Resolution.firstHandle(row) {
        handles.insert(HandleKey(kind: kind, code: code, recorder: row.recorder))
      }
    }
    return (pushes, handles)
  }

  private func remember(
    _ index: Int32, _ row: Row, _ wanted: Set<HandleKey>, _ byHandle: inout [HandleKey: Int32]
  ) {
    guard !wanted.isEmpty else { return }
    for (kind, code) in Resolution.handles(row) {
      let key = HandleKey(kind: kind, code: code, recorder: row.recorder)
      if wanted.contains(key) { byHandle[key] = index }
    }
  }

  /// Ties an answer to its act; its own status, or a later answer, goes before an earlier one.
  private mutating func give(_ answer: Row, _ index: Int32, to act: Int32?) {
    guard let act else {
      unattached.append(index)
      return
    }
    if answer.marks.contains(.decoding) {
      set.rows[Int(act)].marks.insert(.undecodable)
      return
    }
    let row = set.rows[Int(act)]
    guard row.isByPush, answer.answer != .none, !row.marks.contains(.ownAnswer) else { return }
    set.rows[Int(act)].answer = answer.answer
    set.rows[Int(act)].status = answer.status
    set.rows[Int(act)].reason = answer.reason
    set.rows[Int(act)].marks.insert(.lateAnswer)
    if answer.marks.contains(.unreached) { set.rows[Int(act)].marks.insert(.unreached) }
  }
}
