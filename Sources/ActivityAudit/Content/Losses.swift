internal import ActivityCore

/// What recorders say they lost, as the `coverage` rows of a log count it: how many lines, and why.
struct Losses: Sendable {
  /// By seq of the row.
  private var bySeq: [Int64: (lines: Int64, why: String)] = [:]

  /// Takes the `coverage` rows of a batch; a row that counts no lines lost no counted ones.
  mutating func add(_ batch: EventColumns) {
    guard case .lines = batch.payload, batch.kind.contains(.coverage) else { return }
    let payload = PayloadLines(batch)
    for row in 0..<batch.count where batch.kind[row] == .coverage {
      guard let range = payload[row], let line = JSONSlice(Array(payload.bytes[range])),
        let lines = line["lost"].flatMap({ Int64($0.spelling) }), lines > 0
      else { continue }
      bySeq[batch.firstSeq + Int64(row)] = (lines, line["why"]?.string ?? "unknown")
    }
  }

  /// What the selected rows of each recorder lost, by reason, in order of reasons.
  func byRecorder(_ set: RowSet) -> [Int32: [AuditCoverage.Loss]] {
    var found: [Int32: [String: AuditCoverage.Loss]] = [:]
    for row in set.coverages {
      guard let (lines, why) = bySeq[row.seq] else { continue }
      var loss = found[row.recorder]?[why] ?? AuditCoverage.Loss(why: why, lines: 0, rows: 0)
      loss.lines = loss.lines.addingReportingOverflow(lines).partialValue
      loss.rows += 1
      found[row.recorder, default: [:]][why] = loss
    }
    return found.mapValues { losses in losses.values.sorted { $0.why < $1.why } }
  }
}
