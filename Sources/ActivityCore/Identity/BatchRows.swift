/// One batch being read into a row set: its texts' codes in the set's vocabulary, looked up once
/// for each text of the batch.
package struct BatchRows {
  package let batch: EventColumns
  private let contentLimit: Int64
  /// By the batch's code: the set's code, −2 while unknown.
  private var codes: [Int32]
  private var sources: [Int32: Source] = [:]
  private var nextEntry = 0
  private let hasHeaders: Bool

  package init(_ batch: EventColumns, limits: SystemLimits) {
    self.batch = batch
    contentLimit = limits.contentBytes
    codes = [Int32](repeating: -2, count: batch.texts.count)
    let headers: [Member] = [.host, .apnsTopic, .apnsPushType, .apnsPriority, .apnsExpiration]
    hasHeaders = headers.contains { !batch[$0].isEmpty }
  }

  /// The set's code of a batch's code; −1 and absent stay −1.
  package mutating func word(_ code: Int64, _ texts: inout TextTable) -> Int32 {
    guard code >= 0, code < Int64(codes.count) else { return -1 }
    let known = codes[Int(code)]
    if known != -2 { return known }
    let interned = Int32(texts.intern(from: batch.texts, Int(code)))
    codes[Int(code)] = interned
    return interned
  }

  package mutating func word(_ member: Member, _ row: Int, _ texts: inout TextTable) -> Int32 {
    guard let code = batch.value(member, row) else { return -1 }
    return word(code, &texts)
  }

  package mutating func facts(_ row: Int, _ texts: inout TextTable) -> Facts {
    Facts(
      build: word(.build, row, &texts), attributesType: word(.attributesType, row, &texts),
      producer: word(.producer, row, &texts), style: word(.style, row, &texts))
  }

  /// The headers of a push; nil when the batch records none of any push.
  package mutating func headers(_ row: Int, _ texts: inout TextTable) -> PushHeaders? {
    guard hasHeaders else { return nil }
    var headers = PushHeaders(
      host: word(.host, row, &texts), topic: word(.apnsTopic, row, &texts),
      pushType: word(.apnsPushType, row, &texts),
      priority: Int32(clamping: batch.value(.apnsPriority, row) ?? -1))
    if let expiration = batch.value(.apnsExpiration, row) {
      headers.expiration = expiration == 0 ? .once : .kept
    }
    return headers
  }

  /// Everything of a row but its handles and scope.
  package mutating func row(
    _ index: Int, seq: Int64, at: Int64, _ texts: inout TextTable
  ) -> Row {
    let kind = batch.kind[index]
    let instant = batch.value(.timestamp, index)
    let version = Timestamp(microseconds: instant ?? at).wholeSeconds
    var row = Row(seq: seq, at: at, version: version, kind: kind, flags: batch.flags[index])
    if instant != nil { row.marks.insert(.versioned) }
    row.staleDate = batch.value(.staleDate, index) ?? EventColumns.absent
    row.recorder = word(.recorder, index, &texts)
    row.source = source(word(.source, index, &texts), texts)
    readPush(index, &row, &texts)
    readEvidence(index, &row, &texts)
    return row
  }

  /// The members of a push and its answer.
  private mutating func readPush(_ index: Int, _ row: inout Row, _ texts: inout TextTable) {
    if let code = batch.value(.apnsID, index) {
      row.push =
        batch.texts.uuid(Int(code))
        ?? PushID(high: .max - 1, low: UInt64(word(code, &texts)))
    }
    row.attempt = Int32(clamping: batch.value(.attempt, index) ?? -1)
    row.reason = word(.reason, index, &texts)
    let content = batch.value(.contentBytes, index) ?? -1
    row.bytes = Int32(clamping: batch.value(.bytes, index) ?? -1)
    if content > contentLimit { row.marks.insert(.tooBig) }
    if let status = batch.value(.status, index) {
      row.status = Int16(clamping: status)
      row.answer = Answer(status: status)
      row.marks.insert(.ownAnswer)
    } else if row.kind == .response, row.reason >= 0 {
      row.answer = .refused
    }
  }

  private mutating func readEvidence(_ index: Int, _ row: inout Row, _ texts: inout TextTable) {
    switch row.kind {
    case .start:
      row.date = batch.value(.startDate, index) ?? EventColumns.absent
      row.word = word(.pushType, index, &texts)
      row.inputPushChannel = word(.inputPushChannel, index, &texts)
    case .end:
      row.date = batch.value(.dismissalDate, index) ?? EventColumns.absent
      row.endReason = word(.endReason, index, &texts)
      row.word = word(.dismissalPolicy, index, &texts)
      if batch.text(.dismissalPolicy, index) == "immediate" { row.marks.insert(.immediate) }
    case .state:
      row.shown = BatchRows.phase(batch.text(.state, index) ?? "")
    case .dismiss:
      if batch.text(.by, index) == "person" { row.marks.insert(.byPerson) }
    case .inventory:
      if batch.value(.complete, index) == 1 { row.marks.insert(.speaksForAll) }
    case .authorization:
      if batch.value(.enabled, index) == 0 { row.marks.insert(.speaksForAll) }
    case .failure:
      row.word = word(.operation, index, &texts)
      let operation = batch.text(.operation, index)
      if operation == "sign" || operation == "connect" { row.marks.insert(.unreached) }
      switch operation {
      case "sign", "connect", "send":
        row.marks.insert(.sending)
        row.answer = .refused
      case "decode": row.marks.insert(.decoding)
      default: break
      }
    case .token:
      row.word = word(.tokenKind, index, &texts)
      let kind = batch.text(.tokenKind, index)
      if kind == "start" || kind == "device" { row.marks.insert(.otherToken) }
      if kind == "start" { row.marks.insert(.startToken) }
    case .channel: row.word = word(.operation, index, &texts)
    case .work: row.word = word(.outcome, index, &texts)
    case .unknown, .update, .alert, .stale, .response, .coverage: break
    }
  }

  private mutating func source(_ code: Int32, _ texts: TextTable) -> Source {
    guard code >= 0 else { return .absent }
    if let known = sources[code] { return known }
    let source = Source(word: texts.string(Int(code)))
    sources[code] = source
    return source
  }

  /// The entries of an inventory row; rows are asked for in rising order.
  package mutating func entries(of row: Int) -> ArraySlice<EventColumns.InventoryEntry> {
    while nextEntry < batch.inventory.count, batch.inventory[nextEntry].row < row { nextEntry += 1 }
    let first = nextEntry
    while nextEntry < batch.inventory.count, batch.inventory[nextEntry].row == row {
      nextEntry += 1
    }
    return batch.inventory[first..<nextEntry]
  }

  /// F9: a state's word in any case; a word we do not know shows nothing.
  package static func phase(_ word: String) -> Phase {
    switch word.lowercased() {
    case "pending": .pending
    case "active": .active
    case "stale": .stale
    case "ended": .ended
    case "dismissed": .dismissed
    default: .none
    }
  }
}
