internal import ActivityCore

/// Lines of a foreign source in, event lines of ours out: framing, then the dialect, then what
/// every event gets (an id, a recorder, the constants of the caller).
struct ForeignRecords: Sendable {
  /// What becomes of lines, in order.
  enum Step: Sendable {
    /// An event as a line of ours, the number of the source's line it comes from, and the record it
    /// was made of.
    case event([UInt8], line: Int, record: [UInt8])
    case skipped(String)
    case refused(LineRefusal, [UInt8])
  }

  private let name: String
  private let constants: [(name: String, value: String)]
  private var dialect: any Dialect
  private var framing: RecordFraming
  private var pieces: [FramedPiece] = []
  private var drafts: [EventDraft] = []

  init(_ type: any Dialect.Type, _ framing: Framing, _ settings: SourceSettings) {
    name = type.name
    constants = settings.constants
    dialect = type.init(settings)
    self.framing = RecordFraming(framing)
  }

  /// Whether a record has begun and not ended.
  var isInside: Bool { framing.isInside }

  mutating func take(_ line: UnsafeRawBufferPointer, number: Int, into steps: inout [Step]) {
    framing.take(line, number: number, into: &pieces)
    settle(into: &steps)
  }

  /// Takes the end of the source, which had so many lines.
  mutating func finish(line: Int, into steps: inout [Step]) {
    framing.finish(into: &pieces)
    settle(into: &steps)
    leave(line: line, into: &steps)
  }

  /// Whether the dialect holds what only the end of the source would bring out.
  var isHolding: Bool {
    var (dialect, drafts) = (dialect, drafts)
    dialect.finish(into: &drafts)
    return drafts.contains { !$0.isEmpty }
  }

  /// Takes the end of what there is of the source; an unfinished record is left.
  mutating func leave(line: Int, into steps: inout [Step]) {
    dialect.finish(into: &drafts)
    hand(drafts, of: nil, line: line, into: &steps)
    drafts.removeAll()
  }

  private mutating func settle(into steps: inout [Step]) {
    for piece in pieces {
      switch piece {
      case .broken(let refusal, let bytes): steps.append(.refused(refusal, bytes))
      case .record(let record):
        let outcome = dialect.read(record, into: &drafts)
        switch outcome {
        case .events where drafts.isEmpty: steps.append(.skipped("nothing in it"))
        case .events: hand(drafts, of: record, line: record.line, into: &steps)
        case .skipped(let why):
          hand(drafts, of: record, line: record.line, into: &steps)
          steps.append(.skipped(why))
        case .refused(let code, let sentence):
          hand(drafts, of: record, line: record.line, into: &steps)
          let refusal = LineRefusal(
            line: record.line, column: 1, reason: .source(code: code, sentence: sentence))
          steps.append(.refused(refusal, record.bytes))
        }
        drafts.removeAll(keepingCapacity: true)
      }
    }
    pieces.removeAll(keepingCapacity: true)
  }

  private func hand(
    _ drafts: [EventDraft], of record: SourceRecord?, line: Int, into steps: inout [Step]
  ) {
    let isOurs = name == NativeLines.name
    for (number, var draft) in drafts.enumerated() where !draft.isEmpty {
      guard !draft.isOverfull else {
        steps.append(.refused(Self.overfull(line), record?.bytes ?? []))
        continue
      }
      fill(&draft)
      if !isOurs {
        draft.set("recorder", text: name)
        if !draft.has("id") {
          // A time that a caller's constant gives is none of the record's.
          let isTimed = drafts[number].has("at")
          draft.set("id", text: id(of: draft, number, record, isTimed))
        }
      }
      var bytes: [UInt8] = []
      bytes.reserveCapacity(512)
      draft.append(to: &bytes)
      steps.append(.event(bytes, line: line, record: record?.bytes ?? bytes))
    }
  }

  private static func overfull(_ line: Int) -> LineRefusal {
    let reason = LineRefusal.Reason.source(
      code: "too-many-members",
      sentence: "The record has more than \(EventDraft.membersMax) members around its payload; "
        + "log fewer, or name with a map those that matter.")
    return LineRefusal(line: line, column: 1, reason: reason)
  }

  /// Adds the caller's constants; a line of ours that says null says nothing.
  private func fill(_ draft: inout EventDraft) {
    for (name, value) in constants {
      if draft[name]?.type == .null, let text = JSONSlice(MemberSpelling.quoted(value)) {
        draft.replace(name, text)
      } else {
        draft.set(name, text: value)
      }
    }
  }

  /// The same record gives the same ids, wherever it stands; what only the end of a source tells is
  /// known by what it says. A record without a time may come again and mean another event: its
  /// line in the source tells them apart.
  private func id(
    of draft: EventDraft, _ number: Int, _ record: SourceRecord?, _ isTimed: Bool
  ) -> String {
    var source: [UInt8] = []
    if let record { source = record.bytes } else { draft.append(to: &source) }
    if let record, !isTimed { source += Array("\n#\(record.line)".utf8) }
    if number > 0 { source += Array("\n\(number)".utf8) }
    if !draft.form.isEmpty { source += Array("\n\(draft.form)".utf8) }
    var hex: [UInt8] = []
    for byte in TokenDigest.sha256(source).prefix(16) {
      hex.append(HexDigit.lowercase(byte >> 4))
      hex.append(HexDigit.lowercase(byte & 15))
    }
    return "\(name):" + String(decoding: hex, as: UTF8.self)
  }
}
