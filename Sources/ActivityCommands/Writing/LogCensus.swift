internal import ActivityCore

/// What a log's events are, counted: kinds, both clocks, recorders, and what its rules can rest on.
struct LogCensus {
  /// Who wrote rows, from when to when.
  struct Recorder: Equatable {
    /// nil for the lines that name none: they count as one recorder.
    var name: String?
    var rows: Int64 = 0
    /// Microseconds, of `at` as it counts.
    var first: Int64 = .max
    var last: Int64 = .min
    /// Spans it says it lost, as `coverage` events.
    var lost = 0
  }

  /// What rules need, as counts of events.
  struct Needs: Equatable {
    var pushes: Int64 = 0
    /// Pushes whose answer is on their own line or came later by their `apns-id`.
    var answered: Int64 = 0
    /// Pushes that name one of their headers.
    var withHeaders: Int64 = 0
    /// What devices showed: `state` `inventory` `stale` `dismiss`.
    var deviceEvidence: Int64 = 0
    /// Rows that carry a business key.
    var withKey: Int64 = 0
  }

  private(set) var kinds: [EventKind: Int64] = [:]
  private(set) var events: Int64 = 0
  /// Microseconds; nil while there is no event.
  private(set) var occurred: ClosedRange<Int64>?
  private(set) var recorded: ClosedRange<Int64>?
  private(set) var needs = Needs()

  private var byName: [String?: Recorder] = [:]
  /// Ordinals of the present numbering whose handle is a key.
  private var keys: Set<Int32> = []
  private var space: Int?
  /// Pushes that wait for an answer, by the hash of their `apns-id`.
  private var open: [Int: Int64] = [:]

  /// The columns it reads.
  static let members: [Member] = [
    .recorder, .source, .token, .channel, .key, .apnsID, .status, .reason, .operation,
    .host, .apnsTopic, .apnsPushType, .apnsPriority, .apnsExpiration,
  ]
  private static let headers: [Member] = [
    .host, .apnsTopic, .apnsPushType, .apnsPriority, .apnsExpiration,
  ]

  /// By rows, most first, then by name.
  var recorders: [Recorder] {
    byName.values.sorted { ($1.rows, $0.name ?? "") < ($0.rows, $1.name ?? "") }
  }

  mutating func add(_ batch: EventColumns) {
    if space != batch.space {
      space = batch.space
      keys = []
    }
    let subjects = batch.subjects
    for index in 0..<subjects.count where subjects.kind[index] == .key {
      keys.insert(subjects.ordinals[index])
    }
    var codes: [Int64: Recorder] = [:]
    for row in 0..<batch.count {
      let at = batch.countedAt(row)
      events += 1
      kinds[batch.kind[row], default: 0] += 1
      occurred = Self.widened(occurred, at)
      recorded = Self.widened(recorded, batch.recordedAt[row])
      var recorder = codes[batch.value(.recorder, row) ?? -1, default: Recorder()]
      recorder.rows += 1
      recorder.first = min(recorder.first, at)
      recorder.last = max(recorder.last, at)
      if batch.kind[row] == .coverage { recorder.lost += 1 }
      codes[batch.value(.recorder, row) ?? -1] = recorder
      count(row, of: batch)
    }
    for (code, part) in codes {
      let name = code < 0 ? nil : batch.texts.string(Int(code))
      var recorder = byName[name, default: Recorder(name: name)]
      recorder.rows += part.rows
      recorder.lost += part.lost
      recorder.first = min(recorder.first, part.first)
      recorder.last = max(recorder.last, part.last)
      byName[name] = recorder
    }
  }

  private mutating func count(_ row: Int, of batch: EventColumns) {
    if batch.value(.key, row) != nil || keys.contains(batch.subject[row]) { needs.withKey += 1 }
    switch batch.kind[row] {
    case .start, .update, .alert, .end:
      if Self.isPush(row, batch) { countPush(row, batch) }
    case .state, .inventory, .stale, .dismiss: needs.deviceEvidence += 1
    case .response, .failure: countAnswer(row, batch)
    case .token, .authorization, .channel, .work, .coverage, .unknown: break
    }
  }

  /// R4: by its source, or by what only a push carries.
  private static func isPush(_ row: Int, _ batch: EventColumns) -> Bool {
    if let source = batch.text(.source, row) { return source == "push" || source == "broadcast" }
    return batch.value(.token, row) != nil || batch.value(.channel, row) != nil
      || batch.value(.apnsID, row) != nil || batch.value(.status, row) != nil
  }

  private mutating func countPush(_ row: Int, _ batch: EventColumns) {
    needs.pushes += 1
    if Self.headers.contains(where: { batch.value($0, row) != nil }) { needs.withHeaders += 1 }
    if batch.value(.status, row) != nil {
      needs.answered += 1
    } else if let id = batch.value(.apnsID, row) {
      open[Array(batch.texts[Int(id)]).hashValue, default: 0] += 1
    }
  }

  private mutating func countAnswer(_ row: Int, _ batch: EventColumns) {
    guard let id = batch.value(.apnsID, row) else { return }
    let hash = Array(batch.texts[Int(id)]).hashValue
    guard let waiting = open[hash] else { return }
    needs.answered += 1
    open[hash] = waiting > 1 ? waiting - 1 : nil
  }

  private static func widened(_ range: ClosedRange<Int64>?, _ value: Int64) -> ClosedRange<Int64> {
    guard let range else { return value...value }
    return min(range.lowerBound, value)...max(range.upperBound, value)
  }
}
