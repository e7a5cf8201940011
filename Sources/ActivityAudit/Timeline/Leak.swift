package import ActivityCore

/// Whether a card outlived its work, and how sure that is (EVENTS 6).
package struct Leak: Sendable {
  /// How a card stands that nobody ended.
  package enum Standing: Sendable, Equatable {
    /// Ended in time, or no card that can leak.
    case none
    /// Nobody ended it and nothing can be said yet.
    case live
    case leaked(Verdict)
  }

  package let standing: Standing
  /// Ends that were asked for and did not take effect while it lived.
  package let lostEnds: [Entry]
  /// The end that took effect, when somebody sent it.
  package let appliedEnd: Entry?
  /// A device that showed the system's end within minutes of X.
  package let systemEnd: Entry?
  /// Whether the order was still going on at X.
  package let isOpenAtLimit: Bool

  /// How long after its work a card counts as left behind, and an end as late.
  package static let grace = Timestamp.Span.minutes(5)

  package init(_ life: Timeline) {
    let log = life.log
    lostEnds = life.entries.filter {
      $0.kind == .end && $0.isLostAct && $0.before.isLive && $0.after.isLive
    }
    appliedEnd =
      life.endedAt == nil
      ? nil
      : life.entries.last { $0.kind == .end && $0.outcome.isApplied && $0.before.isLive }
    systemEnd =
      life.endedAt != nil
      ? nil
      : life.entries.first { entry in
        let isEnd = entry.kind == .dismiss || entry.kind == .end || entry.shown.isOver
        let distance = (entry.at - life.limit).microseconds
        return isEnd && !entry.isLostAct && entry.kind != nil && entry.outcome != .afterEnd
          && abs(distance) <= log.limits.systemEnd.microseconds
      }
    isOpenAtLimit = life.isOpen && life.finishedAt == nil && log.relations.isOpenAtLimit(life)
    if life.isExempt || life.endedAt != nil || life.isReachedByOthers {
      standing = .none
      return
    }
    let known = [life.finishedAt, lostEnds.first?.at].compactMap(\.self).min()
    let isOver = known.map { life.seenUntil - $0 >= Leak.grace } ?? false
    if isOver || systemEnd != nil || log.options.complete {
      standing = .leaked(.confirmed)
    } else {
      standing = life.seenUntil > life.limit ? .leaked(.inferred) : .live
    }
  }

  /// How sure the leak is; nil when there is none.
  package var verdict: Verdict? {
    if case .leaked(let verdict) = standing { return verdict }
    return nil
  }
}
