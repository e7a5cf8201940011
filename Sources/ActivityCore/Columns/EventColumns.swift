/// A batch of rows as columns: the unit that flows from a parser or a commit to the fold.
///
/// Every column is either empty (no row of the batch has it) or `count` long, absent values being
/// `EventColumns.absent`. Rows of a batch have consecutive `seq` from `firstSeq`. The payload holds
/// each row's members that are not in columns, one JSON object a line, untouched bytes.
public struct EventColumns: Sendable {
  /// Stands for a value a row does not have.
  public static let absent = Int64.min

  /// How many rows there are.
  public private(set) var count = 0
  /// `seq` of row 0; 0 while the log has not stamped the batch.
  public var firstSeq: Int64 = 0
  /// Which numbering of subjects `subject` and the handle columns use: batches with equal `space`
  /// share one (a segment), and a consumer forgets ordinals when it changes.
  public var space = 0

  /// What each row says happened, and what it carries.
  public var kind: [EventKind] = []
  public var flags: [RowFlags] = []
  /// The ordinal of the row's first handle (of activity-id, token, channel, key), else of its app.
  public var subject: [Int32] = []
  /// Microseconds; before a log stamps it what the line says, `absent` where it says nothing.
  public var recordedAt: [Int64] = []
  /// Microseconds, as recorded (not yet cut to `recordedAt`); `absent` until stamped.
  public var at: [Int64] = []
  /// One entry a `Member.rawValue`.
  private var columns = [[Int64]](repeating: [], count: Member.columnLimit)

  /// `seq` of each row as its line says, kept only for restoring; else empty.
  public var statedSeq: [Int64] = []

  /// What inventories list, in the order of their rows.
  public var inventory: [InventoryEntry] = []
  /// The words behind the codes of columns and subjects.
  public var texts = TextTable()
  /// The subjects this batch brings with it.
  public var subjects = SubjectTable()
  /// The members that stay JSON.
  public var payload = Payload.lines([])

  /// The rows' members that stay JSON.
  public enum Payload: Sendable {
    /// One object a line, each line ended by LF.
    case lines([UInt8])
    /// Nobody asked for it.
    case notRead
    /// Its bytes did not verify; the rows' columns are sound.
    case damaged
  }

  /// One activity that an inventory lists.
  public struct InventoryEntry: Sendable, Equatable {
    /// The inventory's row in the batch.
    public var row: Int32
    /// Ordinal of the listed activity's subject.
    public var subject: Int32
    /// Code of the state's word in the batch's texts, −1 for none.
    public var state: Int32

    /// One entry of the inventory in `row`.
    public init(row: Int32, subject: Int32, state: Int32) {
      self.row = row
      self.subject = subject
      self.state = state
    }
  }

  /// A batch without rows.
  public init() {}

  /// The whole column of a member: empty or `count` long.
  public subscript(member: Member) -> [Int64] { columns[Int(member.rawValue)] }

  /// A row's value of a member, nil when absent.
  public func value(_ member: Member, _ row: Int) -> Int64? {
    let column = columns[Int(member.rawValue)]
    guard !column.isEmpty else { return nil }
    let value = column[row]
    return value == EventColumns.absent ? nil : value
  }

  /// A row's text of a member whose storage is `word` or `text`.
  public func text(_ member: Member, _ row: Int) -> String? {
    value(member, row).map { texts.string(Int($0)) }
  }

  /// Sets a row's value, making the column if it is the first.
  public mutating func set(_ member: Member, _ row: Int, _ value: Int64) {
    let number = Int(member.rawValue)
    if columns[number].count <= row {
      let missing = max(count, row + 1) - columns[number].count
      columns[number].append(
        contentsOf: repeatElement(EventColumns.absent, count: missing))
    }
    columns[number][row] = value
  }

  /// Replaces a whole column; it must be empty or `count` long.
  public mutating func setColumn(_ member: Member, _ values: [Int64]) {
    precondition(values.isEmpty || values.count == count, "A column has one value for each row.")
    columns[Int(member.rawValue)] = values
  }

  /// Adds a row without members; its number is returned.
  public mutating func appendRow(
    kind: EventKind, flags: RowFlags, subject: Int32, at: Int64, recordedAt: Int64
  ) -> Int {
    self.kind.append(kind)
    self.flags.append(flags)
    self.subject.append(subject)
    self.at.append(at)
    self.recordedAt.append(recordedAt)
    count += 1
    return count - 1
  }

  /// Makes every column that exists as long as the batch; call once after the last row.
  public mutating func squareUp() {
    for number in columns.indices where !columns[number].isEmpty && columns[number].count < count {
      let missing = count - columns[number].count
      columns[number].append(contentsOf: repeatElement(EventColumns.absent, count: missing))
    }
  }

  /// Takes whole columns at once, as a decoder has them; all must be equally long.
  public mutating func setRows(
    kind: [EventKind], flags: [RowFlags], subject: [Int32], at: [Int64], recordedAt: [Int64]
  ) {
    precondition(
      flags.count == kind.count && subject.count == kind.count && at.count == kind.count
        && recordedAt.count == kind.count, "The five columns of every row are equally long.")
    self.kind = kind
    self.flags = flags
    self.subject = subject
    self.at = at
    self.recordedAt = recordedAt
    count = kind.count
  }

  /// When the row happened as it counts: its `at`, but never after it was recorded.
  public func countedAt(_ row: Int) -> Int64 { min(at[row], recordedAt[row]) }
}
