internal import ActivityCore

/// The options every reading command shares, declared once.
enum ReadingOptions {
  static let log = Operand(
    "LOG", .many, help: "Log directory, segment, or file of lines; - is input")
  static let keyPath = Option(
    "key-path", value: "POINTER", help: "Where keys lie on lines of files that name none")
  /// What can be said of LOGs that are files of lines.
  static let sources: [Argument] = [.option(keyPath)] + SourceOptions.arguments
  static let at = Option("at", value: "TIME", help: "The instant meant; default the log's end")
  static let atSeq = Option("at-seq", value: "N", help: "As it stood after event N")
  static let since = Option("since", short: "S", value: "TIME", help: "From this time on")
  static let until = Option("until", short: "U", value: "TIME", help: "Before this time")
  static let clock = Option(
    "clock", choices: LogClock.self, help: "Which time of an event counts")
  static let view = Option(
    "view", choices: LogView.self, help: "What the device shows, or the sender believes")
  static let filter = Option(
    "where", value: "NAME=VALUE", help: "Only what has this value: build=413",
    repeats: true)
  static let utc = Flag("utc", help: "Times in UTC instead of the local zone")

  static func output<Format: CaseIterable & RawRepresentable<String>>(
    _ formats: Format.Type
  ) -> Option {
    Option("output", short: "o", choices: formats, help: "How to print it")
  }
}

extension Arguments {
  /// Where an option says that business keys lie.
  func keyPath(_ option: Option) throws(UsageError) -> KeyPointer? {
    guard let text = value(option) else { return nil }
    guard let path = KeyPointer(text) else {
      throw UsageError(
        "--key-path: '\(text)' is no JSON pointer to a member",
        hint: "--key-path /attributes/orderNumber")
    }
    return path
  }
}

/// The range of time a command looks at, as typed.
struct TypedRange: Sendable {
  let since: TimeExpression?
  let until: TimeExpression?

  init(_ given: Arguments) throws(UsageError) {
    since = try given.time(ReadingOptions.since)
    until = try given.time(ReadingOptions.until)
  }

  /// The instants meant, counted from an anchor: from inclusive, until exclusive.
  ///
  /// A range that ends before the log begins is an error: nothing there can be answered.
  func resolved(_ reading: Moment, first: Int64?) throws(CommandError) -> Range<Int64> {
    let from = since.map(reading.instant)?.microseconds ?? .min
    let to = until.map(reading.instant)?.microseconds ?? .max
    guard from < to else {
      throw CommandError(
        "--since is not before --until", hint: "give --since the earlier of the two")
    }
    if let first, to <= first {
      let begin = TimeText(reading.zone).instant(Timestamp(microseconds: first))
      throw CommandError("--until lies before the first event, \(begin)", hint: "a later time")
    }
    return from..<to
  }
}

/// What typed times count from: the log's end, the wall clock and the zone.
struct Moment {
  let anchor: Timestamp
  let now: Timestamp
  let zone: Zone

  func instant(_ typed: TimeExpression) -> Timestamp {
    typed.resolved(anchor: anchor, now: now, zone: zone)
  }
}
