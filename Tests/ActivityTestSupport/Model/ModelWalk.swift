/// Walks the rows of one activity in order and lets them and the clock move its lives.
struct ModelWalk {
  let group: ModelGroup
  let answers: ModelAnswers
  let view: ModelView

  /// The last one is the life that rows fold into.
  private var lives: [ModelLife] = []

  init(group: ModelGroup, answers: ModelAnswers, view: ModelView) {
    self.group = group
    self.answers = answers
    self.view = view
  }

  /// Something to do, in order: fold a row, or let an inventory or authorization speak (F8).
  private enum Step {
    case fold(ModelRow)
    case speak(ModelRow)
  }

  /// Every life that anything opened, as it is at `instant`.
  ///
  /// - Parameter speakers: the selected rows that speak of whole devices (F8), in order.
  mutating func lives(hearing speakers: [ModelRow], at instant: Int64) -> [ModelActivity] {
    // V1: in the sent view nothing but acts speaks.
    for step in steps(hearing: view == .device ? speakers.filter(concerns) : []) {
      switch step {
      case .fold(let row): fold(row)
      case .speak(let row): speak(row)
      }
    }
    return lives.compactMap { life in
      var life = life
      life.advance(to: instant)
      return life.result(at: instant, group: group, view: view)
    }
  }

  /// Rows and speakers in one order; where they are equal it is one inventory, its entries first.
  private func steps(hearing speakers: [ModelRow]) -> [Step] {
    var steps: [Step] = []
    var waiting = speakers[...]
    for row in group.rows {
      while let speaker = waiting.first, speaker.precedes(row) {
        steps.append(.speak(waiting.removeFirst()))
      }
      steps.append(.fold(row))
    }
    return steps + waiting.map { Step.speak($0) }
  }

  private var isByID: Bool { group.name.kind == .id }

  /// I8.
  private var ownRows: [ModelRow] { group.rows.filter { !$0.isFanned } }

  // MARK: - Rows

  private mutating func fold(_ row: ModelRow) {
    let counts = view == .device || row.isAct  // V2
    if lives.isEmpty { lives.append(ModelLife()) }
    // I5: more than 24 h of silence. I10: what fans out begins no life.
    if counts, !row.isFanned, let last = lives[lives.count - 1].lastPosition,
      row.at - last > 24 * ModelTime.hour
    {
      lives.append(ModelLife())
    }
    if row.isAct {
      foldAct(row)
    } else if view == .device {
      // V1: in the sent view evidence says who it is and moves nothing.
      lives[lives.count - 1].advance(to: row.at)
      if row.isFanned {
        lives[lives.count - 1].observeFanned(row)
      } else {
        lives[lives.count - 1].observe(row)
      }
    }
    // I6 in the sent view as well: evidence gives identity, and its seq counts as the last one.
    lives[lives.count - 1].note(row)
    if counts, !row.isFanned { lives[lives.count - 1].count(row) }
  }

  private mutating func foldAct(_ row: ModelRow) {
    var life = lives[lives.count - 1]
    life.advance(to: row.at)
    let answer = answers.answer(to: row.seq)
    if let name = reasonNotApplied(row, life) {
      life.notApplied.append(ModelNotApplied(seq: row.seq, name: name))
      if name == "refused", answer?.status == 410, let token = row.token, token == newestToken,
        life.isLive
      {
        life.end(at: row.at, reason: "unknown", inferred: true)  // F7, F12
      }
      lives[lives.count - 1] = life
      return
    }
    if row.event == "start", life.isOver {
      // I5, F3: an applied start on a life that is over begins a new one.
      lives[lives.count - 1] = life
      lives.append(ModelLife())
      life = ModelLife()
    }
    if view == .device, row.event == "end", let mark = life.mark, row.ts < mark {
      life.notApplied.append(ModelNotApplied(seq: row.seq, name: "older-end"))  // F1
    }
    life.apply(
      row, unanswered: row.isByPush && answer == nil, accepted: answers.isAccepted(row))
    lives[lives.count - 1] = life
  }

  /// F7: the newest token of the activity among the selected rows; of all its lives, for which of
  /// them is over depends on the answer.
  private var newestToken: String? {
    if let row = group.rows.last(where: { $0.event == "token" && $0.token != nil }) {
      return row.token
    }
    var seen: [String] = []
    for row in group.rows where row.hasActivityToken {
      if let token = row.token, !seen.contains(token) { seen.append(token) }
    }
    return seen.last
  }

  // MARK: - F1

  /// Why an act is not applied, by the first reason that holds; nil if it is.
  private func reasonNotApplied(_ row: ModelRow, _ life: ModelLife) -> String? {
    if view == .sent { return reasonOfOrder(row, life) }
    if answers.answer(to: row.seq)?.refuses == true { return "refused" }
    let isOrdered = row.event == "update" || (row.event == "start" && life.isLive)
    if isOrdered, let mark = life.mark, row.ts < mark { return "older" }
    if let name = reasonOfOrder(row, life) { return name }
    guard row.isContentAct else { return nil }
    let future = ModelTime.wholeSeconds(row.at) + 8 * 3600
    if row.ts > future { return "future" }
    let bytesMax: Int64 = row.source == "broadcast" ? 5120 : 4096
    if (row.bytes ?? 0) > bytesMax || row.contentBytes > 4096 { return "too-big" }
    if row.event == "start", row.isByPush, !row.hasAlert { return "no-alert" }
    if answers.isUndecodable(row.seq, in: group) { return "undecodable" }
    return nil
  }

  /// `after-end` (F1, V1), an alert with nothing to alert (F6), and what fans out to none (I10).
  private func reasonOfOrder(_ row: ModelRow, _ life: ModelLife) -> String? {
    if !life.isOpen { return row.event == "alert" || row.isFanned ? "no-life" : nil }
    if row.event == "start", life.isOver, !row.isFanned {
      // I5: the same start as another recorder saw it, else the start of a new life.
      guard let own = life.ownStart, own.recorder != row.recorder,
        row.at - own.at <= 120 * ModelTime.second
      else { return nil }
      return "after-end"
    }
    if life.isOver { return "after-end" }
    if let limit = life.limit, row.at >= limit { return "after-end" }
    return nil
  }

  // MARK: - F8

  private mutating func speak(_ row: ModelRow) {
    for index in lives.indices {
      lives[index].advance(to: row.at)
      guard lives[index].isLive else { continue }  // F12
      if row.event == "authorization" {
        lives[index].end(at: row.at, reason: "disabled", inferred: false)
      } else if lives[index].phase != .pending {
        lives[index].end(at: row.at, reason: "unknown", inferred: true)
      }
    }
  }

  /// Whether a complete inventory shows this activity absent, or an authorization covers it.
  private func concerns(_ row: ModelRow) -> Bool {
    if let device = row.device {
      guard group.scope.device == device else { return false }
    } else {
      guard ownRows.contains(where: { $0.recorder == row.recorder }) else { return false }
    }
    func compatible(_ one: String?, _ two: String?) -> Bool {
      if let one, let two { one == two } else { true }
    }
    guard compatible(row.bundleID, group.scope.bundleID) else { return false }
    if row.event == "authorization" { return true }
    guard isByID, compatible(row.environment, group.scope.environment) else { return false }
    if row.entries.contains(where: { $0.activityID == group.name.text }) { return false }
    // I6: the type that the activity's rows say, whenever they say it.
    let type = ownRows.last { $0.attributesType != nil }?.attributesType
    return row.attributesType == nil || row.attributesType == type
  }
}
