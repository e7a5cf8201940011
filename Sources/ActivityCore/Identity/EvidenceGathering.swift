/// What rows of single kinds say, and rows that are kept beside the others.
extension RowSet {
  @inline(__always)
  mutating func readEvidence(
    _ index: Int, _ kind: EventKind, _ batch: EventColumns, _ row: inout PackedRow,
    _ details: inout RowDetails, _ marks: inout Row.Marks, _ words: inout BatchWords
  ) {
    switch kind {
    case .update, .alert, .stale, .response, .coverage, .unknown: break
    case .start, .end, .state, .dismiss, .inventory, .authorization, .failure, .token, .channel,
      .work:
      readMembers(index, kind, batch, &row, &details, &marks, &words)
    }
  }

  private mutating func readMembers(
    _ index: Int, _ kind: EventKind, _ batch: EventColumns, _ row: inout PackedRow,
    _ details: inout RowDetails, _ marks: inout Row.Marks, _ words: inout BatchWords
  ) {
    func code(_ member: Member) -> Int64 { batch.value(member, index) ?? -1 }
    switch kind {
    case .start:
      details.date = batch.value(.startDate, index) ?? EventColumns.absent
      details.word = words.word(code(.pushType), &texts)
      details.inputPushChannel = words.word(code(.inputPushChannel), &texts)
    case .end:
      details.date = batch.value(.dismissalDate, index) ?? EventColumns.absent
      details.endReason = words.word(code(.endReason), &texts)
      details.word = words.word(code(.dismissalPolicy), &texts)
      if words.meaning(code(.dismissalPolicy)) == .immediate { marks.insert(.immediate) }
    case .state: row.shown = words.phase(code(.state))
    case .dismiss:
      if words.meaning(code(.by)) == .person { marks.insert(.byPerson) }
    case .inventory:
      if code(.complete) == 1 { marks.insert(.speaksForAll) }
    case .authorization:
      if code(.enabled) == 0 { marks.insert(.speaksForAll) }
    case .failure: readFailure(code(.operation), &row, &details, &marks, &words)
    case .token:
      details.word = words.word(code(.tokenKind), &texts)
      let meaning = words.meaning(code(.tokenKind))
      if meaning == .start || meaning == .device { marks.insert(.otherToken) }
      if meaning == .start { marks.insert(.startToken) }
    case .channel: details.word = words.word(code(.operation), &texts)
    case .work: details.word = words.word(code(.outcome), &texts)
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
      .dismissed, .app, .intent, .schedule, .push, .broadcast, .system:
      break
    }
  }

  /// Rows that speak of orders, recorders and replaced tokens.
  mutating func keepAside(
    _ index: Int, _ kind: EventKind, _ batch: EventColumns, _ row: PackedRow,
    _ words: inout BatchWords
  ) {
    switch kind {
    case .work:
      let outcome = words.word(batch.value(.outcome, index) ?? -1, &texts)
      works.append(WorkRow(seq: row.seq, at: row.at, key: row.key, outcome: outcome))
    case .coverage:
      coverages.append(
        CoverageRow(
          seq: row.seq, recorder: row.recorder,
          from: batch.value(.from, index) ?? row.at, until: batch.value(.until, index) ?? row.at))
    case .token:
      if !row.marks.contains(.otherToken), let ordinal = batch.value(.replaces, index),
        let old = subject(ordinal)
      {
        replacements.append((Int32(rows.count), old.name))
      }
    case .unknown, .start, .update, .alert, .end, .stale, .dismiss, .state, .inventory, .response,
      .failure, .authorization, .channel:
      break
    }
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
