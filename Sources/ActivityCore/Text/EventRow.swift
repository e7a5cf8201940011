/// Batches one after another as rows for people: it keeps the names that rows of later batches use.
public struct RowReader: Sendable {
  private var names = SubjectDirectory()

  /// A reader that knows no names yet.
  public init() {}

  /// The rows of a batch. Batches of one numbering must come in their order, since a later one may
  /// name subjects that only an earlier one introduced.
  public mutating func rows(of batch: EventColumns) -> EventRows {
    names.take(batch)
    return EventRows(batch, names)
  }
}

/// A batch as rows.
public struct EventRows: RandomAccessCollection, Sendable {
  final class Contents: Sendable {
    let columns: EventColumns
    let names: SubjectDirectory
    let lines: PayloadLines

    init(_ columns: EventColumns, _ names: SubjectDirectory) {
      self.columns = columns
      self.names = names
      lines = PayloadLines(columns)
    }
  }

  let contents: Contents

  /// - Parameter names: who the batch's ordinals stand for, the batch's own subjects included.
  public init(_ columns: EventColumns, _ names: SubjectDirectory) {
    contents = Contents(columns, names)
  }

  /// The batch itself.
  public var columns: EventColumns { contents.columns }
  /// Rows count from 0.
  public var startIndex: Int { 0 }
  /// One more than the last row.
  public var endIndex: Int { contents.columns.count }
  /// A row of the batch.
  public subscript(row: Int) -> EventRow { EventRow(contents: contents, row: row) }
}

/// One event, read from its columns and its payload when asked: what people and rules that need
/// content look at, never what folds.
public struct EventRow: Sendable {
  let contents: EventRows.Contents
  /// Its place in its batch.
  public let row: Int

  /// The log's number; what the line said while it is being restored; 0 and up before a log has it.
  public var seq: Int64 {
    let stated = contents.columns.statedSeq
    return stated.isEmpty ? contents.columns.firstSeq + Int64(row) : stated[row]
  }

  /// What it says happened.
  public var kind: EventKind { contents.columns.kind[row] }
  /// What it carries.
  public var flags: RowFlags { contents.columns.flags[row] }

  /// The word of `event`, also that of a kind this version does not know.
  public var kindWord: String {
    kind == .unknown ? self["event"]?.string ?? "unknown" : kind.word
  }

  /// When it happened as recorded; nil before a log has stamped a line without `at`.
  public var at: Timestamp? { EventRow.instant(contents.columns.at[row]) }

  /// When the log took it; nil before it did.
  public var recordedAt: Timestamp? { EventRow.instant(contents.columns.recordedAt[row]) }

  /// The system's own id of the activity.
  public var activityID: String? { handle(.activity) }
  /// The token's digest.
  public var token: String? { handle(.token) }
  /// The broadcast channel.
  public var channel: String? { handle(.channel) }
  /// The business key.
  public var key: String? { handle(.key) }

  /// Who the row is about: its first handle in its scope; nil when the name did not survive.
  public var subject: SubjectDirectory.Subject? { contents.names[contents.columns.subject[row]] }
  /// `production`, `sandbox`, or whatever it says.
  public var environment: String? { subject?.environment }
  /// The app it is about.
  public var bundleID: String? { subject?.bundle }
  /// The device it is about.
  public var device: String? { subject?.device }

  /// The number in a member's column: µs, a whole number, or 0 and 1; nil when absent.
  public func value(_ member: Member) -> Int64? { contents.columns.value(member, row) }

  /// An instant a member names.
  public func instant(_ member: Member) -> Timestamp? {
    value(member).map { Timestamp(microseconds: $0) }
  }

  /// A member's text; for a handle its name, for `token` and `replaces` the digest.
  public func text(_ member: Member) -> String? {
    switch member.storage {
    case .word, .text: contents.columns.text(member, row)
    case .handle:
      switch member {
      case .token: token
      case .channel: channel
      case .key: key
      default: value(member).flatMap { name($0) }
      }
    case .seconds, .whole, .flag, .size: nil
    }
  }

  private func handle(_ kind: HandleKind) -> String? {
    if let subject, subject.kind == kind { return subject.name }
    let member: Member
    switch kind {
    case .app, .activity: return nil
    case .token: member = .token
    case .channel: member = .channel
    case .key: member = .key
    }
    return value(member).flatMap { name($0) }
  }

  /// Who an ordinal in a column stands for, as codes of the directory's texts.
  func entry(_ ordinal: Int64) -> SubjectDirectory.Entry? {
    Int32(exactly: ordinal).flatMap { contents.names.entry($0) }
  }

  private func name(_ ordinal: Int64) -> String? {
    Int32(exactly: ordinal).flatMap { contents.names[$0]?.name }
  }

  /// The members that stay JSON, as one object; nil when the payload was not read or is damaged.
  public var payload: JSONSlice? {
    guard let range = contents.lines[row], !range.isEmpty else { return nil }
    return JSONSlice(bytes: contents.lines.bytes, range: range, type: .object)
  }

  /// Whether the payload's bytes did not verify.
  public var isContentDamaged: Bool {
    if case .damaged = contents.columns.payload { return true }
    return false
  }

  /// A member that stays JSON, such as `content-state`; nil when absent or null.
  public subscript(name: String) -> JSONSlice? {
    guard let value = payload?[name], value.type != .null else { return nil }
    return value
  }

  /// What an inventory lists.
  public var inventory: [(activityID: String?, state: String?)] {
    let entries = contents.columns.inventory
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if Int(entries[middle].row) < row { low = middle + 1 } else { high = middle }
    }
    return entries[low...].prefix { Int($0.row) == row }.map { entry in
      let state = entry.state < 0 ? nil : contents.columns.texts.string(Int(entry.state))
      return (contents.names[entry.subject]?.name, state)
    }
  }

  private static func instant(_ microseconds: Int64) -> Timestamp? {
    microseconds == EventColumns.absent ? nil : Timestamp(microseconds: microseconds)
  }
}
