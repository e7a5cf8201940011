/// A batch's rows become rows of the set, in one pass.
extension RowSet {
  mutating func gather(
    _ batch: EventColumns, _ columns: BatchColumns, _ words: inout BatchWords
  ) {
    var nextEntry = 0
    fetchSubjects(columns, batch.count)
    for index in 0..<batch.count {
      let seq = batch.firstSeq &+ Int64(index)
      let at = min(columns.at[index], columns.recordedAt[index])
      let isTaken = selection.takes(seq: seq, at: at, recordedAt: columns.recordedAt[index])
      guard isTaken else { continue }
      add(index, seq: seq, at: at, columns, &words)
      if columns.kind[index] == .inventory { list(index, batch, &nextEntry, &words) }
    }
  }

  /// What rows name lies anywhere in the list of all subjects: fetched one after the other, with
  /// nothing between, a processor waits for many of them at a time.
  private mutating func fetchSubjects(_ columns: BatchColumns, _ count: Int) {
    fetched.removeAll(keepingCapacity: true)
    fetched.reserveCapacity(count)
    for index in 0..<count {
      fetched.append(
        NamedSubjects(
          subject: subject(Int64(columns.subject[index])) ?? SubjectRef.none,
          token: subject(columns.token[index]) ?? SubjectRef.none,
          key: subject(columns.key[index]) ?? SubjectRef.none))
    }
  }

  private mutating func add(
    _ index: Int, seq: Int64, at: Int64, _ columns: BatchColumns, _ words: inout BatchWords
  ) {
    let kind = columns.kind[index]
    let stated = columns.timestamp[index]
    let isVersioned = stated != EventColumns.absent
    var row = PackedRow(
      seq: seq, at: at,
      version: Timestamp(microseconds: isVersioned ? stated : at).wholeSeconds, kind: kind,
      flags: columns.flags[index])
    var marks: Row.Marks = isVersioned ? .versioned : []
    var details = RowDetails()
    row.staleDate = columns.staleDate[index]
    row.recorder = words.word(columns.recorder[index], &texts)
    row.source = words.source(columns.source[index])
    takeHandles(index, columns, &row, &details)
    let push = columns.apnsID[index] < 0 ? .none : words.push(columns.apnsID[index], &texts)
    readPush(index, columns, &row, &details, &marks, &words)
    readEvidence(index, kind, columns, &row, &details, &marks, &words)
    if kind.isAct {
      if columns.hasHeaders { details.headers = headers(index, columns, &words) }
      finishAct(&row, details, push, &marks)
    }
    if row.token >= 0, kind != .start, !marks.contains(.otherToken) { marks.insert(.joins) }
    if columns.hasFacts { row.facts = facts(index, columns, &words) }
    row.marks = marks
    let lead = columns.at[index].subtractingClamped(columns.recordedAt[index])
    if lead > limits.lead.microseconds { noteAhead(row, by: lead) }
    if !kind.isAct { keepAside(index, kind, columns, row, &words) }
    row.details = rows.details.index(of: details)
    append(row, push)
  }

  mutating func append(_ row: PackedRow, _ push: PushID) {
    mark(row, push)
    rows.packed.append(row)
    if push != .none || !rows.pushes.isEmpty {
      rows.fillPushes(upTo: rows.packed.count - 1)
      rows.pushes.append(push)
    }
  }

  /// Notes what resolving will look for.
  @inline(__always)
  private mutating func mark(_ row: PackedRow, _ push: PushID) {
    let index = Int32(rows.packed.count)
    if let last = rows.packed.last, row.at < last.at || row.seq < last.seq {
      if row.precedes(last) { marked.isOrdered = false }
      if row.seq < last.seq { marked.seqsRise = false }
    }
    let marks = row.marks
    if marks.contains(.joins), row.activity >= 0 { marked.joins.append(index) }
    if row.activity < 0, row.kind == .start || row.token < 0 && row.isFolded {
      marked.unsettled.append(index)
    }
    if row.kind == .response || marks.contains(.sending)
      || marks.contains(.decoding) && push != .none
    {
      marked.answers.append(index)
    }
    if marks.contains(.speaksForAll) { marked.speakers.append(index) }
    if marks.contains(.decoding) { marked.decoding.append(index) }
  }

  @inline(__always)
  private mutating func takeHandles(
    _ index: Int, _ columns: BatchColumns, _ row: inout PackedRow, _ details: inout RowDetails
  ) {
    let named = fetched[index]
    if named.subject.scope >= 0 {
      row.scope = named.subject.scope
      RowSet.take(named.subject, &row, &details)
    } else {
      unnamed += 1
    }
    if named.token.scope >= 0 { RowSet.take(named.token, &row, &details) }
    if let handle = subject(columns.channel[index]) { RowSet.take(handle, &row, &details) }
    if named.key.scope >= 0 { RowSet.take(named.key, &row, &details) }
  }

  @inline(__always)
  func subject(_ ordinal: Int64) -> SubjectRef? {
    guard ordinal >= 0, ordinal < Int64(subjects.count) else { return nil }
    let subject = subjects[Int(ordinal)]
    return subject.scope < 0 ? nil : subject
  }

  @inline(__always)
  private static func take(
    _ subject: SubjectRef, _ row: inout PackedRow, _ details: inout RowDetails
  ) {
    switch subject.kind {
    case .app: break
    case .activity: row.activity = subject.name
    case .token: row.token = subject.name
    case .channel: details.channel = subject.name
    case .key: row.key = subject.name
    }
  }

  private mutating func facts(
    _ index: Int, _ columns: BatchColumns, _ words: inout BatchWords
  ) -> Int32 {
    let codes = (
      columns.build[index], columns.attributesType[index], columns.producer[index],
      columns.style[index]
    )
    // Only where all are absent is nothing but the sign bit in all.
    if codes.0 & codes.1 & codes.2 & codes.3 == EventColumns.absent { return 0 }
    return facts.index(
      of: Facts(
        build: words.word(codes.0, &texts), attributesType: words.word(codes.1, &texts),
        producer: words.word(codes.2, &texts), style: words.word(codes.3, &texts)))
  }

  private mutating func headers(
    _ index: Int, _ columns: BatchColumns, _ words: inout BatchWords
  ) -> Int32 {
    var headers = PushHeaders(
      host: words.word(columns.host[index], &texts),
      topic: words.word(columns.topic[index], &texts),
      pushType: words.word(columns.apnsPushType[index], &texts),
      priority: RowSet.number(columns.priority[index]))
    let expiration = columns.expiration[index]
    if expiration != EventColumns.absent { headers.expiration = expiration == 0 ? .once : .kept }
    return self.headers.index(of: headers)
  }

  /// The members of a push and its answer.
  @inline(__always)
  private mutating func readPush(
    _ index: Int, _ columns: BatchColumns, _ row: inout PackedRow, _ details: inout RowDetails,
    _ marks: inout Row.Marks, _ words: inout BatchWords
  ) {
    details.attempt = RowSet.number(columns.attempt[index])
    details.reason = words.word(columns.reason[index], &texts)
    details.bytes = RowSet.number(columns.bytes[index])
    if columns.contentBytes[index] > limits.contentBytes { marks.insert(.tooBig) }
    let status = columns.status[index]
    if status != EventColumns.absent {
      details.status = Int32(Int16(clamping: status))
      row.answer = Answer(status: status)
      marks.insert(.ownAnswer)
    } else if row.kind == .response, details.reason >= 0 {
      row.answer = .refused
    }
  }

  /// A whole number of a column, −1 for none.
  @inline(__always)
  private static func number(_ value: Int64) -> Int32 {
    value == EventColumns.absent ? -1 : Int32(clamping: value)
  }

  /// R4 and the limits of a push; handles and answer are known.
  @inline(__always)
  private func finishAct(
    _ row: inout PackedRow, _ details: RowDetails, _ push: PushID, _ marks: inout Row.Marks
  ) {
    let source = row.source
    let isPushed =
      source == .push || source == .broadcast
      || source == .absent
        && (row.token >= 0 || details.channel >= 0 || push != .none || details.status >= 0)
    if isPushed { marks.insert(.byPush) }
    // A3: a status on an act that is no push is kept, and answers nothing.
    if !isPushed { row.answer = .none }
    let limit = source == .broadcast ? limits.broadcastBytes : limits.pushBytes
    if Int64(details.bytes) > limit { marks.insert(.tooBig) }
  }
}
