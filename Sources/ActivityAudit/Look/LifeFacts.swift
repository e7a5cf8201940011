internal import ActivityCore

/// One life in numbers: what rules count of lives that they need not look at.
///
/// Times are microseconds and codes those of the log's vocabulary, as in `Life` and `Row`; −1 and
/// `Life.absent` stand for what is not known.
package struct LifeFacts: Sendable {
  package internal(set) var traits: LifeTraits = []
  let activity: Int32
  let device: Int32
  let key: Int32
  let type: Int32
  let build: Int32
  var isOpen = false
  var isChannel = false
  /// Whether a start of it was seen.
  var hasStart = false
  var isExempt = false
  var opening: Int64 = 0
  var limit: Int64 = 0
  var endedAt = Life.absent
  /// T, as `Timeline.seenUntil`.
  var seenUntil: Int64 = 0
  var visibleUntil = Life.absent
  /// Whether its end rests on an unanswered push, a 410 or absence.
  var isEndInferred = false
  var finishedAt = Life.absent
  /// When its device was last heard of in its rows.
  var heardAt = Life.absent
  /// When a row first showed it alive.
  var firstShownAt = Life.absent
  /// Its only start, when that is its own and took effect.
  var start: Start?
  /// When the first start came that was not lost.
  var startAt = Life.absent
  /// Pauses between contents that took effect, up to half an hour and longer.
  var shortPauses: Int32 = 0
  var longPauses: Int32 = 0
  /// The shape of its contents; −1 for none, and where they have several, which is a trait.
  var shape: Int32 = -1

  /// What ties a start to other attempts at it.
  struct Start: Sendable {
    let push: PushID
    let version: Int64
    let at: Int64
    let token: Int32
    let key: Int32
    let isVersioned: Bool

    init(_ row: Row) {
      push = row.push
      version = row.version
      at = row.at
      token = row.token
      key = row.key
      isVersioned = row.marks.contains(.versioned)
    }
  }

  init(activity: Int32, device: Int32, key: Int32, type: Int32, build: Int32) {
    self.activity = activity
    self.device = device
    self.key = key
    self.type = type
    self.build = build
  }
}
