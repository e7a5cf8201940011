internal import ActivityCore

/// What a source seems to be written in, guessed from its beginning.
public struct Recognition: Sendable {
  /// How many lines are looked at.
  public static let linesMax = 1_000
  /// How many bytes of them at most.
  public static let bytesMax = 1 << 20

  /// How to read it; its settings are the caller's.
  public let format: SourceFormat
  /// How many records were looked at, and how many of them the dialect knows.
  public let records: Int
  public let recognised: Int
  /// The guess as `--map` takes it: a JSON object.
  public let map: [UInt8]

  /// Guesses from the first bytes of a source, decoded; nil when no dialect knows any of it.
  public init?(_ head: [UInt8], settings: SourceSettings) {
    let samples = HeadSamples(head)
    var best: (score: Score, dialect: any Dialect.Type)?
    for dialect in Dialects.all {
      let likeness = samples.records(dialect.framing).map { dialect.likeness(of: $0) }
      let score = Score(likeness)
      if score.sum > 0, best.map({ $0.score < score }) ?? true { best = (score, dialect) }
    }
    guard let dialect = best?.dialect else { return nil }
    let sample = samples.records(dialect.framing)
    records = sample.count
    let known = sample.filter { dialect.likeness(of: $0) > 0 }
    recognised = known.count
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
      }
      if framing == .json { isOneALine = Self.isOneALine(records, lines) }
      byFraming[framing] = records
    }
  }

  func records(_ framing: Framing) -> [SourceRecord] {
    byFraming[framing == .lines ? .json : framing] ?? []
  }

  /// An array's elements have a comma behind them, so that a line with one is not the record.
  private static func isOneALine(
    _ records: [SourceRecord], _ lines: [ArraySlice<UInt8>]
  ) -> Bool {
    let isInk = { (byte: UInt8) in byte > 0x20 }
    let whole = records.count { record in
      let line = lines[record.line - 1].drop { !isInk($0) }
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
