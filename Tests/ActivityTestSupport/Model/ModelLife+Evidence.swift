extension ModelLife {
  /// A row of evidence in the device view (F9 to F11); the life has been advanced to its `at`.
  mutating func observe(_ row: ModelRow) {
    switch row.event {
    case "state": observeState(row)
    case "stale": observeStale(row)
    case "dismiss":
      observeDismiss(at: row.at, reason: row.by == "person" ? "person" : nil)
    default:
      if !isOpen { openBefore(row.at, .active) }  // F11: a token row
    }
  }

  /// I10: a row of evidence that a key or channel led here opens nothing and revives nothing.
  mutating func observeFanned(_ row: ModelRow) {
    if !isOpen {
      notApplied.append(ModelNotApplied(seq: row.seq, name: "no-life"))
    } else if !(isOver && row.showsLife) {
      observe(row)
    }
  }

  /// F9.
  private mutating func observeState(_ row: ModelRow) {
    switch row.state?.lowercased() {
    case "active": showLife(row, .active)
    case "stale": showLife(row, .stale)
    case "pending": showLife(row, .pending)
    case "ended":
      if isOver {
        beforeLimit = nil  // no longer ended by the clock alone
      } else {
        if !isOpen { startedBefore = row.at }
        end(at: row.at, reason: observedReason(at: row.at), inferred: false)
      }
      showContent(of: row)
    case "dismissed":
      guard !dismissObserved else { return }
      observeDismiss(at: row.at, reason: nil)
      showContent(of: row)
    default: break  // any other word opens nothing and moves nothing
    }
  }

  /// F9, F10: life shown by a `state` or an inventory.
  private mutating func showLife(_ row: ModelRow, _ shown: Phase) {
    if dismissObserved { return }
    if isOver {
      if let before = beforeLimit {
        // Ended by X alone: that end never was, and X moves.
        clearEnd()
        phase = before.phase
        since = before.since
        movedLimit = row.at + 8 * ModelTime.hour
        advance(to: row.at)
      } else if let endedAt, row.at - endedAt <= 120 * ModelTime.second {
        return
      } else {
        clearEnd()
      }
    }
    if let limit, row.at >= limit { movedLimit = row.at + 8 * ModelTime.hour }
    if isOpen { enter(shown, at: row.at) } else { openBefore(row.at, shown) }
    openedUnanswered = false  // C5
    showContent(of: row)
    if shown == .active {
      // F9: what had passed before `active` was shown no longer counts.
      if let staleDate, staleDate <= row.at { staleCounts = false }
      if let cleared = clearedDate, cleared <= row.at { clearedDate = nil }
    }
    if shown == .pending { activeFrom = startedAt.flatMap { $0 > row.at ? $0 : nil } }
  }

  private mutating func clearEnd() {
    endedAt = nil
    dismissedAt = nil
    endReason = nil
    endInferred = false
    beforeLimit = nil
  }

  /// F9: content of a `state` becomes the content, without moving the mark.
  private mutating func showContent(of row: ModelRow) {
    if row.hasContent {
      contentSeq = row.seq
      contentUnanswered = false
    }
    if row.hasContent || row.staleDate != nil {
      staleDate = row.staleDate
      staleSetAt = row.at
      staleCounts = true
      clearedDate = nil
    }
  }

  /// F11; on a life that is over it moves nothing.
  private mutating func observeStale(_ row: ModelRow) {
    if isOver { return }
    if let limit, row.at >= limit { movedLimit = row.at + 8 * ModelTime.hour }
    if isOpen { enter(.stale, at: row.at) } else { openBefore(row.at, .stale) }
    openedUnanswered = false  // C5
  }

  /// F11, and F9 for `dismissed`. The first observed dismissal is final.
  private mutating func observeDismiss(at time: Int64, reason: String?) {
    if dismissObserved { return }
    if !isOpen { startedBefore = time }
    if !isOver {
      end(at: time, dismissal: time, reason: reason ?? observedReason(at: time), inferred: false)
    }
    beforeLimit = nil
    // Also when the clock had dismissed it earlier: the observed one replaces the derived one.
    dismissedAt = time
    dismissObserved = true
    phase = .dismissed
    since = time
  }
}
