internal import ActivityCore
internal import ActivityIngest

/// What can be said about sources that are no log: `--format`, `--map`, `--set`,
/// `--tz`, `--patterns`.
struct SourceOptions {
  static let format = Option(
    "format", value: "NAME", help: "What FILE is written in; recognised when not given",
    choices: Dialects.all.map { $0.name })
  static let constant = Option(
    "set", value: "KEY=VALUE", help: "A member for events that lack it", repeats: true)
  static let zone = Option(
    "tz", value: "OFFSET|local", help: "Where times without a zone were written: +01:00, UTC")
  static let patterns = Option(
    "patterns", value: "FILE", help: "What more log lines say, as a table of patterns",
    isPath: true)
  static let map = Option(
    "map", value: "FILE", help: "How records become events, as a guess is printed", isPath: true)
  /// In the order help shows them.
  static let arguments: [Argument] = [
    .option(format), .option(map), .option(constant), .option(zone), .option(patterns),
  ]

  /// Members that only a log sets.
  private static let reserved: Set<String> = ["seq", "recorded-at"]
  /// Members that no two events share.
  private static let single: Set<String> = ["id"]

  private let dialect: (any Dialect.Type)?
  private let constants: [(name: String, value: String)]
  private let zone: Zone?
  private let patterns: String?
  private let map: String?
  /// What was said, as a shell takes it behind other words.
  let words: String
  /// The options that were given.
  let names: String

  init(_ given: Arguments) throws(UsageError) {
    dialect = given.value(Self.format).flatMap { Dialects.named($0) }
    constants = try given.pairs(Self.constant)
    if let pair = constants.first(where: { Self.reserved.contains($0.name) }) {
      throw UsageError("--set: \(pair.name) is the log's own")
    }
    if let pair = constants.first(where: { Self.single.contains($0.name) }) {
      throw UsageError("--set: \(pair.name) is each event's own, and --set gives one to all")
    }
    zone = try Self.zone(given.value(Self.zone))
    patterns = given.value(Self.patterns)
    map = given.value(Self.map)
    let said = [Self.format, Self.map, Self.constant, Self.zone, Self.patterns].flatMap { option in
      given.all(option).map { (name: "--\(option.name)", value: $0) }
    }
    words = said.map { " \($0.name) \(ShellWord.quoted($0.value))" }.joined()
    names = said.map(\.name).joined(separator: " ")
    if map != nil, dialect != nil {
      throw UsageError("--map says the format itself: leave --format away")
    }
  }

  /// Whether nothing was said.
  var isEmpty: Bool {
    dialect == nil && constants.isEmpty && zone == nil && patterns == nil && map == nil
  }

  private static func zone(_ text: String?) throws(UsageError) -> Zone? {
    guard let text else { return nil }
    if text == "local" { return .local }
    if ["UTC", "utc", "Z", "z", "GMT"].contains(text) { return .utc }
    guard let offset = Zone.offset(text) else {
      throw UsageError(
        "--tz takes an offset such as +01:00, UTC or local, not '\(text)'",
        hint: text.contains("/") ? "TZ=\(ShellWord.quoted(text)) and --tz local" : nil)
    }
    return .fixed(offset)
  }

  /// Reads the files that were named, and knows how sources are to be read.
  ///
  /// - Throws: for a file that cannot be read, or is not what it was said to be.
  func load(_ environment: Environment) throws -> SourceReading {
    var settings = SourceSettings()
    settings.constants = constants
    if var zone {
      if zone == .local { zone = environment.zone(utc: false) }
      settings.zone = { [zone] micros in
        zone.instant(of: CivilTime(Timestamp(microseconds: micros), offset: 0)).microseconds
      }
    }
    if let patterns {
      let bytes = try SmallFile.bytes(patterns)
      do throws(PatternProblem) {
        settings.patterns = try PatternTable(bytes)
      } catch {
        throw CommandError("\(patterns): \(error)")
      }
    }
    if let map {
      let format = try Self.mapped(by: map, settings)
      return SourceReading(settings: format.settings, told: format)
    }
    return SourceReading(
      settings: settings, told: dialect.map { SourceFormat($0, settings: settings) })
  }
}

extension SourceOptions {
  private static func mapped(
    by path: String, _ settings: SourceSettings
  ) throws -> SourceFormat {
    let bytes = try SmallFile.bytes(path)
    do throws(MapError) {
      return .mapped(try EventMap(bytes), settings: settings)
    } catch {
      throw CommandError("\(path): \(error)")
    }
  }
}

/// How sources are read: as was said, else as they are recognised.
struct SourceReading {
  /// What dialects are told.
  let settings: SourceSettings
  /// How every source is read, whatever it looks like; nil when nobody said.
  let told: SourceFormat?

  /// How one source is read.
  struct Found {
    var format: SourceFormat
    /// What was recognised in it; nil when it was told, or is the log's own lines.
    var recognition: Recognition?
    /// Whether nothing is known of it, and it is read as the log's own lines for want of better.
    var isUnknown = false

    /// What it looks like, where that is something else than what it was told to be.
    var doubt: (any Dialect.Type)?

    /// What a person is told of a guess, or of a doubt.
    func remark(on name: String) -> String? {
      if let doubt {
        return "\(name): nothing at its beginning is \(format.dialect.name), as --format says; it "
          + "looks like \(doubt.name): leave --format away"
      }
      guard let recognition else { return nil }
      var map = JSONText()
      map.value(raw: recognition.map)
      var text =
        "\(name): read as \(format.dialect.name), \(recognition.recognised) of "
        + "\(Quantity.count(recognition.records, "record"))"
      if let (other, records) = recognition.others {
        let (verb, them) = records == 1 ? ("is", "it") : ("are", "them")
        text += " (\(records) \(verb) \(other.name): take \(them) too, by --format \(other.name))"
      }
      return text + "; --map: \(map.text)"
    }
  }

  /// What a person is told of a source of which nothing was understood.
  static func unknown(_ name: String) -> String {
    "\(name): in no form that is recognised, and no event line: --format or --map says how to read "
      + "it"
  }

  /// How much of a source is looked at to recognise it; one byte more shows that it goes on.
  static let headBytes = Recognition.bytesMax + 1

  /// How a source with this beginning is read.
  func find(_ head: [UInt8]) -> Found {
    if let told {
      let other = told.settings.map == nil ? Recognition.other(than: told.dialect, in: head) : nil
      return Found(format: laidOut(told, head), doubt: other)
    }
    if Self.isOurs(head) { return Found(format: ours) }
    guard let recognition = Recognition(head, settings: settings) else {
      if HeaderAlone.isAll(of: head) {
        return Found(format: SourceFormat(FieldTable.self, settings: settings))
      }
      let framing: Framing? = Self.isLaidOut(head) ? .json : nil
      return Found(
        format: SourceFormat(NativeLines.self, framing: framing, settings: settings),
        isUnknown: true)
    }
    let isOurs = recognition.format.dialect == NativeLines.self
    return Found(format: recognition.format, recognition: isOurs ? nil : recognition)
  }

  /// Whether a source is JSON that does not have an object on each line: it begins an array, or an
  /// object over many lines.
  private static func isLaidOut(_ head: [UInt8]) -> Bool {
    let line = head.split(separator: UInt8(ascii: "\n")).first { $0.contains { $0 > 0x20 } } ?? []
    let ink = line.filter { $0 > 0x20 }
    return ink == [UInt8(ascii: "{")] || ink.starts(with: "[{".utf8) || ink == [UInt8(ascii: "[")]
  }

  /// What was told, with the records of our own lines where the beginning shows them: one a line,
  /// or laid out over several.
  private func laidOut(_ told: SourceFormat, _ head: [UInt8]) -> SourceFormat {
    guard told.dialect == NativeLines.self, !Self.isOurs(head),
      let format = Recognition(head, settings: settings)?.format,
      format.dialect == NativeLines.self
    else { return told }
    return format
  }

  private var ours: SourceFormat { SourceFormat(NativeLines.self, settings: settings) }

  /// Lines that settle it that a source is the log's own.
  private static let fewLines = 8

  /// Whether the first lines are the log's own, each for itself: then nothing else need be tried.
  private static func isOurs(_ head: [UInt8]) -> Bool {
    let lines = head.split(separator: UInt8(ascii: "\n"), maxSplits: fewLines)
    guard lines.count > 1 || head.last == UInt8(ascii: "\n") else { return false }
    return lines.prefix(fewLines).allSatisfy { line in
      let bytes = Array(line)
      let record = SourceRecord(line: 1, bytes: bytes, json: JSONSlice(bytes))
      return NativeLines.likeness(of: record) >= 5
    }
  }
}

extension Zone {
  /// `+01:00`, `-0530`, `+1`: seconds east of UTC; nil for anything else.
  fileprivate static func offset(_ text: String) -> Int? {
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ $0.allSatisfy { ("0"..."9").contains($0) } }) else { return nil }
    let (hours, minutes): (Substring, Substring)
    switch (parts.count, parts.first?.count) {
    case (2, 1), (2, 2): (hours, minutes) = (parts[0], parts[1])
    case (1, 1), (1, 2): (hours, minutes) = (parts[0], "00")
    case (1, 4): (hours, minutes) = (parts[0].prefix(2), parts[0].suffix(2))
    default: return nil
    }
    guard minutes.count == 2, let hour = Int(hours), let minute = Int(minutes), hour <= 18,
      minute < 60
    else { return nil }
    return (sign == "-" ? -1 : 1) * (hour * 3_600 + minute * 60)
  }
}
