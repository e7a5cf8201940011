/// How hard a writer works for small commits; what it writes reads back alike.
package struct CommitEncoding: Sendable, Equatable {
  package enum Level: Sendable {
    /// While events come in: as fast as they come.
    case fast
    /// When a segment is rewritten once and for all: the smallest blocks the platform can make.
    case high
  }

  package var level: Level

  package static let fast = CommitEncoding(level: .fast)
  package static let high = CommitEncoding(level: .high)

  package init(level: Level) {
    self.level = level
  }
}
