internal import ActivityStore

/// Closes the segment being written, so that it can be shipped and never changes again.
struct SealCommand: Command {
  static let name = "seal"
  static let summary = "Close the active segment of a log with its indexes"
  static let group = CommandGroup.keep
  static let examples = ["activitylog seal orders"]
  static let arguments: [Argument] = [
    .operand(WritableLog.log), .option(WritableLog.wait),
  ]

  private let log: String
  private let wait: Int

  init(_ given: Arguments) throws(UsageError) {
    log = try given.operand(WritableLog.log)
    wait = try WritableLog.wait(given)
  }

  func run(_ console: Console, _ environment: Environment) throws -> ExitStatus {
    let opened = try WritableLog(
      PosixFiles(path: log), wait: wait, creates: false, environment)
    let status = opened.report.say(on: console)
    guard let active = opened.writer.commits.activeSegment, !active.commits.isEmpty else {
      try console.line("\(log): nothing to seal: no event came since the last segment was closed")
      return status
    }
    let last = opened.writer.nextSeq - 1
    try opened.writer.seal()
    try console.line("\(active.file.name): sealed, seq \(active.firstSeq) to \(last)")
    return status
  }
}
