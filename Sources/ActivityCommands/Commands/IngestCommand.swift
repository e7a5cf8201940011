internal import ActivityCore
internal import ActivityIngest
internal import ActivityStore

/// Takes recorded history into a log.
struct IngestCommand: Command {
  static let name = "ingest"
  static let summary = "Take history from files into a log"
  static let group = CommandGroup.record
  static let examples = [
    "activitylog ingest orders push.ndjson phone.ndjson",
    "zcat push.ndjson.gz | activitylog ingest orders - --feed push",
    "activitylog ingest copy export.ndjson --restore",
  ]
  static let files = Operand("FILE", .many, help: "Event lines, one JSON object each; - is input")
  static let restore = Flag(
    "restore", help: "Keep seq and recorded-at of an export; the log must be empty")
  static let rejects = Option(
    "rejects", value: "FILE", help: "Append refused lines to it, as they were", isPath: true)
  static let maxErrors = Option(
    "max-errors", value: "N", help: "Exit 3 when more lines are refused; default 0")
  static let feed = Option(
    "feed", value: "NAME", help: "Remember under it how far standard input was taken")
  static let keyPath = Option(
    "key-path", value: "POINTER",
    help: "Where the business key lies on lines that name none; the log keeps it")
  static let arguments: [Argument] = [
    .operand(WritableLog.log), .operand(files), .option(keyPath), .flag(restore), .option(rejects),
    .option(maxErrors), .option(feed), .option(WritableLog.wait),
  ]

  private let log: String
  private let files: [String]
  private let isRestoring: Bool
  private let rejects: String?
  private let maxErrors: Int
  private let feed: String?
  private let wait: Int
  private let keyPath: KeyPointer?

  init(_ given: Arguments) throws(UsageError) {
    log = try given.operand(WritableLog.log)
    files = given.all(Self.files)
    isRestoring = given.isSet(Self.restore)
    rejects = given.value(Self.rejects)
    maxErrors = try given.integer(Self.maxErrors) ?? 0
    feed = given.value(Self.feed)
    wait = try WritableLog.wait(given)
    keyPath = try Self.keyPath(given.value(Self.keyPath))
    let streams = files.count { $0 == "-" }
    guard streams < 2 else { throw UsageError("standard input can be read once") }
    guard let feed else { return }
    guard streams == 1 else {
      throw UsageError("--feed names standard input, and no FILE is -")
    }
    guard (1...200).contains(feed.utf8.count) else {
      throw UsageError("--feed takes a name of 1 to 200 bytes")
    }
  }

  private static func keyPath(_ text: String?) throws(UsageError) -> KeyPointer? {
    guard let text else { return nil }
    guard let path = KeyPointer(text) else {
      throw UsageError(
        "--key-path: '\(text)' is no JSON pointer to a member",
        hint: "--key-path /attributes/orderNumber")
    }
    return path
  }

  func run(_ console: Console, _ environment: Environment) throws -> ExitStatus {
    let began = environment.now()
    // Every file is looked at before the log is touched.
    for file in files where file != "-" { try IngestInput.check(path: file) }
    let rejects = try rejects.map { path throws(CommandError) in try RejectsFile(path: path) }
    let opened = try WritableLog(
      PosixFiles(path: log), wait: wait, creates: true, environment)
    guard !isRestoring || opened.writer.nextSeq == 1 else {
      throw CommandError(
        "\(log): --restore needs an empty log, this one ends at seq \(opened.writer.nextSeq - 1)",
        hint: "name a new directory")
    }
    let status = opened.report.say(on: console)
    var run = IngestRun(
      opened.writer, isRestoring: isRestoring, keyPath: try opened.keep(keyPath, console),
      refusals: Refusals(rejects: rejects, console), console, environment)
    do {
      for file in files {
        let input = try input(file, environment)
        try run.take(input, feed(of: input))
      }
      try run.finish()
      try opened.rest()
    } catch let error as LogError {
      console.note("\(log): stopped; the same command goes on where the log ends")
      throw error
    }
    if opened.writer.commits.forgottenFeeds > 0 {
      console.note("\(log): the least recently used feeds are forgotten: it remembers 4096")
    }
    if let keyPath, run.tally.appended > 0, !run.tally.hasKey {
      console.note(
        "\(log): no line has a key at \(keyPath.pointer): check the pointer; "
          + "a new log takes the lines again")
    }
    run.refusals.summarize()
    say(run, seconds: environment.now() - began, console)
    return status.and(run.refusals.count > maxErrors ? .damage : .fine)
  }

  private func input(
    _ file: String, _ environment: Environment
  ) throws(CommandError) -> IngestInput {
    guard file == "-" else { return try IngestInput(path: file) }
    return IngestInput(name: "standard input", reading: environment.readInput)
  }

  private func feed(of input: IngestInput) throws -> IngestFeed? {
    if input.size != nil { return try IngestFeed(of: input) }
    return feed.map { IngestFeed(named: $0) }
  }

  private func say(_ run: IngestRun, seconds: Timestamp.Span, _ console: Console) {
    let tally = run.tally
    var text = "\(log): recorded \(Quantity.count(tally.appended, "event"))"
    if let first = tally.first, let last = tally.last {
      text += first == last ? " (seq \(first))" : " (seq \(first) to \(last))"
    }
    text += ", refused \(run.refusals.count), skipped \(tally.skipped)"
    text += ", repeated \(tally.repeated); \(Quantity.bytes(tally.bytes))"
    text += " in \(Quantity.seconds(seconds.microseconds))"
    console.note(text)
  }
}
