/// How far each feed had come, least recently used first.
struct FeedTable {
  private var cursors: [[UInt8]: IngestCursor] = [:]
  private var used: [[UInt8]: Int] = [:]
  private var clock = 0
  /// Feeds forgotten because there were too many.
  private(set) var forgotten = 0

  var list: [IngestCursor] {
    cursors.values.sorted { used[$0.feed, default: 0] < used[$1.feed, default: 0] }
  }

  subscript(feed: [UInt8]) -> IngestCursor? { cursors[feed] }

  mutating func advance(_ cursor: IngestCursor) {
    clock += 1
    cursors[cursor.feed] = cursor
    used[cursor.feed] = clock
    guard cursors.count > Limits.feeds else { return }
    if let oldest = used.min(by: { $0.value < $1.value })?.key {
      cursors[oldest] = nil
      used[oldest] = nil
      forgotten += 1
    }
  }

  mutating func advance(all list: [IngestCursor]) {
    for cursor in list { advance(cursor) }
  }
}
