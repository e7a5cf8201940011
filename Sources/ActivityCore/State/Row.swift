/// One selected row whole, put together from what a row set keeps: numbers only, content stays in
/// the log.
///
/// Codes are of the row set's vocabulary, −1 for absent; times are microseconds, `version` whole
/// seconds. An entry of an inventory is a row of kind `state` with the mark `listed`.
package struct Row: Sendable {
  package var seq: Int64
  package var at: Int64
  /// Orders contents: `timestamp` in whole seconds, else `at` in whole seconds.
  package var version: Int64
  package var staleDate = EventColumns.absent
  /// `start-date` of a start, `dismissal-date` of an end.
  package var date = EventColumns.absent
  package var push = PushID.none

  package var activity: Int32 = -1
  package var token: Int32 = -1
  package var channel: Int32 = -1
  package var key: Int32 = -1
  /// Code of `input-push-channel` of a start.
  package var inputPushChannel: Int32 = -1
  /// Index in the row set's scopes.
  package var scope: Int32 = 0
  /// Index in the row set's facts.
  package var facts: Int32 = 0
  package var recorder: Int32 = -1
  package var attempt: Int32 = -1
  /// `reason` of an answer, or `end-reason` of an end.
  package var reason: Int32 = -1
  package var endReason: Int32 = -1
  /// Index in the row set's push headers.
  package var headers: Int32 = 0
  /// The word that tells rows of its kind apart: `operation` of a failure or channel, `outcome` of
  /// work, `token-kind` of a token, `push-type` of a start, `dismissal-policy` of an end.
  package var word: Int32 = -1
  /// The largest known size, for F1's `too-big` and for rules; −1 unknown.
  package var bytes: Int32 = -1

  package var kind: EventKind
  package var flags: RowFlags
  package var source = Source.absent
  package var answer = Answer.none
  /// `state` shown, `none` for a word we do not know.
  package var shown = Phase.none
  package var status: Int16 = -1
  package var marks: Marks = []

  /// What a row is, besides its kind.
  package struct Marks: OptionSet, Sendable {
    package let rawValue: UInt16
    @inlinable package init(rawValue: UInt16) { self.rawValue = rawValue }
    /// R4.
    package static let byPush = Marks(rawValue: 1)
    /// An entry of an inventory.
    package static let listed = Marks(rawValue: 2)
    /// `dismissal-policy` is `immediate`.
    package static let immediate = Marks(rawValue: 4)
    /// It carries `timestamp`.
    package static let versioned = Marks(rawValue: 8)
    /// Its token names an activity: not of kind `start` or `device`, and not on a start.
    package static let joins = Marks(rawValue: 16)
    /// Larger than the device takes.
    package static let tooBig = Marks(rawValue: 32)
    /// A decode failure names it.
    package static let undecodable = Marks(rawValue: 64)
    /// `by: person` on a dismiss.
    package static let byPerson = Marks(rawValue: 128)
    /// A failure of sign, connect or send.
    package static let sending = Marks(rawValue: 256)
    /// A failure to decode.
    package static let decoding = Marks(rawValue: 512)
    /// `complete: true` on an inventory, `enabled: false` on an authorization.
    package static let speaksForAll = Marks(rawValue: 1024)
    /// The answer is on the row itself.
    package static let ownAnswer = Marks(rawValue: 2048)
    /// The answer came on another row.
    package static let lateAnswer = Marks(rawValue: 4096)
    /// A `token` row that is not of kind update.
    package static let otherToken = Marks(rawValue: 8192)
    /// A failure of sign or connect, and the act it names: APNs was never reached.
    package static let unreached = Marks(rawValue: 16_384)
    /// A `token` row of kind `start`: whose it is says to which device a start goes.
    package static let startToken = Marks(rawValue: 32_768)
  }

  init(_ row: PackedRow, _ details: RowDetails, push: PushID) {
    seq = row.seq
    at = row.at
    version = row.version
    staleDate = row.staleDate
    date = details.date
    self.push = push
    activity = row.activity
    token = row.token
    channel = details.channel
    key = row.key
    inputPushChannel = details.inputPushChannel
    scope = row.scope
    facts = row.facts
    recorder = row.recorder
    attempt = details.attempt
    reason = details.reason
    endReason = details.endReason
    headers = details.headers
    word = details.word
    bytes = details.bytes
    kind = row.kind
    flags = row.flags
    source = row.source
    answer = row.answer
    shown = row.shown
    status = Int16(truncatingIfNeeded: details.status)
    marks = row.marks
  }

  /// What a set keeps of it for itself; its details get their index there.
  var packed: PackedRow {
    var row = PackedRow(seq: seq, at: at, version: version, kind: kind, flags: flags)
    row.staleDate = staleDate
    row.activity = activity
    row.token = token
    row.key = key
    row.recorder = recorder
    row.scope = scope
    row.facts = facts
    row.marks = marks
    row.source = source
    row.shown = shown
    row.answer = answer
    return row
  }

  var details: RowDetails {
    var details = RowDetails()
    details.date = date
    details.channel = channel
    details.inputPushChannel = inputPushChannel
    details.attempt = attempt
    details.reason = reason
    details.endReason = endReason
    details.headers = headers
    details.word = word
    details.bytes = bytes
    details.status = Int32(status)
    return details
  }

  package var isByPush: Bool { marks.contains(.byPush) }

  /// R5: whether the row moves an activity by itself.
  package var isFolded: Bool { Row.isFolded(kind, marks) }

  /// R5, of a row's kind and marks.
  @inlinable package static func isFolded(_ kind: EventKind, _ marks: Marks) -> Bool {
    switch kind {
    case .start, .update, .alert, .end, .stale, .dismiss, .state: true
    case .token: !marks.contains(.otherToken)
    case .unknown, .inventory, .response, .failure, .authorization, .channel, .work, .coverage:
      false
    }
  }

  /// The one order of rows on either clock.
  package func precedes(_ other: Row) -> Bool { (at, seq) < (other.at, other.seq) }
}

/// An `apns-id`: 16 bytes when it is a UUID in any case, else the text's code.
package struct PushID: Hashable, Sendable {
  package var high: UInt64
  package var low: UInt64
  package static let none = PushID(high: .max, low: .max)

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Reads 36 bytes of UUID text, in any case; nil when they are something else.
  package init?(uuid bytes: ArraySlice<UInt8>) {
    guard bytes.count == 36 else { return nil }
    var words: (UInt64, UInt64) = (0, 0)
    var digits = 0
    for (place, byte) in bytes.enumerated() {
      if place == 8 || place == 13 || place == 18 || place == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: return nil
      }
      if digits < 16 {
        words.0 = words.0 << 4 | UInt64(digit)
      } else {
        words.1 = words.1 << 4 | UInt64(digit)
      }
      digits += 1
    }
    self.init(high: words.0, low: words.1)
  }
}
