/// How a log, or one segment, ends. The end of input is a value to look at: what was lost on the
/// way is part of it.
public enum LogEnd: Sendable, Equatable {
  /// A footer and trailer follow the last commit; nothing will be added to this segment.
  case sealed
  /// The last commit is whole; more may come.
  case open
  /// The last write was cut short and never acknowledged; everything before it is sound.
  case torn(TornTail)
  /// Something that was acknowledged does not verify. Everything else was delivered.
  case damaged([DamagedRange], torn: TornTail?)

  /// The damaged ranges, empty where there are none.
  public var damage: [DamagedRange] {
    switch self {
    case .damaged(let ranges, _): ranges
    case .sealed, .open, .torn: []
    }
  }

  /// The torn tail, if there is one.
  public var tornTail: TornTail? {
    switch self {
    case .torn(let tail): tail
    case .damaged(_, let tail): tail
    case .sealed, .open: nil
    }
  }
}

/// A write that did not finish.
public struct TornTail: Sendable, Equatable, CustomStringConvertible {
  /// The segment's file.
  public var file: String
  /// Where it begins in the file.
  public var offset: UInt64
  /// How many bytes of it there are.
  public var byteCount: UInt64
  /// What shows it, in words.
  public var why: String
  /// It is a footer: derived bytes, to be cut and made again.
  package var isFooter: Bool

  public var description: String {
    "\(file): the last \(byteCount) bytes, from byte \(offset), are a write that never finished "
      + "(\(why)); nothing acknowledged is lost"
  }
}

/// A run of bytes that does not verify, and what it costs.
public struct DamagedRange: Sendable, Equatable, CustomStringConvertible {
  /// What the bytes were.
  public enum Part: String, Sendable {
    /// One of the two copies of a segment's header: nothing is lost.
    case header
    /// Whole commits.
    case commit
    /// A commit's names: its rows are there, who they are about may not be known.
    case names
    /// A commit's columns: its rows are lost.
    case skeleton
    /// A commit's payload: its rows are there, their content is lost.
    case content
    /// A commit's ingest cursors: no row is lost.
    case cursors
    /// Footer or trailer: nothing is lost, both can be rebuilt.
    case index
    /// A whole segment is missing or unreadable.
    case segment
    /// A packed segment that is not the one the next names: it is whole, and not what it was.
    case chain
  }

  /// The segment's file.
  public var file: String
  /// Where the range begins in the file.
  public var offset: UInt64
  /// How many bytes it has; 0 where whole files are missing.
  public var byteCount: UInt64
  /// What the bytes were.
  public var part: Part
  /// Whose rows, names or content went with them.
  public var lost: LostSeqs
  /// Which check failed, in words.
  public var why: String
  /// The next commit was found by searching, because no length led to it.
  public var isResynchronised = false

  public var description: String {
    let end = offset + byteCount
    let cost =
      switch part {
      case _ where lost == .none: "no event lost"
      case .content: "content of \(lost)"
      case .names: "names of \(lost)"
      case .header, .cursors, .index, .chain: "no event lost"
      case .commit, .skeleton, .segment: "\(lost)"
      }
    if part == .chain { return "\(file): the chain of packed segments is broken: \(why)" }
    if part == .segment, byteCount == 0 { return "\(file): \(why): \(cost)" }
    let found = isResynchronised ? "; resynchronised behind it" : ""
    return
      "\(file): bytes \(offset) to \(end) are damaged (\(part.rawValue): \(why)): \(cost)\(found)"
  }
}

/// Which seqs a damaged range held.
public enum LostSeqs: Sendable, Equatable, CustomStringConvertible {
  case none
  case range(from: Int64, through: Int64)
  /// How many there were cannot be read.
  case from(Int64)

  public var description: String {
    switch self {
    case .none: "no event"
    case .range(let from, let through) where from == through: "seq \(from)"
    case .range(let from, let through): "seq \(from) to \(through)"
    case .from(let seq): "from seq \(seq), count unreadable"
    }
  }

  /// The seqs from one up to but without another.
  static func between(_ from: Int64, _ next: Int64) -> LostSeqs {
    next > from ? .range(from: from, through: next - 1) : .none
  }
}
