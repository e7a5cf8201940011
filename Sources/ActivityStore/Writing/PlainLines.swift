package import ActivityCore

/// Rows of a batch spelled without what a log stamps (`at`, `recorded-at`, `seq`): two rows have
/// equal content when their lines are equal. Nothing is spelled before it is asked for.
package struct PlainLines {
  private let rows: EventRows

  /// - Parameter names: who the batch's ordinals stand for; nil when it brings every subject.
  package init(_ batch: EventColumns, names: SubjectDirectory? = nil) {
    var plain = batch
    plain.at = [Int64](repeating: EventColumns.absent, count: batch.count)
    if let names {
      rows = EventRows(plain, names)
    } else {
      var reader = RowReader()
      rows = reader.rows(of: plain)
    }
  }

  /// A row's line; nil when its payload or a name of it is lost.
  package func line(_ row: Int) -> [UInt8]? { LineWriter(stamped: false).line(rows[row]) }
}
