internal import ActivityStore

/// What a command met in a log besides events, and how its run ends because of it: every command
/// that reads collects here, says it once, and ends with `status`.
///
/// A torn tail is one line and no failure: what it held was never acknowledged. Damage is one line
/// a range and status 3. A log that just ends says nothing.
struct DamageReport: Sendable {
  /// The log as it was named on the command line.
  let log: String
  private(set) var damage: [DamagedRange] = []
  private(set) var torn: [TornTail] = []
  private var asides: [String] = []

  init(of log: String) { self.log = log }

  /// The ends of one reading, or of several of the same log: what two of them met counts once.
  init(of log: String, _ ends: LogEnd...) {
    self.log = log
    for end in ends { add(end) }
  }

  mutating func add(_ end: LogEnd) {
    add(end.damage)
    if let tail = end.tornTail, !torn.contains(tail) { torn.append(tail) }
  }

  mutating func add(_ ranges: [DamagedRange]) {
    for range in ranges where !damage.contains(range) { damage.append(range) }
  }

  /// What a writer found when it opened the log, and where it put what it cut.
  mutating func add(_ recovery: LogRecovery) {
    add(recovery.damage)
    guard let tail = recovery.cut else { return }
    torn.append(tail)
    if let copy = recovery.copy { asides.append("\(place(tail.file)): cut, and kept as \(copy)") }
  }

  /// Nothing but a plain end.
  var isClean: Bool { damage.isEmpty && torn.isEmpty }

  var status: ExitStatus { damage.isEmpty ? .fine : .damage }

  /// One line for each thing met, without a newline, in the order of the log.
  var lines: [String] {
    damage.map { range in
      var named = range
      named.file = place(range.file)
      return named.description
    }
      + torn.map { tail in
        var named = tail
        named.file = place(tail.file)
        return named.description
      } + asides
  }

  /// Says it all on standard error and gives the status.
  func say(on console: Console) -> ExitStatus {
    for line in lines { console.note(line) }
    return status
  }

  /// A reader that could not open a segment knows only its name.
  private func place(_ file: String) -> String {
    file.contains("/") || file == log ? file : "\(log)/\(file)"
  }
}

/// A log's error says in its own sentence what is true and what to do; here it gets the command to
/// try and the status its run ends with.
extension LogError: ExplainedError {
  package var message: String { description }

  package var hint: String? {
    switch code {
    case .missing: "activitylog ingest NEW-DIRECTORY FILE makes a log"
    case .notALog: "name a log's directory; activitylog ingest NEW-DIRECTORY FILE makes one"
    case .damaged: "activitylog verify LOG names every damaged range"
    case .poisoned: "activitylog verify LOG, then the same command again"
    case .exists, .notPermitted, .newerFormat, .locked, .noSpace, .cannotRead, .cannotWrite,
      .cannotSync, .batchTooLarge, .outOfOrder, .badBatch:
      nil
    }
  }

  package var status: ExitStatus { code == .damaged ? .damage : .couldNotRun }
}

/// Bytes of a log that make no sense, met where nothing could be read past them.
extension Damage: ExplainedError {
  package var message: String { description }
  package var hint: String? { "activitylog verify LOG names every damaged range" }
  package var status: ExitStatus { .damage }
}
