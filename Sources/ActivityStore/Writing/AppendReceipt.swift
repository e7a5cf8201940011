/// What became of each row of an appended batch.
public struct AppendReceipt: Sendable, Equatable {
  /// One row's fate.
  public enum Row: Sendable, Equatable {
    /// Written under this seq.
    case appended(Int64)
    /// Its `id` is in the log already, under this seq, with equal content: a success.
    case repeated(Int64)
    /// Its `id` is in the log already, under this seq, with other content: refused.
    case conflict(Int64)
  }

  /// One entry a row of the batch, in its order.
  public private(set) var rows: [Row]

  init(pending count: Int = 0) {
    rows = [Row](repeating: .appended(0), count: count)
  }

  /// A part of another receipt.
  init(_ rows: ArraySlice<Row>) { self.rows = Array(rows) }

  mutating func set(_ row: Int, _ fate: Row) { rows[row] = fate }

  /// How many rows were written.
  public var appended: Int { rows.count { if case .appended = $0 { true } else { false } } }
  /// How many were there already.
  public var repeated: Int { rows.count { if case .repeated = $0 { true } else { false } } }
  /// How many were refused.
  public var conflicts: Int { rows.count { if case .conflict = $0 { true } else { false } } }
}
