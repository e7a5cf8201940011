internal import ActivityCore
internal import ActivityIngest
internal import ActivityStore

/// An input that is open, with what it is written in and where it was left.
struct IngestSource {
  let input: IngestInput
  let format: SourceFormat
  /// Nothing is known of it: it is read as the log's own lines for want of better.
  let isUnknown: Bool
  /// What files that begin so are called; nil when the log is not to remember it.
  let base: IngestFeed?
  /// What the log calls this one.
  private(set) var feed: IngestFeed?
  /// Up to here it was taken before.
  private(set) var start = 0
  /// Where reading it begins.
  private(set) var entry = 0
  /// Lines before that, once they were counted.
  private let passed = Passed()

  private final class Passed { var lines: Int? }

  init(_ input: IngestInput, _ found: SourceReading.Found, _ feed: IngestFeed?) {
    self.input = input
    base = feed
    self.feed = feed
    format = found.format
    isUnknown = found.isUnknown
  }

  var name: String { input.name }

  /// Whether its lines are event lines as they stand.
  var isOurs: Bool { format.framing == .lines && format.settings.constants.isEmpty }

  /// Goes to where the log was left by it.
  ///
  /// - Parameter used: names of the other feeds of this run.
  mutating func resume(
    _ cursors: IngestFeed.Cursors, except used: Set<[UInt8]> = []
  ) throws {
    try goTo(cursors, except: used)
    if !input.isDirect, entry > 0 { _ = try linesBefore() }
  }

  /// What is to be added to a line's number that counts from where this run began, as 1.
  func linesBefore() throws -> Int {
    guard entry > 0 else { return 0 }
    if let lines = passed.lines { return lines }
    let lines = try input.lines(before: entry) - 1
    passed.lines = lines
    return lines
  }

  private mutating func goTo(
    _ cursors: IngestFeed.Cursors, except used: Set<[UInt8]>
  ) throws {
    guard let feed else { return }
    if input.size != nil {
      (self.feed, start) = try feed.place(of: input, in: cursors, except: used)
      entry = start
      guard !format.canResume, start > 0 else { return }
      entry = 0
      try input.seek(to: 0)
    } else if format.canResume {
      start = try feed.skip(input, in: cursors)
      entry = start
    }
    // A stream whose beginning is needed is taken again: its events have ids.
  }

  /// Whether all of it was taken before, as far as its size tells.
  var isAtEnd: Bool {
    guard input.isDirect, let size = input.size, start > 0 else { return false }
    return size <= start + (input.kind?.hasMark == true ? 3 : 0)
  }

  /// The cursor of a position up to which all is taken.
  func cursor(at position: Int) throws -> IngestCursor? {
    guard let feed else { return nil }
    return IngestCursor(
      feed: feed.name, position: UInt64(position),
      check: try IngestFeed.check(of: input, before: position))
  }
}

extension IngestSource {
  /// Says that it brought nothing.
  func sayNothingNew(_ console: Console) {
    let before = input.isDirect ? input.size ?? 0 : input.position
    switch (before, input.size) {
    case (0, _): console.note("\(name): it is empty")
    case (_, nil): console.note("\(name): nothing new")
    case (_, _?):
      console.note("\(name): nothing new: its \(Quantity.bytes(before)) were taken before")
    }
  }

  /// Whether more than a header lies before a position: a header says nothing about whose rows
  /// come behind it.
  func hasRows(before position: Int) throws -> Bool {
    let needed = format.framing == .csv || format.framing == .text ? 2 : 1
    let head = try input.bytes(in: 0..<min(position, Self.headerBytes))
    return position > Self.headerBytes || head.count { $0 == UInt8(ascii: "\n") } >= needed
  }

  private static let headerBytes = 64 << 10

  /// Which of two files is the beginning of the other.
  enum Kinship {
    case first
    case second
  }

  /// Compares two files as text, to the end of the shorter, and says where that is; nil when they
  /// differ somewhere, or cannot be read.
  ///
  /// - Parameter start: up to here they are known to be the same.
  static func kinship(
    _ first: IngestInput, _ second: IngestInput, from start: Int = 0
  ) -> (kinship: Kinship, same: Int)? {
    guard let one = first.again(), let two = second.again() else { return nil }
    for input in [one, two] where start > 0 {
      guard (try? input.seek(to: start)) != nil, input.position == start else { return nil }
    }
    while true {
      guard let a = try? one.peek(kinBytes), let b = try? two.peek(kinBytes),
        a.prefix(b.count) == b.prefix(a.count)
      else { return nil }
      if min(a.count, b.count) < kinBytes {
        return (a.count < b.count ? .first : .second, one.position + min(a.count, b.count))
      }
      for input in [one, two] {
        guard (try? input.seek(to: input.position + kinBytes)) != nil else { return nil }
        input.forget(before: input.position)
      }
    }
  }

  private static let kinBytes = 1 << 20
}
