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
    "activitylog ingest orders push.ndjson.1.gz push.ndjson -f",
    "activitylog ingest orders phone.log --tz +01:00 --set device=phone-1",
    "activitylog ingest orders orders.csv --map orders.map.json --dry-run",
    "zstd -dc push.ndjson.zst | activitylog ingest orders - --feed push",
    "activitylog ingest copy export.ndjson --restore",
  ]
  static let files = Operand(
    "FILE", .many, help: "Logs in any form, gz and lz4 too; - is input")
  static let follow = Flag(
    "follow", short: "f", help: "Go on with what is written, across rotation")
  static let commitEvery = Option(
    "commit-every", value: "DURATION",
    help: "With -f: so soon is all durable; default 1s")
  static let isDry = Flag(
    "dry-run", help: "Check all and print the events; record nothing")
  static let restore = Flag(
    "restore", help: "Take an export back, seq and all, into an empty log")
  static let rejects = Option(
    "rejects", value: "FILE", help: "Append refused lines to it, as they were", isPath: true)
  static let maxErrors = Option(
    "max-errors", value: "N", help: "Exit 3 when more lines are refused; default 0")
  static let feed = Option(
    "feed", value: "NAME", help: "Remember under it how far standard input was taken")
  static let keyPath = Option(
    "key-path", value: "POINTER",
    help: "Where the key lies on lines without; the log keeps it")
  static let arguments: [Argument] =
    [.operand(WritableLog.log), .operand(files)] + SourceOptions.arguments + [
      .option(keyPath), .flag(follow), .option(commitEvery), .flag(isDry), .flag(restore),
      .option(rejects), .option(maxErrors), .option(feed), .option(WritableLog.wait),
    ]

  private let plan: IngestPlan
  private let follows: Bool
  private let isDry: Bool

  init(_ given: Arguments) throws(UsageError) {
    follows = given.isSet(Self.follow)
    isDry = given.isSet(Self.isDry)
    plan = IngestPlan(
      log: try given.operand(WritableLog.log), files: given.all(Self.files),
      options: try SourceOptions(given), isRestoring: given.isSet(Self.restore),
      rejects: given.value(Self.rejects), maxErrors: try given.integer(Self.maxErrors) ?? 0,
      feed: given.value(Self.feed), wait: try WritableLog.wait(given),
      keyPath: try given.keyPath(Self.keyPath),
      commitEvery: try given.duration(Self.commitEvery) ?? .seconds(1))
    if given.value(Self.commitEvery) != nil, !follows {
      throw UsageError("--commit-every goes with -f")
    }
    try Self.check(plan, follows: follows, isDry: isDry)
  }

  private static func check(
    _ plan: IngestPlan, follows: Bool, isDry: Bool
  ) throws(UsageError) {
    let streams = plan.files.count { $0 == "-" }
    guard streams < 2 else { throw UsageError("standard input can be read once") }
    if plan.isRestoring, !plan.options.isEmpty || follows || isDry {
      throw UsageError(
        "--restore takes an export as it is: without -f, --dry-run and what is said of other forms")
    }
    if plan.isRestoring, plan.keyPath != nil {
      throw UsageError("--restore takes an export as it is, keys and all: without --key-path")
    }
    if isDry, plan.rejects != nil {
      throw UsageError("--dry-run writes nothing: without --rejects")
    }
    if follows, streams > 0 || isDry {
      throw UsageError(
        isDry
          ? "--dry-run ends, and -f does not: give one of them"
          : "-f follows files, and standard input is none")
    }
    guard let feed = plan.feed else { return }
    guard streams == 1 else {
      throw UsageError("--feed names standard input, and no FILE is -")
    }
    guard (1...200).contains(feed.utf8.count) else {
      throw UsageError("--feed takes a name of 1 to 200 bytes")
    }
  }

  func run(_ console: Console, _ environment: Environment) throws -> ExitStatus {
    // Every file is looked at before the log is touched.
    for file in plan.files where file != "-" { try IngestInput.check(path: file) }
    let work = IngestWork(plan, console, environment)
    if isDry { return try work.preview() }
    return try follows ? work.follow() : work.record()
  }
}
