/// From facts to the batch: nothing in this file but the payload can fail.
extension LineReader {
  /// What a kind's line must say at least.
  func checkRequirements() throws(LineProblem) {
    let kind = facts.kind
    switch kind {
    case .start, .update, .alert, .end, .state, .stale, .dismiss:
      guard facts.hasHandle else { throw missing(.noHandle(kind: kind.word)) }
    case .response, .failure:
      guard facts.hasHandle || facts.has(.apnsID) else {
        throw missing(.noHandle(kind: kind.word))
      }
    case .token:
      guard facts.token != nil else { throw missing(.needs(kind: kind.word, member: "token")) }
    case .channel:
      guard facts.channel != nil else {
        throw missing(.needs(kind: kind.word, member: "channel"))
      }
    case .work:
      guard facts.key != nil else { throw missing(.needs(kind: kind.word, member: "key")) }
    case .coverage:
      guard facts.has(.recorder) else {
        throw missing(.needs(kind: kind.word, member: "recorder"))
      }
    case .unknown, .authorization, .inventory: break
    }
    guard isRestoring else { return }
    if facts.seq == EventColumns.absent { throw missing(.notExported(member: "seq")) }
    if facts.recordedAt == EventColumns.absent {
      throw missing(.notExported(member: "recorded-at"))
    }
  }

  private func missing(_ reason: LineRefusal.Reason) -> LineProblem {
    LineProblem(offset: 0, reason: reason)
  }

  /// Adds the members that stay JSON as one object and a line feed.
  mutating func appendPayload(_ line: UnsafeRawBufferPointer) throws(LineProblem) {
    payload.append(UInt8(ascii: "{"))
    for index in members.indices {
      let member = members[index]
      switch facts.fates[index] {
      case .lifted: continue
      case .kept:
        appendName(member, line)
        appendValue(member.value, line)
      case .keptAsDigest(let digest):
        appendName(member, line)
        payload.append(UInt8(ascii: "\""))
        payload.append(contentsOf: facts.scratch[digest.range])
        payload.append(UInt8(ascii: "\""))
      }
    }
    payload.append(UInt8(ascii: "}"))
    if !tokens.isEmpty, tokens.replace(in: &payload, from: 0, inJSON: true) { try measureAgain() }
    payload.append(UInt8(ascii: "\n"))
  }

  private mutating func appendName(_ member: JSONMember, _ line: UnsafeRawBufferPointer) {
    if payload.count > 1 { payload.append(UInt8(ascii: ",")) }
    payload.append(contentsOf: line[(member.name.lowerBound - 1)..<(member.name.upperBound + 1)])
    payload.append(UInt8(ascii: ":"))
  }

  /// A value's exact bytes, but for line ends between tokens, which would end the payload line.
  private mutating func appendValue(_ place: JSONPlace, _ line: UnsafeRawBufferPointer) {
    let start = payload.count
    payload.append(contentsOf: line[place.range])
    guard place.type == .object || place.type == .array else { return }
    for index in start..<payload.count where payload[index] == 0x0A || payload[index] == 0x0D {
      payload[index] = 0x20
    }
  }

  /// After tokens were replaced: that it is still JSON, and how large its content is now.
  private mutating func measureAgain() throws(LineProblem) {
    var parts: [JSONMember] = []
    var sizes: (attributes: Int?, content: Int?) = (nil, nil)
    let isObject = payload.withUnsafeBytes { bytes in
      guard case .success(.object) = JSONScanner.members(of: bytes, into: &parts) else {
        return false
      }
      for part in parts where !part.nameHasEscapes && part.value.type != .null {
        switch names.value(of: UnsafeRawBufferPointer(rebasing: bytes[part.name])) {
        case .attributes: sizes.attributes = sizes.attributes ?? part.value.range.count
        case .contentState: sizes.content = sizes.content ?? part.value.range.count
        default: break
        }
      }
      return true
    }
    guard isObject else { throw LineProblem(offset: 0, reason: .tokenNotReplaceable) }
    facts.attributesBytes = sizes.attributes ?? facts.attributesBytes
    facts.contentBytes = sizes.content ?? facts.contentBytes
  }

  /// Adds the row.
  mutating func commit(_ line: UnsafeRawBufferPointer) {
    let scope = LineSubjects.Key(
      environment: text(facts.environment, line), bundle: text(facts.bundle, line),
      device: text(facts.device, line))
    let activity = ordinal(.activity, facts.activityID, scope, line)
    let token = ordinal(.token, facts.token, scope, line)
    let channel = ordinal(.channel, facts.channel, scope, line)
    let key = ordinal(.key, facts.key, scope, line)
    let replaces = ordinal(.token, facts.replaces, scope, line)
    let first = activity ?? token ?? channel ?? key
    makeRoom(payload: payload.count)
    room.appendRow(
      kind: facts.kind, flags: facts.flags, subject: first ?? subjects.ordinal(of: scope),
      at: facts.at != EventColumns.absent ? facts.at : facts.recordedAt,
      recordedAt: facts.recordedAt)
    if isRestoring { statedSeq.append(facts.seq) }
    if activity != nil { setHandle(.token, token) }
    if activity != nil || token != nil { setHandle(.channel, channel) }
    if activity != nil || token != nil || channel != nil { setHandle(.key, key) }
    setHandle(.replaces, replaces)
    for (member, value) in facts.values { set(member, value) }
    for (member, text) in facts.texts {
      // First the code: a reader held for the store while texts grow would copy them each time.
      let code = member.storage == .text ? ownCode(text, line) : self.text(text, line).code
      set(member, Int64(code))
    }
    let size = (facts.attributesBytes ?? 0) + (facts.contentBytes ?? 0)
    if size >= 1_000, facts.kind.isContentAct { set(.contentBytes, Int64(size)) }
    let row = Int32(room.count - 1)
    for entry in facts.entries {
      guard let subject = ordinal(.activity, entry.id, scope, line) else { continue }
      inventory.append(
        EventColumns.InventoryEntry(row: row, subject: subject, state: text(entry.state, line).code)
      )
    }
    payload.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress { room.appendPayload(start, bytes.count) }
    }
    valueCount += 5 + facts.values.count + facts.texts.count + 2 * facts.entries.count
  }

  private func set(_ member: Member, _ value: Int64) { room.set(Int(member.rawValue), value) }

  private func setHandle(_ member: Member, _ ordinal: Int32?) {
    if let ordinal { set(member, Int64(ordinal)) }
  }

  private mutating func ordinal(
    _ kind: HandleKind, _ name: LineFacts.Text?, _ scope: LineSubjects.Key,
    _ line: UnsafeRawBufferPointer
  ) -> Int32? {
    guard name != nil else { return nil }
    return subjects.ordinal(of: scope.named(kind, text(name, line)))
  }

  /// A shared text.
  private mutating func text(
    _ text: LineFacts.Text?, _ line: UnsafeRawBufferPointer
  ) -> LineText {
    guard let text else { return LineText() }
    if let cleaned = cleaned(text, line) {
      return cleaned.withUnsafeBytes { texts.text(of: $0) }
    }
    guard text.isInScratch else {
      return texts.text(of: UnsafeRawBufferPointer(rebasing: line[text.range]))
    }
    return facts.scratch.withUnsafeBytes {
      texts.text(of: UnsafeRawBufferPointer(rebasing: $0[text.range]))
    }
  }

  /// The code of a text that is nearly always a row's own.
  private mutating func ownCode(_ text: LineFacts.Text, _ line: UnsafeRawBufferPointer) -> Int32 {
    if let cleaned = cleaned(text, line) {
      return cleaned.withUnsafeBytes { Int32(texts.append($0)) }
    }
    guard text.isInScratch else {
      return Int32(texts.append(UnsafeRawBufferPointer(rebasing: line[text.range])))
    }
    return facts.scratch.withUnsafeBytes {
      Int32(texts.append(UnsafeRawBufferPointer(rebasing: $0[text.range])))
    }
  }

  /// A text without the raw tokens it holds; nil when it holds none, as nearly always.
  private func cleaned(_ text: LineFacts.Text, _ line: UnsafeRawBufferPointer) -> [UInt8]? {
    guard !tokens.isEmpty, text.range.count >= LineTokens.shortLength else { return nil }
    var bytes = withBytes(text, line) { Array($0) }
    return tokens.replace(in: &bytes, from: 0, inJSON: false) ? bytes : nil
  }
}
