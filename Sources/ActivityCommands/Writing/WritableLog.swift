internal import ActivityCore
package import ActivityStore

/// A log opened for writing by its path: made where there is none, its lock held from then on.
package struct WritableLog {
  package let writer: LogWriter
  /// This run made it.
  let isNew: Bool
  /// What opening it met.
  let report: DamageReport

  static let log = Operand("LOG", help: "The log's directory")
  static let wait = Option(
    "wait", value: "DURATION", help: "How long to wait for another writer; default 10s")

  /// How long `--wait` says, in milliseconds.
  static func wait(_ given: Arguments) throws(UsageError) -> Int {
    guard let span = try given.duration(wait) else { return 10_000 }
    return Int(clamping: span.microseconds / 1_000)
  }

  /// Opens the log in a directory, or makes it where nothing is.
  package init(
    _ files: any LogFiles, wait: Int, creates: Bool, _ environment: Environment
  ) throws(LogError) {
    let now = environment.now
    let options = WriterOptions(
      identity: .current(), started: now().microseconds, waitMilliseconds: wait)
    let commits: CommitWriter
    do throws(LogError) {
      commits = try CommitWriter.open(in: files, options: options)
      isNew = false
    } catch {
      guard creates, Self.isNothingThere(error, files) else { throw error }
      (commits, isNew) = try Self.make(files, options, environment)
    }
    writer = try LogWriter(commits) { now().microseconds }
    var report = DamageReport(of: files.path)
    report.add(commits.recovery)
    self.report = report
  }

  private static func make(
    _ files: any LogFiles, _ options: WriterOptions, _ environment: Environment
  ) throws(LogError) -> (CommitWriter, Bool) {
    let words = environment.randomBytes(16).map(UInt64.init)
    let high = words.prefix(8).reduce(0) { $0 << 8 | $1 }
    let low = words.dropFirst(8).reduce(0) { $0 << 8 | $1 }
    do throws(LogError) {
      return (
        try CommitWriter.create(in: files, id: LogID(high: high, low: low), options: options), true
      )
    } catch {
      // Somebody else made it since we looked.
      guard error.code == .exists else { throw error }
      return (try CommitWriter.open(in: files, options: options), false)
    }
  }

  /// Whether an attempt to open failed because there is no log, and not because one is unreadable.
  static func isNothingThere(_ error: LogError, _ files: any LogFiles) -> Bool {
    switch error.code {
    case .missing: return true
    case .notALog:
      let names = try? files.list()
      return names.map { names in !names.contains { SegmentName.firstSeq($0) != nil } } ?? false
    default: return false
    }
  }

  /// Where the log's business keys lie: as it is told now, which it keeps, else as it was told
  /// before.
  func keep(_ path: KeyPointer?, _ console: Console) throws(LogError) -> KeyPointer? {
    let kept = writer.keyPointer
    guard let path, path != kept else { return kept }
    if let kept {
      console.note("keys lay at \(kept.pointer); from here on they lie at \(path.pointer)")
    }
    try writer.keep(LogMetadata(key: KeyPointer.metadataKey, value: path.pointer))
    return path
  }

  /// More than this in the active segment and `ingest` seals it.
  private static let restingBytes: UInt64 = 8 << 20

  /// After a long import the log rests sealed: readers find their way by its indexes.
  func rest() throws(LogError) {
    guard isNew || writer.commits.activeBytes > Self.restingBytes else { return }
    try writer.seal()
  }
}

extension LogWriter {
  /// Where the log was told that business keys lie.
  var keyPointer: KeyPointer? {
    metadata.first { $0.key == KeyPointer.metadataKey }.flatMap { KeyPointer($0.value) }
  }
}
