internal import ActivityCore
internal import ActivityIngest

/// A path that is followed: the file it leads to now, and those it led to before that may still be
/// written.
final class FollowedPath {
  /// A file that was renamed away or replaced.
  struct Retired {
    let queue: SourceQueue
    /// How far it had come when it last grew, and when that was.
    var taken: Int
    var since: Timestamp
  }

  let path: String
  /// Of the file that the path leads to; nil while there is none, or nothing is known of it yet.
  private(set) var queue: SourceQueue?
  private(set) var retired: [Retired] = []
  /// Opened, and not yet known what it is written in.
  var opening: IngestInput?
  /// How files at this path are read, once one was recognised.
  var found: SourceReading.Found?
  /// A file that could not be read as it was then, and what was said of it.
  var refused: (state: FileState, message: String)?
  /// The file has what this one has, as far as they are known to be the same: it waits until that
  /// one is let go, or they differ.
  var kin: (queue: SourceQueue, same: Int)?

  /// How long a renamed file may be silent before it is let go.
  private static let patience = Timestamp.Span.seconds(10)
  private static let retiredLimit = 8

  init(_ path: String) { self.path = path }

  /// Every file of the path that is read.
  var queues: [SourceQueue] { retired.map(\.queue) + (queue.map { [$0] } ?? []) }

  func begin(_ queue: SourceQueue) {
    self.queue = queue
    (opening, kin, refused) = (nil, nil, nil)
  }

  /// Whether the file was cut, and perhaps written anew, since it was read.
  func wasCut() throws -> Bool { try queue?.wasCut() ?? false }

  /// The path leads elsewhere: its file is read on for a while.
  func retire(_ now: Timestamp) {
    if let queue {
      retired.append(Retired(queue: queue, taken: queue.source.input.taken, since: now))
    }
    leave()
  }

  /// The file is not read any more.
  func leave() { queue = nil }

  /// Files that were silent long enough, or are too many; they are let go.
  func released(_ now: Timestamp) -> [SourceQueue] {
    for index in retired.indices {
      let taken = retired[index].queue.source.input.taken
      guard taken != retired[index].taken else { continue }
      (retired[index].taken, retired[index].since) = (taken, now)
    }
    let surplus = max(0, retired.count - Self.retiredLimit)
    let gone = retired.enumerated().filter { number, file in
      number < surplus || now - file.since > Self.patience
    }.map(\.element.queue)
    retired.removeAll { file in gone.contains { $0 === file.queue } }
    return gone
  }
}
