package import ActivityCore

/// The columns of a skeleton that are no member's; raw values are column numbers on disk. Members
/// have their own raw values, 1 to 63.
package enum RowColumn: UInt8, CaseIterable {
  case kind = 64
  case flags = 65
  /// Segment ordinals.
  case subject = 66
  case recordedAt = 67
  /// Kept as the difference to recorded-at.
  case at = 68
  /// What the rows look like; in place of `kind`, `flags` and the members' presences.
  case forms = 69
  /// The lists of all inventories: row, subject, state of each entry.
  case inventory = 72
}

/// What timestamps and other dates of a row are likely near, in whole seconds.
package struct SecondsPrediction {
  /// A row's `at`, floored.
  private(set) var at: [Int64] = []
  /// A row's timestamp, floored, where it has one; else its `at`.
  private(set) var version: [Int64] = []

  /// Of `at` as the row states it, absurd or not.
  package init(at times: [Int64]) {
    at = times.each { SecondsPrediction.floored($0) }
    version = at
  }

  /// Timestamps come first; all later columns are predicted from them.
  package mutating func take(timestamps: [Int64]) {
    guard timestamps.count == version.count else { return }
    version.combine(timestamps) { version, timestamp in
      timestamp == EventColumns.absent ? version : SecondsPrediction.floored(timestamp)
    }
  }

  /// What the values of a member are kept as differences to, if they are.
  package func seconds(of member: Member) -> [Int64] { member == .timestamp ? at : version }

  @inline(__always)
  package static func floored(_ microseconds: Int64) -> Int64 {
    let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return rest < 0 ? seconds - 1 : seconds
  }
}

/// Which members a reader wants as columns; the others are stepped over.
package struct MemberSelection: Equatable, Sendable {
  private let bits: UInt64

  package static let all = MemberSelection(bits: .max)

  private init(bits: UInt64) { self.bits = bits }

  package init(_ members: [Member]) { bits = members.reduce(0) { $0 | 1 << UInt64($1.rawValue) } }

  /// Whether timestamps are needed, which other dates may be kept as differences to.
  package var hasDates: Bool {
    Member.allCases.contains { $0.storage == .seconds && contains($0) }
  }

  package func contains(_ member: Member) -> Bool { bits & 1 << UInt64(member.rawValue) != 0 }
}
