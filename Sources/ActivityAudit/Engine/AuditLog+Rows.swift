package import ActivityCore

/// Rows that are not a card's own, and what a row says beside what it did to its card.
extension AuditLog {
  /// The rows of a kind that are not folded into cards, and all `token` rows, in order.
  package func rows(of kind: EventKind) -> [Entry] {
    survey.rows(of: kind).map { entry($0) }
  }

  /// Pushes to channels, each once, in order.
  package var broadcasts: [Entry] { survey.broadcasts.map { entry($0) } }

  /// The same rows one by one, for kinds of which a log has many.
  package func forEachRow(of kind: EventKind, _ body: (Entry) -> Void) {
    for index in survey.rows(of: kind) { body(entry(index)) }
  }

  /// Recorders whose clocks are ahead of the log's, by name.
  package var ahead: [(recorder: String?, ahead: RowSet.Ahead)] {
    resolution.set.ahead.map { (resolution.set.text($0), $1) }
      .sorted { ($0.0 ?? "") < ($1.0 ?? "") }
  }

  /// Answers that name no act of the log, in order of the log.
  package var unattached: [Entry] {
    resolution.unattached.map { entry($0) }
  }

  private func entry(_ index: Int32) -> Entry {
    let row = resolution.set.rows[Int(index)]
    return Entry(Step(noting: row, index), row: row)
  }

  /// The device an entry itself names.
  package func device(of entry: Entry) -> Entry.Word { Entry.Word(scope(of: entry).device) }
  /// The environment an entry itself names.
  package func environment(of entry: Entry) -> Entry.Word {
    Entry.Word(scope(of: entry).environment)
  }
  /// The app an entry itself names.
  package func bundle(of entry: Entry) -> Entry.Word { Entry.Word(scope(of: entry).bundle) }
  /// The type an entry itself names.
  package func type(of entry: Entry) -> Entry.Word { Entry.Word(facts(of: entry).attributesType) }
  /// The build an entry itself names.
  package func build(of entry: Entry) -> Entry.Word { Entry.Word(facts(of: entry).build) }

  private func scope(of entry: Entry) -> Scope {
    entry.row.map { resolution.set.scopes[$0.scope] } ?? Scope()
  }

  private func facts(of entry: Entry) -> Facts {
    entry.row.map { resolution.set.facts[$0.facts] } ?? Facts()
  }

  /// The headers of a push; all absent where none are recorded.
  package func headers(of entry: Entry) -> Headers {
    let headers = resolution.set.headers[entry.row?.headers ?? 0]
    return Headers(
      host: Entry.Word(headers.host), topic: Entry.Word(headers.topic),
      pushType: Entry.Word(headers.pushType),
      priority: headers.priority < 0 ? nil : Int(headers.priority), expiration: headers.expiration,
      areRecorded: (entry.row?.headers ?? 0) != 0)
  }

  /// What a sender asks of APNs beside the payload.
  package struct Headers: Sendable {
    package var host: Entry.Word
    package var topic: Entry.Word
    package var pushType: Entry.Word
    package var priority: Int?
    package var expiration: PushHeaders.Expiration
    /// Whether any header is.
    package var areRecorded: Bool
  }

  /// What the JSON of a row says; nil when it says nothing that rules ask for, or was not read.
  package func content(of entry: Entry) -> ContentFacts? {
    entry.seq > 0 && entry.row != nil ? contents[entry.seq] : nil
  }

  /// Whether contents name the business key, so that `rare.key` means something.
  package var knowsKeyPath: Bool { contents.knowsKeyPath }

  /// What the JSON of few rows says; cheap to ask of every row.
  package func rareContent(of entry: Entry) -> ContentFacts.Rare? {
    entry.seq > 0 && entry.row != nil ? contents.rare(of: entry.seq) : nil
  }

  /// Every mark that the JSON of any row has, so that rules need not ask each row for rare ones.
  package var contentMarks: ContentFacts.Marks { contents.allMarks }

  /// The spelling of a word of content facts.
  package func contentText(_ word: Int32?) -> String? { word.flatMap { contents.text($0) } }
  /// The members behind a shape's number.
  package func shape(_ number: Int32) -> ContentShape? { contents.shape(number) }

  /// Devices with cards made with a development build.
  package var sandboxDevices: Set<Entry.Word> {
    var devices: Set<Entry.Word> = []
    var isDevelopment: [Int32: Bool] = [:]
    for (activity, scope) in resolution.activityScopes.enumerated()
    where scope.environment >= 0 && scope.device >= 0 && !ground.hidden.contains(activity: activity)
    {
      let known = isDevelopment[scope.environment]
      let isOne = known ?? resolution.set.text(scope.environment)?.isDevelopment ?? false
      isDevelopment[scope.environment] = isOne
      if isOne { devices.insert(Entry.Word(scope.device)) }
    }
    return devices
  }

  /// The code of a word, to be compared with entries' words; nil when the log never says it.
  package func word(_ text: String) -> Entry.Word? {
    resolution.set.texts.code(of: Array(text.utf8)).map { Entry.Word(Int32($0)) }
  }
}
