extension LogWriter {
  /// Makes a log in a new or empty directory and holds it for writing.
  ///
  /// - Parameters:
  ///   - id: A fresh random identity.
  ///   - metadata: Facts every header carries, such as `key-path`.
  ///   - wait: How long to wait for another writer, in milliseconds.
  ///   - clock: Microseconds since 1970.
  /// - Throws: `.exists`, `.notALog`, `.notPermitted`, `.noSpace`, `.locked`.
  public static func create(
    path: String, id: LogID, metadata: [LogMetadata] = [], policy: SyncPolicy = .everyCommit,
    wait: Int = 10_000, clock: @escaping @Sendable () -> Int64
  ) throws(LogError) -> LogWriter {
    let options = WriterOptions(
      identity: .current(), policy: policy, started: clock(), waitMilliseconds: wait)
    return try LogWriter(
      try CommitWriter.create(
        in: PosixFiles(path: path), id: id, metadata: metadata, options: options), clock: clock)
  }

  /// Opens the log in a directory for appending.
  ///
  /// - Throws: `.missing`, `.notALog`, `.locked`, `.newerFormat`, `.notPermitted`.
  public static func open(
    path: String, policy: SyncPolicy = .everyCommit, wait: Int = 10_000,
    clock: @escaping @Sendable () -> Int64
  ) throws(LogError) -> LogWriter {
    let options = WriterOptions(
      identity: .current(), policy: policy, started: clock(), waitMilliseconds: wait)
    return try LogWriter(
      try CommitWriter.open(in: PosixFiles(path: path), options: options), clock: clock)
  }
}
