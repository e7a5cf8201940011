internal import ActivityCore

/// The LOGs of a reading command, as typed.
struct NamedLogs: Sendable {
  /// At least one.
  let paths: [String]
  /// Where the business key lies on lines that name none.
  let keyPath: KeyPointer?
  /// What is said of files of lines.
  let options: SourceOptions

  init(_ given: Arguments, _ operand: Operand = ReadingOptions.log) throws(UsageError) {
    paths = given.all(operand)
    guard !paths.isEmpty else { throw UsageError("LOG is missing") }
    guard paths.count(where: { $0 == "-" }) < 2 else {
      throw UsageError("standard input can be read once")
    }
    keyPath = try given.keyPath(ReadingOptions.keyPath)
    options = try SourceOptions(given)
  }

  private init(_ paths: [String], as logs: NamedLogs) {
    self.paths = paths
    keyPath = logs.keyPath
    options = logs.options
  }

  /// The LOGs and what the last word names in them: an ID, unless something lies at that path.
  func splittingID() -> (logs: NamedLogs, id: String?) {
    guard paths.count > 1, let last = paths.last, !LogSource.exists(last) else {
      return (self, nil)
    }
    return (NamedLogs(Array(paths.dropLast()), as: self), last)
  }

  /// Whether it is one log with an identity of its own, and no lines and no merge of several.
  var isOneStored: Bool { paths.count == 1 && LogSource(paths[0]) == .stored }

  /// As messages name them.
  var name: String {
    paths.map { $0 == "-" ? "standard input" : $0 }.joined(separator: ", ")
  }

  /// As a shell takes them, for a command to go on with.
  var words: String {
    let words = paths.map(ShellWord.quoted).joined(separator: " ")
    return words + (keyPath.map { " --key-path \(ShellWord.quoted($0.pointer))" } ?? "")
      + options.words
  }

  /// Opens one stored log as it is, and reads everything else into memory, merged.
  func open(_ console: Console, _ environment: Environment) throws -> LogAccess {
    let sources = paths.map { LogSource($0) }
    guard keyPath == nil || sources.contains(.lines) else {
      throw CommandError(
        "\(name): --key-path is for files of lines: a log keeps its own",
        hint: "activitylog ingest NEW-LOG FILE --key-path POINTER")
    }
    guard options.isEmpty || sources.contains(.lines) else {
      throw CommandError(
        "\(name): \(options.names) is said of files of lines, and a log is read as it is",
        hint: "activitylog ingest NEW-LOG FILE\(options.words)")
    }
    if isOneStored { return try LogAccess(path: paths[0]) }
    var loading = try RowLoading(self, console, environment)
    return LogAccess(try loading.load(sources), name: name)
  }
}
