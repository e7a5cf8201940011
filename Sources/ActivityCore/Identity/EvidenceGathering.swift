/// What rows of single kinds say, and rows that are kept beside the others.
extension RowSet {
  @inline(__always)
  mutating func readEvidence(
    _ index: Int, _ kind: EventKind, _ columns: BatchColumns, _ row: inout PackedRow,
    _ details: inout RowDetails, _ marks: inout Row.Marks, _ words: inout BatchWords
  ) {
    switch kind {
    case .update, .alert, .stale, .response, .coverage, .unknown: break
    case .start, .end, .state, .dismiss, .inventory, .authorization, .failure, .token, .channel,
      .work:
      readMembers(index, kind, columns, &row, &details, &marks, &words)
    }
  }

  private mutating func readMembers(
    _ index: Int, _ kind: EventKind, _ columns: BatchColumns, _ row: inout PackedRow,
    _ details: inout RowDetails, _ marks: inout Row.Marks, _ words: inout BatchWords
  ) {
    switch kind {
    case .start:
      details.date = columns.startDate[index]
      details.word = words.word(columns.pushType[index], &texts)
      details.inputPushChannel = words.word(columns.inputPushChannel[index], &texts)
    case .end:
      details.date = columns.dismissalDate[index]
      details.endReason = words.word(columns.endReason[index], &texts)
      details.word = words.word(columns.dismissalPolicy[index], &texts)
      if words.meaning(columns.dismissalPolicy[index]) == .immediate { marks.insert(.immediate) }
    case .state: row.shown = words.phase(columns.state[index])
    case .dismiss:
      if words.meaning(columns.by[index]) == .person { marks.insert(.byPerson) }
    case .inventory:
      if columns.complete[index] == 1 { marks.insert(.speaksForAll) }
    case .authorization:
      if columns.enabled[index] == 0 { marks.insert(.speaksForAll) }
    case .failure: readFailure(columns.operation[index], &row, &details, &marks, &words)
    case .token:
      details.word = words.word(columns.tokenKind[index], &texts)
      let meaning = words.meaning(columns.tokenKind[index])
      if meaning == .start || meaning == .device { marks.insert(.otherToken) }
      if meaning == .start { marks.insert(.startToken) }
    case .channel: details.word = words.word(columns.operation[index], &texts)
    case .work: details.word = words.word(columns.outcome[index], &texts)
    case .unknown, .update, .alert, .stale, .response, .coverage: break
    }
  }

  private mutating func readFailure(
    _ operation: Int64, _ row: inout PackedRow, _ details: inout RowDetails,
    _ marks: inout Row.Marks, _ words: inout BatchWords
  ) {
    details.word = words.word(operation, &texts)
    switch words.meaning(operation) {
    case .sign, .connect:
      marks.insert(.unreached)
      marks.insert(.sending)
      row.answer = .refused
    case .send:
      marks.insert(.sending)
      row.answer = .refused
    case .decode: marks.insert(.decoding)
    case .unread, .other, .immediate, .person, .start, .device, .pending, .active, .stale, .ended,
      .dismissed:
      break
    }
  }

  /// Rows that speak of orders, recorders and replaced tokens.
  mutating func keepAside(
    _ index: Int, _ kind: EventKind, _ columns: BatchColumns, _ row: PackedRow,
    _ words: inout BatchWords
  ) {
    switch kind {
    case .work:
      let outcome = words.word(columns.outcome[index], &texts)
      works.append(WorkRow(seq: row.seq, at: row.at, key: row.key, outcome: outcome))
    case .coverage:
      coverages.append(
        CoverageRow(
          seq: row.seq, recorder: row.recorder,
          from: RowSet.time(columns.from[index], else: row.at),
          until: RowSet.time(columns.until[index], else: row.at)))
    case .token:
      if !row.marks.contains(.otherToken), let old = subject(columns.replaces[index]) {
        replacements.append((Int32(rows.count), old.name))
      }
    case .unknown, .start, .update, .alert, .end, .stale, .dismiss, .state, .inventory, .response,
      .failure, .authorization, .channel:
      break
    }
  }

  private static func time(_ value: Int64, else other: Int64) -> Int64 {
    value == EventColumns.absent ? other : value
  }

  /// R5: every entry of an inventory folds as a `state` row of its id. Inventories are asked for in
  /// rising order.
  mutating func list(
    _ index: Int, _ batch: EventColumns, _ next: inout Int, _ words: inout BatchWords
  ) {
    let inventory = rows.packed[rows.packed.count - 1]
    while next < batch.inventory.count, batch.inventory[next].row < index { next += 1 }
    while next < batch.inventory.count, batch.inventory[next].row == index {
      let entry = batch.inventory[next]
      next += 1
      guard let subject = subject(Int64(entry.subject)) else { continue }
      var row = PackedRow(
        seq: inventory.seq, at: inventory.at, version: inventory.version, kind: .state, flags: [])
      row.marks = .listed
      row.activity = subject.name
      row.scope = inventory.scope
      row.recorder = inventory.recorder
      row.facts = inventory.facts
      row.shown = entry.state < 0 ? .active : words.phase(Int64(entry.state))
      append(row, .none)
    }
  }
}
