public import ActivityCore

/// Lines become batches of at most `rows` rows, as a log would have stamped them: `seq` and
/// `recorded-at` are the lines' own.
public func batches(of lines: [String], rows: Int = 1000) -> [EventColumns] {
  var result: [EventColumns] = []
  var reader = LineReader(restoring: true)
  var pending = 0
  for (index, line) in lines.enumerated() {
    let outcome = reader.read(Array(line.utf8)[...], number: index + 1)
    guard case .row = outcome else {
      preconditionFailure("Line \(index + 1) of a test is not a row: \(outcome)")
    }
    pending += 1
    if pending == rows || index == lines.count - 1 {
      result.append(stamped(reader.finish(), space: result.count))
      pending = 0
    }
  }
  return result
}

/// Gives a batch the seq of its first line, and a row without one of its times the other.
private func stamped(_ batch: EventColumns, space: Int) -> EventColumns {
  var batch = batch
  batch.space = space
  batch.firstSeq = batch.statedSeq.first ?? 1
  for row in 0..<batch.count {
    if batch.at[row] == EventColumns.absent { batch.at[row] = batch.recordedAt[row] }
    if batch.recordedAt[row] == EventColumns.absent { batch.recordedAt[row] = batch.at[row] }
  }
  return batch
}
