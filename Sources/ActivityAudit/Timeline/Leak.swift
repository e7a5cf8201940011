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

  package private(set) var standing = Standing.none
  /// Ends that were asked for and did not take effect while it lived.
  package private(set) var lostEnds: [Entry] = []
  /// The end that took effect, when somebody sent it.
  package private(set) var appliedEnd: Entry?
  /// A device that showed the system's end within minutes of X.
  package private(set) var systemEnd: Entry?
  /// Whether the order was still going on at X.
  package private(set) var isOpenAtLimit = false

  /// How long after its work a card counts as left behind, and an end as late.
  package static let grace = Timestamp.Span.minutes(5)

  /// Of a life nothing is known of yet.
  init() {}

  init(_ life: Timeline) {
    lostEnds = life.entries.filter {
      $0.kind == .end && $0.isLostAct && $0.before.isLive && $0.after.isLive
    }
    if life.endedAt != nil {
      appliedEnd = life.entries.last {
        $0.kind == .end && $0.outcome.isApplied && $0.before.isLive
      }
      return
    }
    guard !life.isExempt else { return }
    systemEnd = life.entries.first { Leak.isSystemEnd($0, of: life) }
    let known = [life.finishedAt, lostEnds.first?.at].compactMap(\.self).min()
    let isOver = known.map { life.seenUntil - $0 >= Leak.grace } ?? false
    if isOver || systemEnd != nil || life.log.options.complete {
      standing = .leaked(.confirmed)
    } else {
      standing = life.seenUntil > life.limit ? .leaked(.inferred) : .live
    }
    isOpenAtLimit =
      standing != .live && life.finishedAt == nil
      && (systemEnd != nil || life.seenUntil > life.limit)
      && life.log.relations.isOpenAtLimit(life)
  }

  /// Whether a device showed the end within minutes of X, or somebody wrote the system's down.
  private static func isSystemEnd(_ entry: Entry, of life: Timeline) -> Bool {
    let isEnd =
      entry.kind == .dismiss || entry.shown.isOver || entry.kind == .end && entry.isAppliedAct
    let distance = entry.at.microseconds.subtractingClamped(life.limit.microseconds)
    return isEnd && abs(distance) <= life.log.limits.systemEnd.microseconds
  }

  /// How sure the leak is; nil when there is none.
  package var verdict: Verdict? {
    if case .leaked(let verdict) = standing { return verdict }
    return nil
  }
}
