package import ActivityCore

/// One thing that happened to an activity: a recorded row, or what the clock brought.
package struct Entry: Sendable {
  private let step: Step
  let row: Row?
  /// Whether it is a row that a key or a channel alone names, and that only reached this activity.
  package let fansOut: Bool

  init(_ step: Step, row: Row?, fansOut: Bool = false) {
    self.step = step
    self.row = row
    self.fansOut = fansOut
  }

  /// A word of the log behind a number; equal words have equal numbers. `AuditLog.text` spells it.
  package struct Word: Hashable, Sendable {
    let code: Int32

    init(_ code: Int32) { self.code = code }

    package var isAbsent: Bool { code < 0 }
  }

  /// What the row records; nil for what the clock brought.
  package var kind: EventKind? { row?.kind }

  /// What the clock brought; nil for a row.
  package var clockStep: ClockStep? {
    if case .clock(let step) = step.cause { return step }
    return nil
  }

  package var at: Timestamp { Timestamp(microseconds: step.at) }

  /// The row's `seq`, or that of the row the clock's step follows from.
  package var seq: Int64 { step.seq }

  /// What became of it in the device view.
  package var outcome: Outcome { step.outcome }
  package var before: Phase { step.before }
  package var after: Phase { step.after }

  /// Whether it is an act that took effect.
  package var isAppliedAct: Bool { (kind?.isAct ?? false) && outcome.isApplied }

  /// Whether an act was asked for and did not take effect, for another reason than that the card
  /// was over or already showed something newer.
  package var isLostAct: Bool {
    kind?.isAct ?? false && outcome.isLoss
  }

  package var source: Source { row?.source ?? .absent }
  package var isByPush: Bool { row?.isByPush ?? false }
  package var isAccepted: Bool { row?.answer == .accepted }
  package var isRefused: Bool { row?.answer.refuses ?? false }
  package var isAnswered: Bool { row.map { $0.answer != .none } ?? false }

  /// Whether it failed before APNs was reached: signing or connecting.
  package var isUnreached: Bool { row?.marks.contains(.unreached) ?? false }

  /// The HTTP status of its answer, if one is known.
  package var status: Int? { row.flatMap { $0.status < 0 ? nil : Int($0.status) } }

  package var reason: Word { Word(row?.reason ?? -1) }
  package var recorder: Word { Word(row?.recorder ?? -1) }
  package var token: Word { Word(row?.token ?? -1) }
  package var channel: Word { Word(row?.channel ?? -1) }
  package var key: Word { Word(row?.key ?? -1) }
  package var hasContent: Bool { row?.flags.contains(.content) ?? false }
  package var hasAlert: Bool { row?.kind == .alert || row?.flags.contains(.alert) ?? false }

  /// The phase a `state` row or an inventory's entry shows.
  package var shown: Phase { row?.shown ?? .none }

  /// Whether an inventory listed it, which proves less than a state of its own.
  package var isListed: Bool { row?.marks.contains(.listed) ?? false }

  /// The content's version in whole seconds: its `timestamp`, else its `at`.
  package var version: Int64 { row?.version ?? 0 }

  /// Whether it carries a `timestamp` of its own.
  package var statesVersion: Bool { row?.marks.contains(.versioned) ?? false }

  package var staleDate: Timestamp? { row?.staleDate.stamp }

  /// Of a start its `start-date`, of an end its `dismissal-date`.
  package var date: Timestamp? { row?.date.stamp }
  /// `push-type` of a start, `token-kind` of a token, `operation` of a failure or channel,
  /// `outcome` of work, `dismissal-policy` of an end.
  package var word: Word { Word(row?.word ?? -1) }
  /// `input-push-channel` of a start.
  package var inputPushChannel: Word { Word(row?.inputPushChannel ?? -1) }
  package var activityID: Word { Word(row?.activity ?? -1) }
  package var attempt: Int? { row.flatMap { $0.attempt < 0 ? nil : Int($0.attempt) } }
  /// Bytes of the push, when they are recorded.
  package var bytes: Int? { row.flatMap { $0.bytes < 0 ? nil : Int($0.bytes) } }
  /// Whether it is known to be larger than a device takes.
  package var isTooBig: Bool { row?.marks.contains(.tooBig) ?? false }
  package var hasAttributes: Bool { row?.flags.contains(.attributes) ?? false }
  /// Whether an end asks for the card to be gone at once.
  package var isImmediate: Bool { row?.marks.contains(.immediate) ?? false }
  /// `enabled: false` of an authorization, `complete: true` of an inventory.
  package var speaksForAll: Bool { row?.marks.contains(.speaksForAll) ?? false }
  /// Whether a token row is of another kind than update.
  package var isOtherToken: Bool { row?.marks.contains(.otherToken) ?? false }
  /// Whether the row's key alone, or its channel alone, names what it is about.
  package var isNamedByKeyAlone: Bool { activityID.isAbsent && token.isAbsent && channel.isAbsent }
  /// Whether anything is recorded of a push beside its payload.
  package var hasHeaders: Bool { (row?.headers ?? 0) != 0 }
  /// Whether its channel alone names what it is about.
  package var isToChannelAlone: Bool { activityID.isAbsent && token.isAbsent && !channel.isAbsent }
  /// Whether a person was seen to remove the card.
  package var isByPerson: Bool { row?.marks.contains(.byPerson) ?? false }

  var push: PushID { row?.push ?? .none }
  var index: Int32? {
    if case .row(let index) = step.cause { return index }
    return nil
  }
}

extension Outcome {
  /// Of an act: whether it did not take effect, for another reason than that the card was over or
  /// already showed something newer.
  var isLoss: Bool {
    switch self {
    case .refused, .future, .tooBig, .noAlert, .undecodable: true
    case .applied, .appliedOlder, .noted, .older, .afterEnd, .noLife: false
    }
  }
}
