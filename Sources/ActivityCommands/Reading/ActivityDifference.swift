internal import ActivityCore

/// One activity as it stood first and second: at two instants, or in two views.
struct ActivityPair {
  var before: ActivityState?
  var after: ActivityState?

  /// The later one, else the only one: what the activity is called.
  var present: ActivityState? { after ?? before }

  /// Whether a person could see it at least once.
  var isVisible: Bool { before?.isVisible == true || after?.isVisible == true }

  /// The rows whose content has to be compared; none when both show the same row's.
  var contentSeqs: [Int64] {
    before?.contentSeq == after?.contentSeq
      ? [] : [before?.contentSeq, after?.contentSeq].compactMap(\.self)
  }

  /// Ties the activities of two instants: by name where their rows overlap and their scopes agree,
  /// else by first row, since a card gets another name when its id becomes known.
  static func pairs(_ before: [ActivityState], _ after: [ActivityState]) -> [ActivityPair] {
    var byName: [String: [Int]] = [:]
    var byFirst: [Int64: Int] = [:]
    for (index, state) in before.enumerated() {
      byName[state.name, default: []].append(index)
      byFirst[state.firstSeq] = index
    }
    var taken = Set<Int>()
    var pairs = after.map { state -> ActivityPair in
      let named = byName[state.name]?.last { index in
        !taken.contains(index) && isSame(before[index], state)
      }
      guard let index = named else { return ActivityPair(before: nil, after: state) }
      taken.insert(index)
      return ActivityPair(before: before[index], after: state)
    }
    for place in pairs.indices where pairs[place].before == nil {
      guard let first = pairs[place].after?.firstSeq, let index = byFirst[first],
        taken.insert(index).inserted
      else { continue }
      pairs[place].before = before[index]
    }
    let rest = before.indices.filter { !taken.contains($0) }
    return pairs + rest.map { ActivityPair(before: before[$0], after: nil) }
  }

  private static func isSame(_ one: ActivityState, _ other: ActivityState) -> Bool {
    func agree(_ a: String?, _ b: String?) -> Bool { a == nil || b == nil || a == b }
    return one.firstSeq <= other.lastSeq && one.lastSeq >= other.firstSeq
      && agree(one.device, other.device) && agree(one.bundleID, other.bundleID)
      && agree(one.environment, other.environment)
  }
}

/// What differs between two states of one activity, member by member.
struct ActivityDifference {
  /// What a person would say happened to the card.
  enum Change: String {
    case appeared, gone, changed
  }

  /// A value as text and programs read it.
  enum Value: Equatable {
    case word(String)
    case instant(Timestamp)
  }

  struct Member {
    var name: String
    var before: Value?
    var after: Value?
  }

  let pair: ActivityPair
  let change: Change
  let members: [Member]
  let content: [ContentDifference]
  /// A content to compare was lost to damage; what it was cannot be said.
  let isContentDamaged: Bool

  /// Nil when nothing differs. Contents that both come from one row are the same; one that was lost
  /// is never taken for equal.
  init?(_ pair: ActivityPair, _ contents: [Int64: RowContent]) {
    guard pair.present != nil else { return nil }
    self.pair = pair
    let (before, after) = (pair.before, pair.after)
    members = ActivityDifference.members(before, after).filter { $0.before != $0.after }
    let seqs = pair.contentSeqs
    isContentDamaged = seqs.contains { contents[$0]?.isDamaged ?? true }
    func slice(_ state: ActivityState?) -> JSONSlice? {
      state?.contentSeq.flatMap { contents[$0]?.contentState }.flatMap { JSONSlice($0) }
    }
    content =
      seqs.isEmpty || isContentDamaged
      ? [] : ContentDifference.between(slice(before), slice(after))
    if members.isEmpty, content.isEmpty, !isContentDamaged { return nil }
    switch (before?.isVisible ?? false, after?.isVisible ?? false) {
    case (false, true): change = .appeared
    case (true, false): change = .gone
    case (true, true), (false, false): change = .changed
    }
  }

  private static func members(_ before: ActivityState?, _ after: ActivityState?) -> [Member] {
    func words(_ name: String, _ value: (ActivityState) -> String?) -> Member {
      Member(
        name: name, before: before.flatMap(value).map { .word($0) },
        after: after.flatMap(value).map { .word($0) })
    }
    func instants(_ name: String, _ value: (ActivityState) -> Timestamp?) -> Member {
      Member(
        name: name, before: before.flatMap(value).map { .instant($0) },
        after: after.flatMap(value).map { .instant($0) })
    }
    var members = [
      Member(
        name: "phase", before: .word((before?.phase ?? .none).word),
        after: .word((after?.phase ?? .none).word)),
      instants("stale-date") { $0.staleDate },
      instants("visible-until") { $0.visibleUntil },
      instants("ended-at") { $0.endedAt },
      words("end-reason") { $0.endReason },
    ]
    if before != nil, after != nil { members.append(words("name") { $0.name }) }
    return members
  }
}
