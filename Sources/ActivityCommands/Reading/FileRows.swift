internal import ActivityCore
internal import ActivityIngest

/// One file, pipe or standard input as rows: the one place where the bytes of a LOG that is no
/// stored log become events.
struct FileRows {
  /// What comes of the input, in its order.
  enum Step {
    /// Rows and the number of each one's line. Of a file read alone each is as the one before, or
    /// one more, as far as `lastNumbered`.
    case rows(EventColumns, lines: [Int])
    case refused(LineRefusal)
  }

  let input: IngestInput
  /// How it is read.
  let found: SourceReading.Found
  /// Behind this line rows are no more numbered by lines: there are too many that gave no event.
  private(set) var lastNumbered: Int?

  private var ingestion: Ingestion
  private let isAlone: Bool
  private var holes = 0
  private var isOver = false

  /// So many lines without an event begin a batch of their own each: about 3 kB of memory.
  private static let holesMax = 16_384

  /// - Parameters:
  ///   - reading: what is said of files of lines.
  ///   - keyPath: where the business key lies on lines that name none.
  ///   - isAlone: whether a row's `seq` is to be its line.
  init(
    path: String, _ reading: SourceReading, keyPath: KeyPointer?, isAlone: Bool,
    _ environment: Environment
  ) throws {
    input =
      path == "-"
      ? IngestInput(name: "standard input", reading: environment.readInput)
      : try IngestInput(path: path)
    found = reading.find(try input.peek(SourceReading.headBytes))
    ingestion = Ingestion(found.format, keyPath: keyPath)
    self.isAlone = isAlone
  }

  /// How messages name it.
  var name: String { input.name }
  /// What the lines are written in.
  var format: String { found.format.dialect.name }
  /// Lines begun so far.
  var lines: Int { ingestion.report.lines }
  /// Input taken so far, in bytes of text.
  var bytes: Int { ingestion.report.bytes }
  /// Records so far that were understood and are not about a Live Activity.
  var skipped: Int { ingestion.report.skipped }
  /// The same by what they are, with their counts when they are more than one thing.
  var skippedBy: [String] {
    let all = ingestion.report.skippedBy
    return all.count == 1 ? [all[0].what] : all.map { "\($0.count) \($0.what)" }
  }
  /// Why the input breaks off; what came before is taken.
  private(set) var breakOff: CommandError?

  /// What the next part of the input gives; nil behind its end.
  mutating func next() throws -> [Step]? {
    guard !isOver else { return nil }
    let chunk = try chunk()
    input.forget(before: input.position)
    var steps: [Step] = []
    guard !chunk.isEmpty else {
      isOver = true
      advance(&steps) { $0.finish($1) }
      return steps
    }
    guard isAlone, lastNumbered == nil else {
      advance(&steps) { $0.take(chunk[...], $1) }
      return steps
    }
    var rest = chunk[...]
    while let feed = rest.withUnsafeBytes({ LineBreaks.next(in: $0, from: 0) }) {
      let line = rest.prefix(feed + 1)
      rest = rest.dropFirst(feed + 1)
      let before = ingestion.report.rows
      advance(&steps) { $0.take(line, $1) }
      if ingestion.report.rows == before { skipLine(&steps) }
    }
    if !rest.isEmpty { advance(&steps) { [rest] in $0.take(rest, $1) } }
    return steps
  }

  /// The next bytes; none at the end, or where a packed file is damaged.
  private mutating func chunk() throws -> [UInt8] {
    do {
      return try input.next()
    } catch let error as CommandError where error.status == .damage {
      breakOff = error
      return []
    }
  }

  /// Rows of one batch have lines without a hole between them.
  private mutating func skipLine(_ steps: inout [Step]) {
    guard ingestion.waitingRows > 0, lastNumbered == nil else { return }
    advance(&steps) { $0.cut($1) }
    holes += 1
    if holes == Self.holesMax { lastNumbered = ingestion.report.lines }
  }

  private func step(of made: Ingestion.Step) -> Step {
    switch made {
    case .batch(let columns, _, let lines): .rows(columns, lines: lines)
    case .refused(let refusal, _): .refused(refusal)
    }
  }

  private mutating func advance(
    _ steps: inout [Step], _ work: (inout Ingestion, (Ingestion.Step) -> Void) -> Void
  ) {
    var given: [Ingestion.Step] = []
    work(&ingestion) { given.append($0) }
    steps += given.map { step(of: $0) }
  }
}
