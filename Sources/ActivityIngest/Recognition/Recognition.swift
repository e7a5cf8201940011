internal import ActivityCore

/// What a source seems to be written in, guessed from its beginning.
public struct Recognition: Sendable {
  /// How many lines are looked at, and of what lies on them how many records.
  public static let linesMax = 1_000
  /// How many bytes of them at most.
  public static let bytesMax = 1 << 20

  /// How to read it; its settings are the caller's.
  public let format: SourceFormat
  /// How many records were looked at, and how many of them the dialect knows.
  public let records: Int
  public let recognised: Int
  /// Of the records it does not know, how many are plainly those of one other dialect.
  public let others: (dialect: any Dialect.Type, records: Int)?
  /// The guess as `--map` takes it: a JSON object.
  public let map: [UInt8]

  /// From so much likeness on a record is plainly a dialect's.
  fileprivate static let plainLikeness = 4

  /// Whether a source that begins so has nothing of a dialect in it, and what it seems to be
  /// instead: for a dialect that somebody named.
  public static func other(
    than dialect: any Dialect.Type, in head: [UInt8]
  ) -> (any Dialect.Type)? {
    let samples = HeadSamples(head)
    let isKnown = samples.records(dialect.framing).contains { dialect.likeness(of: $0) > 0 }
    guard !isKnown else { return nil }
    return samples.best()
  }

  /// Guesses from the first bytes of a source, decoded; nil when no dialect knows any of it.
  public init?(_ head: [UInt8], settings: SourceSettings) {
    let samples = HeadSamples(head)
    guard let dialect = samples.best() else { return nil }
    let sample = samples.records(dialect.framing)
    records = sample.count
    let known = sample.filter { dialect.likeness(of: $0) > 0 }
    recognised = known.count
    others = samples.others(than: dialect)
    map = dialect.map(of: known)
    let isLaidOut = dialect.framing == .lines && !samples.isOneALine
    format = SourceFormat(dialect, framing: isLaidOut ? .json : nil, settings: settings)
  }
}

/// How well a dialect knows a source: by the records that tell of cards, and only among equals by
/// all it knows. Many ordinary calls of one product do not drown the few cards of another.
private struct Score: Comparable {
  /// From this likeness on a record tells of a card.
  private static let tells = 4

  private let telling: Int
  let sum: Int

  init(_ likeness: [Int]) {
    telling = likeness.count { $0 >= Self.tells }
    sum = likeness.reduce(0, +)
  }

  static func < (left: Score, right: Score) -> Bool {
    (left.telling, left.sum) < (right.telling, right.sum)
  }
}

/// The records at the beginning of a source, in each way it could be laid out.
private struct HeadSamples {
  /// No dialect's line of text is longer, and looking at it takes long.
  private static let textMax = 64 << 10

  private var byFraming: [Framing: [SourceRecord]] = [:]
  /// Whether objects stand one a line, mostly.
  private(set) var isOneALine = true

  init(_ head: [UInt8]) {
    let lines = Self.lines(head)
    for framing in [Framing.json, .text, .csv] {
      var source = RecordFraming(framing)
      var pieces: [FramedPiece] = []
      for (number, line) in lines.enumerated() {
        line.withUnsafeBytes { source.take($0, number: number + 1, into: &pieces) }
      }
      let records = pieces.compactMap { piece in
        if case .record(let record) = piece { record } else { nil }
      }.filter { $0.json != nil || $0.bytes.count <= Self.textMax }
      if framing == .json { isOneALine = Self.isOneALine(records, lines) }
      byFraming[framing] = Array(records.prefix(Recognition.linesMax))
    }
  }

  func records(_ framing: Framing) -> [SourceRecord] {
    byFraming[framing == .lines ? .json : framing] ?? []
  }

  /// The dialect that knows most of it; nil when none knows any.
  func best() -> (any Dialect.Type)? {
    var best: (score: Score, dialect: any Dialect.Type)?
    for dialect in Dialects.all {
      let score = Score(records(dialect.framing).map { dialect.likeness(of: $0) })
      if score.sum > 0, best.map({ $0.score < score }) ?? true { best = (score, dialect) }
    }
    return best?.dialect
  }

  /// The dialect that plainly knows most of the records which one does not know at all.
  func others(than dialect: any Dialect.Type) -> (dialect: any Dialect.Type, records: Int)? {
    guard dialect.framing != .csv else { return nil }
    let unknown = records(dialect.framing).filter { dialect.likeness(of: $0) == 0 }
    guard !unknown.isEmpty else { return nil }
    var most: (dialect: any Dialect.Type, records: Int)?
    let isText = dialect.framing == .text
    for other in Dialects.all where other.framing != .csv && (other.framing == .text) == isText {
      let count = unknown.count { other.likeness(of: $0) >= Recognition.plainLikeness }
      if count > most?.records ?? 0 { most = (other, count) }
    }
    return most
  }

  /// An array's elements have a comma behind them, so that a line with one is not the record.
  private static func isOneALine(
    _ records: [SourceRecord], _ lines: [ArraySlice<UInt8>]
  ) -> Bool {
    let isInk = { (byte: UInt8) in byte > 0x20 }
    let whole = records.count { record in
      let line = lines[record.line - 1].drop { $0 == 0x20 || $0 == 0x09 }
      return line.starts(with: record.bytes)
        && !line.dropFirst(record.bytes.count).contains(where: isInk)
    }
    return whole * 2 >= lines.count { $0.contains(where: isInk) }
  }

  /// The first lines; the last is left out when it may not be whole.
  private static func lines(_ head: [UInt8]) -> [ArraySlice<UInt8>] {
    let head = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head[3...] : head[...]
    var lines = head.prefix(Recognition.bytesMax).split(
      separator: UInt8(ascii: "\n"), maxSplits: Recognition.linesMax,
      omittingEmptySubsequences: false
    ).map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
    let isCut = lines.count > Recognition.linesMax || head.count > Recognition.bytesMax
    if isCut, lines.count > 1 { lines.removeLast() }
    return lines
  }
}
