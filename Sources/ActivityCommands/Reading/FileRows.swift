internal import ActivityCore
internal import ActivityIngest

/// One file, pipe or standard input as rows: the one place where the bytes of a LOG that is no
/// stored log become events.
struct FileRows {
  /// What comes of the input, in its order.
  enum Step {
    /// Rows and the number of each one's line: each as the one before, or one more.
    case rows(EventColumns, lines: [Int])
    case refused(LineRefusal)
  }

  /// How messages name it.
  let name: String
  private let input: IngestInput
  private var ingestion: Ingestion
  /// Lines of the rows that wait for their batch.
  private var waiting: [Int] = []
  private var isOver = false

  /// - Parameter keyPath: where the business key lies on lines that name none.
  init(
    path: String, keyPath: KeyPointer?, _ environment: Environment
  ) throws(CommandError) {
    input =
      path == "-"
      ? IngestInput(name: "standard input", reading: environment.readInput)
      : try IngestInput(path: path)
    name = input.name
    ingestion = Ingestion(keyPath: keyPath)
  }

  /// What the lines are written in.
  var format: String { NativeLines.name }
  /// Lines begun so far.
  var lines: Int { ingestion.report.lines }
  /// Input taken so far, in bytes.
  var bytes: Int { ingestion.report.bytes }
  /// Lines so far that were understood and are not about a Live Activity.
  var skipped: Int { ingestion.report.skipped }

  /// What the next part of the input gives; nil behind its end.
  mutating func next() throws -> [Step]? {
    guard !isOver else { return nil }
    let chunk = try input.next()
    input.forget(before: input.position)
    var steps: [Step] = []
    guard !chunk.isEmpty else {
      isOver = true
      _ = advance(&steps) { $0.finish($1) }
      return steps
    }
    var rest = chunk[...]
    while let feed = rest.withUnsafeBytes({ LineBreaks.next(in: $0, from: 0) }) {
      let line = rest.prefix(feed + 1)
      rest = rest.dropFirst(feed + 1)
      let rows = advance(&steps) { $0.take(line, $1) }
      // Rows of one batch have lines without a hole between them.
      if rows == 0, ingestion.waitingRows > 0 { _ = advance(&steps) { $0.cut($1) } }
    }
    if !rest.isEmpty { _ = advance(&steps) { [rest] in $0.take(rest, $1) } }
    return steps
  }

  /// Lets the ingestion go on by at most one line; returns how many rows that gave.
  private mutating func advance(
    _ steps: inout [Step], _ work: (inout Ingestion, (Ingestion.Step) -> Void) -> Void
  ) -> Int {
    let before = ingestion.report.rows
    var given: [Ingestion.Step] = []
    work(&ingestion) { given.append($0) }
    let rows = ingestion.report.rows - before
    waiting += repeatElement(ingestion.report.lines, count: rows)
    for step in given {
      switch step {
      case .batch(let columns, _, _):
        steps.append(.rows(columns, lines: Array(waiting.prefix(columns.count))))
        waiting.removeFirst(columns.count)
      case .refused(let refusal, _): steps.append(.refused(refusal))
      }
    }
    return rows
  }
}
