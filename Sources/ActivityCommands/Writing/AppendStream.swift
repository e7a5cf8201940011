package import ActivityCore
package import ActivityStore

/// Event lines in, one answer a line out, in order: all whole lines of one read become one commit,
/// durable before the first of them is answered.
package struct AppendStream {
  /// What became of one line.
  package enum Answer: Equatable {
    case seq(Int64)
    /// The line's number and the column of the offending byte, where one is to blame; from 1 on.
    case refused(line: Int, column: Int?, sentence: String)

    package var text: String {
      switch self {
      case .seq(let seq): "\(seq)"
      case .refused(let line, nil, let sentence): "error line \(line): \(sentence)"
      case .refused(let line, let column?, let sentence):
        "error line \(line) column \(column): \(sentence)"
      }
    }
  }

  /// Lines that got an answer.
  package private(set) var lines = 0
  /// Those answered with an error.
  package private(set) var refused = 0

  private let appender: BatchAppender
  private let now: @Sendable () -> Timestamp
  private var reader: LineReader
  /// The beginning of a line whose end has not come.
  private var pending: [UInt8] = []
  /// The present line is too long; the rest of it is thrown away.
  private var isDropping = false
  private var number = 0
  /// Of the lines read since the last answer; nil while a row waits for its commit.
  private var answers: [Answer?] = []
  /// The numbers of those lines.
  private var numbers: [Int] = []

  package init(_ writer: LogWriter, now: @escaping @Sendable () -> Timestamp) {
    appender = BatchAppender(writer: writer)
    reader = LineReader(keyPath: writer.keyPointer)
    self.now = now
  }

  /// Takes what one read gave, and answers every line that it completed.
  package mutating func take(_ chunk: [UInt8], _ answer: ([Answer]) throws -> Void) throws {
    try settling(answer) { stream throws(LogError) in
      var start = 0
      while let feed = chunk[start...].firstIndex(of: UInt8(ascii: "\n")) {
        try stream.end(line: chunk[start..<feed])
        start = feed + 1
      }
      stream.begin(line: chunk[start...])
    }
  }

  /// Takes the end of the input: a last line without line feed is a line.
  package mutating func finish(_ answer: ([Answer]) throws -> Void) throws {
    guard !pending.isEmpty || isDropping else { return }
    try settling(answer) { stream throws(LogError) in try stream.end(line: []) }
  }

  /// Does the work, commits, and answers; after a failure it still answers what is durable.
  private mutating func settling(
    _ answer: ([Answer]) throws -> Void, _ work: (inout AppendStream) throws(LogError) -> Void
  ) throws {
    var failure: LogError?
    do throws(LogError) {
      try work(&self)
      try commit()
    } catch {
      failure = error
    }
    let ready = answers.prefix { $0 != nil }.compactMap(\.self)
    answers.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    lines += ready.count
    refused += ready.count { if case .refused = $0 { true } else { false } }
    if !ready.isEmpty { try answer(ready) }
    appender.writer.noteProgress()
    if let failure { throw failure }
  }

  private mutating func begin(line part: ArraySlice<UInt8>) {
    guard !isDropping else { return }
    if pending.count + part.count > LineReader.lineLimit + 1 {
      pending = []
      isDropping = true
    } else {
      pending += part
    }
  }

  private mutating func end(line part: ArraySlice<UInt8>) throws(LogError) {
    begin(line: part)
    number += 1
    guard !isDropping else {
      isDropping = false
      refuse(nil, LineRefusal.Reason.lineTooLong)
      return
    }
    var line = pending[...]
    pending = []
    if number == 1, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
    if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
    try read(line)
  }

  private mutating func read(_ line: ArraySlice<UInt8>) throws(LogError) {
    var outcome = reader.read(line, number: number)
    if outcome == .full {
      try commit()
      outcome = reader.read(line, number: number)
    }
    switch outcome {
    case .blank: break
    case .row:
      answers.append(nil)
      numbers.append(number)
      if reader.isFull { try commit() }
    case .refused(let refusal): refuse(refusal.column, refusal.reason)
    case .full: refuse(nil, LineRefusal.Reason.lineTooLong)
    }
  }

  private mutating func refuse(_ column: Int?, _ reason: LineRefusal.Reason) {
    answers.append(.refused(line: number, column: column, sentence: reason.sentence))
    numbers.append(number)
  }

  /// Makes the rows that wait durable and knows their answers.
  private mutating func commit() throws(LogError) {
    guard reader.rowCount > 0 else { return }
    let fates = try appender.append(reader.finish(), now: now().microseconds)
    try appender.writer.syncBeforeNote()
    var rest = fates[...]
    for place in answers.indices where answers[place] == nil {
      answers[place] = rest.popFirst().map { Self.answer($0, line: numbers[place]) }
    }
  }

  private static func answer(_ fate: BatchAppender.Fate, line: Int) -> Answer {
    switch fate {
    case .appended(let seq), .repeated(let seq): .seq(seq)
    case .refused(_, let sentence): .refused(line: line, column: nil, sentence: sentence)
    }
  }
}
