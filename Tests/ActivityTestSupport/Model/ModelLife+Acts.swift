extension ModelLife {
  /// An applied act (F2 to F6), in either view; the life has been advanced to its `at`.
  ///
  /// - Parameters:
  ///   - unanswered: a push without an answer, on which all it brings is inferred (C5).
  ///   - accepted: a push answered 200, which a later one does not attempt again (I11).
  mutating func apply(_ row: ModelRow, unanswered: Bool, accepted: Bool) {
    let isSameAct = applied.contains { earlier in
      isAttempt(row, of: earlier.row, accepted: earlier.accepted)
        || isWitness(row, of: earlier.row)
    }
    applied.append((row, accepted))
    if row.hasAlert || row.event == "alert", !isSameAct { alerts += 1 }  // I11
    guard row.isContentAct else { return }  // F6
    mark = max(mark ?? row.ts, row.ts)  // F2
    if !isOpen { openedUnanswered = unanswered }
    switch row.event {
    case "start" where !isOpen: open(by: row)
    case "end":
      end(by: row, unanswered: unanswered)
      takeContent(of: row, unanswered: unanswered)
      return
    default:
      if !isSameAct { updates += 1 }  // F3: a start on a live life folds as an update; I11
      if !isOpen { openBefore(row.at, .active) }  // F4
      if phase == .stale { enter(.active, at: row.at) }
    }
    takeContent(of: row, unanswered: unanswered)
    replaceStaleDate(by: row)
  }

  /// I11: the same request made again.
  private func isAttempt(_ row: ModelRow, of earlier: ModelRow, accepted: Bool) -> Bool {
    guard row.event == earlier.event else { return false }
    if let id = row.apnsID, id == earlier.apnsID { return true }
    guard let token = row.token, token == earlier.token,
      let timestamp = row.explicitTimestamp, timestamp == earlier.explicitTimestamp
    else { return false }
    return !accepted
  }

  /// I11: the same act as another recorder saw it.
  private func isWitness(_ row: ModelRow, of earlier: ModelRow) -> Bool {
    guard row.event == earlier.event, row.recorder != earlier.recorder,
      let timestamp = row.explicitTimestamp, timestamp == earlier.explicitTimestamp
    else { return false }
    return row.staleDate == earlier.staleDate && row.hasAlert == earlier.hasAlert
      && row.source == earlier.source
  }

  /// F3.
  private mutating func open(by row: ModelRow) {
    ownStart = row
    if let date = row.startDate, date > row.at {
      startedAt = date
      activeFrom = date
      enter(.pending, at: row.at)
    } else {
      startedAt = row.at
      enter(.active, at: row.at)
    }
  }

  /// F4, F5: `content-state`, if there, becomes the content.
  private mutating func takeContent(of row: ModelRow, unanswered: Bool) {
    guard row.hasContent else { return }
    contentSeq = row.seq
    contentUnanswered = unanswered
  }

  /// F4: always replaced; absent clears it. C5 remembers a date that only a push cleared.
  private mutating func replaceStaleDate(by row: ModelRow) {
    let standing = staleCounts ? staleDate : nil
    clearedDate = row.staleDate == nil && row.isByPush ? standing ?? clearedDate : nil
    staleDate = row.staleDate
    staleSetAt = row.at
    staleCounts = true
  }

  /// F5.
  private mutating func end(by row: ModelRow, unanswered: Bool) {
    if !isOpen { startedBefore = row.at }
    let latest = row.at + 4 * ModelTime.hour
    let dismissal: Int64
    if let date = row.dismissalDate {
      dismissal = date <= row.at ? row.at : min(date, latest)
    } else {
      dismissal = row.dismissalPolicy == "immediate" ? row.at : latest
    }
    end(at: row.at, dismissal: dismissal, reason: reason(ofEnd: row), inferred: unanswered)
  }

  /// F5: `end-reason` is its own if given, else by source.
  private func reason(ofEnd row: ModelRow) -> String {
    if let own = row.endReason { return own }
    switch row.source {
    case "app", "intent": return "app"
    case "push", "broadcast", "person": return row.source ?? "unknown"
    case nil: return row.isByPush ? "push" : "unknown"
    default: return "unknown"
    }
  }
}
