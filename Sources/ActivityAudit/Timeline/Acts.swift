internal import ActivityCore

/// Attempts and witnesses tied into acts: one intent is one act, however often it was tried and
/// however many recorders saw it.
package struct Acts: Sendable {
  /// By entry: the number of its act; −1 for what is no act.
  package private(set) var number: [Int] = []

  /// Same token, version and kind while nothing was accepted.
  private struct Attempt: Hashable {
    var kind: EventKind?
    var token: Entry.Word
    var version: Int64
  }

  /// What two recorders write of one act.
  private struct Witness: Hashable {
    var kind: EventKind?
    var version: Int64
    var staleDate: Timestamp?
    var hasAlert: Bool
    var source: Source
  }

  init(_ entries: [Entry]) {
    var byPush: [PushID: Int] = [:]
    var byAttempt: [Attempt: Int] = [:]
    var byWitness: [Witness: (act: Int, recorder: Entry.Word)] = [:]
    var count = 0
    for entry in entries {
      guard let kind = entry.kind, kind.isAct else {
        number.append(-1)
        continue
      }
      let attempt = Attempt(kind: kind, token: entry.token, version: entry.version)
      let witness = Witness(
        kind: kind, version: entry.version, staleDate: entry.staleDate, hasAlert: entry.hasAlert,
        source: entry.source)
      let canRepeat = entry.statesVersion && !entry.token.isAbsent
      var act = entry.push == .none ? nil : byPush[entry.push]
      if act == nil, canRepeat { act = byAttempt[attempt] }
      if act == nil, entry.statesVersion, let seen = byWitness[witness],
        seen.recorder != entry.recorder
      {
        act = seen.act
      }
      let known = act ?? count
      if act == nil { count += 1 }
      number.append(known)
      if entry.push != .none { byPush[entry.push] = known }
      if canRepeat { byAttempt[attempt] = entry.isAccepted ? nil : known }
      if entry.statesVersion { byWitness[witness] = (known, entry.recorder) }
    }
  }
}
