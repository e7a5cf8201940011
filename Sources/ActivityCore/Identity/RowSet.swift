/// The selected rows of a log, gathered from batches, and everything they share.
///
/// Costs 128 bytes a row while it lives; batches are not kept.
package struct RowSet: Sendable {
  package let selection: Selection
  package let limits: SystemLimits

  package var rows: [Row] = []
  /// Words and handles of all batches.
  package var texts = TextTable()
  package var scopes = Interned(empty: Scope())
  package var facts = Interned(empty: Facts())
  package var headers = Interned(empty: PushHeaders())
  /// `replaces`: pairs of token codes, with the row that says so.
  package var replacements: [(row: Int32, replaced: Int32)] = []
  /// Inventories' entries: rows of kind state follow their inventory's row directly.
  package var coverages: [CoverageRow] = []
  package var works: [WorkRow] = []
  /// The largest `at` of every recorder, by code; −1 is "no recorder".
  package var recorderLast: [Int32: Int64] = [:]
  /// By recorder: rows with a clock that is ahead of the log's.
  package private(set) var ahead: [Int32: Ahead] = [:]
  /// Rows whose subject's name was lost by damage.
  package private(set) var unnamed = 0

  /// What a recorder says it could see.
  package struct CoverageRow: Sendable {
    package var seq: Int64
    package var recorder: Int32
    package var from: Int64
    package var until: Int64
  }

  /// Rows of one recorder that say they happened after they were recorded, by more than
  /// `SystemLimits.lead`.
  package struct Ahead: Sendable {
    package var count = 0
    /// Microseconds; as they count, since they count as when they were recorded.
    package var first = Int64.max
    package var last = Int64.min
    /// How far the furthest was ahead, microseconds.
    package var most: Int64 = 0
    /// `seq` of the first ones recorded, at most five.
    package var seqs: [Int64] = []
  }

  /// What an order did.
  package struct WorkRow: Sendable {
    package var seq: Int64
    package var at: Int64
    package var key: Int32
    package var outcome: Int32
  }

  private var space = Int.min
  /// By ordinal: what the present space's subjects are.
  private var subjects: [SubjectRef?] = []

  /// A subject in the vocabulary of the row set.
  package struct SubjectRef: Sendable {
    var kind: HandleKind
    var name: Int32
    var scope: Int32
  }

  package init(_ selection: Selection, limits: SystemLimits = SystemLimits()) {
    self.selection = selection
    self.limits = limits
  }

  /// The text behind a code, nil for −1.
  package func text(_ code: Int32) -> String? { code < 0 ? nil : texts.string(Int(code)) }

  /// Takes what a batch has of the selection.
  package mutating func add(_ batch: EventColumns) {
    var reader = BatchRows(batch, limits: limits)
    learn(&reader)
    for row in 0..<batch.count {
      let seq = batch.firstSeq + Int64(row)
      let at = batch.countedAt(row)
      guard selection.takes(seq: seq, at: at, recordedAt: batch.recordedAt[row]) else { continue }
      add(row, seq: seq, at: at, from: &reader)
    }
  }

  /// Learns the subjects a batch introduces.
  private mutating func learn(_ reader: inout BatchRows) {
    if reader.batch.space != space {
      space = reader.batch.space
      subjects.removeAll(keepingCapacity: true)
    }
    let table = reader.batch.subjects
    for index in 0..<table.count {
      let scope = Scope(
        environment: reader.word(Int64(table.environment[index]), &texts),
        bundle: reader.word(Int64(table.bundle[index]), &texts),
        device: reader.word(Int64(table.device[index]), &texts))
      let ordinal = Int(table.ordinals[index])
      guard ordinal >= 0 else { continue }
      if subjects.count <= ordinal {
        subjects.append(contentsOf: repeatElement(nil, count: ordinal + 1 - subjects.count))
      }
      subjects[ordinal] = SubjectRef(
        kind: table.kind[index], name: reader.word(Int64(table.name[index]), &texts),
        scope: scopes.index(of: scope))
    }
  }

  private mutating func noteAhead(_ row: Row, by lead: Int64) {
    var ahead = ahead[row.recorder] ?? Ahead()
    ahead.count += 1
    ahead.first = min(ahead.first, row.at)
    ahead.last = max(ahead.last, row.at)
    ahead.most = max(ahead.most, lead)
    if ahead.seqs.count < 5 { ahead.seqs.append(row.seq) }
    self.ahead[row.recorder] = ahead
  }

  private func subject(_ ordinal: Int64) -> SubjectRef? {
    ordinal >= 0 && ordinal < Int64(subjects.count) ? subjects[Int(ordinal)] : nil
  }

  private mutating func add(_ index: Int, seq: Int64, at: Int64, from reader: inout BatchRows) {
    var row = reader.row(index, seq: seq, at: at, &texts)
    if let subject = subject(Int64(reader.batch.subject[index])) {
      row.scope = subject.scope
      take(subject.kind, subject.name, &row)
    } else {
      unnamed += 1
    }
    for member in [Member.token, .channel, .key] {
      if let ordinal = reader.batch.value(member, index), let handle = subject(ordinal) {
        take(handle.kind, handle.name, &row)
      }
    }
    row.facts = facts.index(of: reader.facts(index, &texts))
    if row.kind.isAct, let headers = reader.headers(index, &texts) {
      row.headers = self.headers.index(of: headers)
    }
    finishMarks(&row)
    recorderLast[row.recorder] = max(recorderLast[row.recorder] ?? .min, at)
    keepAside(index, row, &reader)
    let lead = reader.batch.at[index].subtractingClamped(reader.batch.recordedAt[index])
    if lead > limits.lead.microseconds { noteAhead(row, by: lead) }
    rows.append(row)
    if row.kind == .inventory { list(index, row, &reader) }
  }

  private func take(_ kind: HandleKind, _ name: Int32, _ row: inout Row) {
    switch kind {
    case .app: break
    case .activity: row.activity = name
    case .token: row.token = name
    case .channel: row.channel = name
    case .key: row.key = name
    }
  }

  /// R4 and I2 need the handles, so they come last.
  private func finishMarks(_ row: inout Row) {
    if row.kind.isAct {
      let pushed =
        row.source == .push || row.source == .broadcast
        || row.source == .absent
          && (row.token >= 0 || row.channel >= 0 || row.push != .none || row.status >= 0)
      if pushed { row.marks.insert(.byPush) }
      // A3: a status on an act that is no push is kept, and answers nothing.
      if !pushed { row.answer = .none }
      let pushLimit = row.source == .broadcast ? limits.broadcastBytes : limits.pushBytes
      if Int64(row.bytes) > pushLimit { row.marks.insert(.tooBig) }
    }
    if row.token >= 0, row.kind != .start, !row.marks.contains(.otherToken) {
      row.marks.insert(.joins)
    }
  }

  /// Rows that speak of orders, recorders and replaced tokens.
  private mutating func keepAside(_ index: Int, _ row: Row, _ reader: inout BatchRows) {
    switch row.kind {
    case .work:
      let outcome = reader.word(.outcome, index, &texts)
      works.append(WorkRow(seq: row.seq, at: row.at, key: row.key, outcome: outcome))
    case .coverage:
      coverages.append(
        CoverageRow(
          seq: row.seq, recorder: row.recorder,
          from: reader.batch.value(.from, index) ?? row.at,
          until: reader.batch.value(.until, index) ?? row.at))
    case .token:
      if !row.marks.contains(.otherToken), let ordinal = reader.batch.value(.replaces, index),
        let old = subject(ordinal)
      {
        replacements.append((Int32(rows.count), old.name))
      }
    case .unknown, .start, .update, .alert, .end, .stale, .dismiss, .state, .inventory, .response,
      .failure, .authorization, .channel:
      break
    }
  }

  /// R5: every entry of an inventory folds as a `state` row of its id.
  private mutating func list(_ index: Int, _ inventory: Row, _ reader: inout BatchRows) {
    for entry in reader.entries(of: index) {
      guard let subject = subject(Int64(entry.subject)) else { continue }
      var row = Row(
        seq: inventory.seq, at: inventory.at, version: inventory.version, kind: .state, flags: [])
      row.marks = .listed
      row.activity = subject.name
      row.scope = inventory.scope
      row.recorder = inventory.recorder
      row.facts = inventory.facts
      let state = reader.word(Int64(entry.state), &texts)
      row.shown = state < 0 ? .active : BatchRows.phase(texts.string(Int(state)))
      rows.append(row)
    }
  }
}
