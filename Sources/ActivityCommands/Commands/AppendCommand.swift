internal import ActivityCore
internal import ActivityStore

/// Records events: one from the command line, or a line each from standard input.
struct AppendCommand: Command {
  static let name = "append"
  static let summary = "Record events as they happen, durable when answered"
  static let group = CommandGroup.record
  static let examples = [
    "activitylog append orders event=update key=A-17 content-state:='{\"step\":2}'",
    "tail -f push.ndjson | activitylog append orders -",
  ]
  static let members = Operand(
    "MEMBER", .many, help: "NAME=TEXT or NAME:=JSON; or - for lines on standard input",
    isPath: false)
  static let arguments: [Argument] = [
    .operand(WritableLog.log), .operand(members), .option(WritableLog.wait),
  ]

  private let log: String
  private let wait: Int
  /// The event given; nil for standard input.
  private let line: [UInt8]?

  private static let chunkBytes = 256 << 10

  init(_ given: Arguments) throws(UsageError) {
    log = try given.operand(WritableLog.log)
    wait = try WritableLog.wait(given)
    let members = given.all(Self.members)
    line = members == ["-"] ? nil : try MemberText.line(members)
  }

  func run(_ console: Console, _ environment: Environment) throws -> ExitStatus {
    let opened = try WritableLog(
      PosixFiles(path: log), wait: wait, creates: true, environment)
    let status = opened.report.say(on: console)
    var stream = AppendStream(opened.writer, now: environment.now)
    if let line {
      return try status.and(append(line, to: &stream, console))
    }
    func answer(_ answers: [AppendStream.Answer]) throws {
      for answer in answers { try console.line(answer.text) }
      try console.flush()
    }
    while true {
      let chunk = try environment.readInput(Self.chunkBytes)
      guard !chunk.isEmpty else { break }
      try stream.take(chunk, answer)
    }
    try stream.finish(answer)
    guard stream.refused > 0 else { return status }
    console.note("\(log): \(stream.refused) of \(Quantity.count(stream.lines, "line")) refused")
    return status.and(.damage)
  }

  /// One event: its seq on standard output, or why not on standard error.
  private func append(
    _ line: [UInt8], to stream: inout AppendStream, _ console: Console
  ) throws -> ExitStatus {
    try stream.take(line + [UInt8(ascii: "\n")]) { answers in
      for answer in answers {
        if case .refused(_, _, let sentence) = answer {
          throw CommandError(sentence, hint: "activitylog append --help", status: .damage)
        }
        try console.line(answer.text)
      }
    }
    return .fine
  }
}
