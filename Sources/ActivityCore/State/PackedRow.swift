/// One selected row as a row set keeps it: 64 bytes, with all that resolving and folding ask of
/// every row.
///
/// Codes are of the row set's vocabulary, −1 for absent; times are microseconds, `version` whole
/// seconds. What few rows say is in `RowDetails`. An entry of an inventory is a row of kind `state`
/// with the mark `listed`.
package struct PackedRow: Sendable {
  package var seq: Int64
  package var at: Int64
  /// Orders contents: `timestamp` in whole seconds, else `at` in whole seconds.
  package var version: Int64
  package var staleDate = EventColumns.absent

  package var activity: Int32 = -1
  package var token: Int32 = -1
  package var key: Int32 = -1
  package var recorder: Int32 = -1
  /// Index in the row set's scopes.
  package var scope: Int32 = 0
  /// Index in the row set's facts.
  package var facts: Int32 = 0
  /// Index in the row set's details.
  package var details: Int32 = 0
  /// Marks in the lower half, then kind and source (4 each), flags and shown (3 each), answer (2).
  @usableFromInline internal var bits: UInt32

  @inlinable package init(
    seq: Int64, at: Int64, version: Int64, kind: EventKind, flags: RowFlags
  ) {
    self.seq = seq
    self.at = at
    self.version = version
    bits = UInt32(kind.rawValue) << 16 | UInt32(flags.rawValue & 7) << 24
  }

  @inlinable package var kind: EventKind {
    EventKind(rawValue: UInt8(truncatingIfNeeded: bits >> 16) & 15) ?? .unknown
  }

  @inlinable package var flags: RowFlags {
    RowFlags(rawValue: UInt8(truncatingIfNeeded: bits >> 24) & 7)
  }

  @inlinable package var marks: Row.Marks {
    get { Row.Marks(rawValue: UInt16(truncatingIfNeeded: bits)) }
    set { bits = bits & 0xFFFF_0000 | UInt32(newValue.rawValue) }
  }

  @inlinable package var source: Source {
    get { Source(rawValue: UInt8(truncatingIfNeeded: bits >> 20) & 15) ?? .other }
    set { bits = bits & 0xFF0F_FFFF | UInt32(newValue.rawValue) << 20 }
  }

  /// `state` shown, `none` for a word we do not know.
  @inlinable package var shown: Phase {
    get { Phase(rawValue: UInt8(truncatingIfNeeded: bits >> 27) & 7) ?? .none }
    set { bits = bits & 0xC7FF_FFFF | UInt32(newValue.rawValue) << 27 }
  }

  @inlinable package var answer: Answer {
    get { Answer(rawValue: UInt8(truncatingIfNeeded: bits >> 30)) ?? .none }
    set { bits = bits & 0x3FFF_FFFF | UInt32(newValue.rawValue) << 30 }
  }

  @inlinable package var isByPush: Bool { bits & UInt32(Row.Marks.byPush.rawValue) != 0 }

  /// R5: whether the row moves an activity by itself.
  @inlinable package var isFolded: Bool { Row.isFolded(kind, marks) }

  /// The one order of rows on either clock.
  @inlinable package func precedes(_ other: PackedRow) -> Bool {
    at != other.at ? at < other.at : seq < other.seq
  }
}

/// What few rows say, or many say alike: kept once for all rows that say the same.
package struct RowDetails: Mixable {
  /// `start-date` of a start, `dismissal-date` of an end.
  package var date = EventColumns.absent
  package var channel: Int32 = -1
  package var inputPushChannel: Int32 = -1
  package var attempt: Int32 = -1
  package var reason: Int32 = -1
  package var endReason: Int32 = -1
  /// Index in the row set's push headers.
  package var headers: Int32 = 0
  package var word: Int32 = -1
  package var bytes: Int32 = -1
  package var status: Int32 = -1

  @inlinable package init() {}

  package func mixed(_ seed: UInt64) -> UInt64 {
    var mix = Mix(seed)
    mix.take(UInt64(bitPattern: date))
    mix.take(channel, inputPushChannel)
    mix.take(attempt, reason)
    mix.take(endReason, headers)
    mix.take(word, bytes)
    mix.take(UInt64(UInt32(bitPattern: status)))
    return mix.value
  }
}
