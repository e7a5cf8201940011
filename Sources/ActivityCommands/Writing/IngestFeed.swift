internal import ActivityCore
internal import ActivityStore

/// What a log calls an input that it was given, and may be given again.
struct IngestFeed {
  /// Bytes before a position that its check covers, and of the beginning that names a file.
  static let span = 4_096
  /// So many files that begin alike are told apart.
  private static let slots = 256

  /// How far a log took the feed of a name.
  typealias Cursors = ([UInt8]) -> IngestCursor?

  /// What a log calls the feed.
  let name: [UInt8]

  /// A file is known by its first line, or by the first 4 KiB of it; nil while it is empty.
  init?(of file: IngestInput) throws {
    let head = try file.peek(Self.span)
    let line = head.prefix { $0 != UInt8(ascii: "\n") }
    guard !head.isEmpty else { return nil }
    name = TokenDigest.sha256(Array(line))
  }

  /// A stream is known by the name it was given.
  init(named name: String) {
    self.name = Array("feed:\(name)".utf8)
  }

  private init(name: [UInt8]) { self.name = name }

  /// The digest of the 4 KiB before a position.
  static func check(of input: IngestInput, before position: Int) throws -> [UInt8] {
    TokenDigest.sha256(try input.bytes(in: max(0, position - span)..<position))
  }

  /// The same for the `number`th file that begins so: exports often have one first line in common,
  /// a banner or a header, and only the check tells whose cursor it is.
  private func slot(_ number: Int) -> IngestFeed {
    number == 0 ? self : IngestFeed(name: TokenDigest.sha256(name + [UInt8(number)]))
  }

  /// The same for a file beyond those, told apart by what stands behind its first line.
  private func further(_ input: IngestInput) throws -> IngestFeed {
    let head = try input.peek(2 * Self.span)
    let rest = head.drop { $0 != UInt8(ascii: "\n") }.prefix(Self.span)
    return IngestFeed(name: TokenDigest.sha256(name + Array(rest)))
  }

  /// Where a file was left, under which name; 0 and a name that is free when it is new. The input
  /// then stands there.
  ///
  /// - Parameter used: names of other inputs of this run.
  func place(
    of input: IngestInput, in cursors: Cursors, except used: Set<[UInt8]>
  ) throws -> (feed: IngestFeed, start: Int) {
    let further = try further(input)
    let slots = ((0..<Self.slots).map { slot($0) } + [further]).filter { !used.contains($0.name) }
    let left = slots.compactMap { slot in
      cursors(slot.name).flatMap { Left(slot, $0) }
    }.sorted { $0.position < $1.position }
    if let left = try Self.find(left, in: input) { return (left.feed, left.position) }
    let free = slots.first { cursors($0.name) == nil }
    return (free ?? further, 0)
  }

  private struct Left {
    let feed: IngestFeed
    let position: Int
    let check: [UInt8]

    init?(_ feed: IngestFeed, _ cursor: IngestCursor) {
      guard let position = Int(exactly: cursor.position) else { return nil }
      (self.feed, self.position, check) = (feed, position, cursor.check)
    }
  }

  /// The furthest cursor before which the input looks as it did.
  private static func find(_ cursors: [Left], in input: IngestInput) throws -> Left? {
    var found: Left?
    do {
      for left in cursors {
        if input.isDirect, let size = input.size, left.position > size { break }
        try input.seek(to: left.position)
        guard input.position == left.position else { break }
        if try check(of: input, before: left.position) == left.check { found = left }
      }
    } catch let error as CommandError where error.status == .damage {
      // Who reads it says so.
    }
    try input.seek(to: found?.position ?? 0)
    return found
  }

  /// Lets pass what a stream had before, which must be the same.
  func skip(_ input: IngestInput, in cursors: Cursors) throws -> Int {
    guard let left = cursors(name).flatMap({ Left(self, $0) }) else { return 0 }
    try input.seek(to: left.position)
    guard input.position == left.position,
      try Self.check(of: input, before: left.position) == left.check
    else {
      throw CommandError(
        "\(input.name): not the input this feed had before, "
          + "\(Quantity.bytes(left.position)) of it",
        hint: "the same input from its beginning, or another --feed NAME")
    }
    return left.position
  }
}
