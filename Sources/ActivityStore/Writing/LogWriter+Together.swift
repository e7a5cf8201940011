package import ActivityCore

extension LogWriter {
  /// Appends batches in their order as few commits, and syncs once where the policy wants it.
  ///
  /// A batch that is refused costs the others nothing; a failed write or sync fails every batch.
  ///
  /// - Returns: one outcome a batch, all of them durable as the policy says. `noteProgress` is to
  ///   follow once they are handed out.
  package func appendTogether(
    _ batches: [(batch: EventColumns, cursors: [IngestCursor])]
  ) -> [Result<AppendReceipt, LogError>] {
    var outcomes: [Result<AppendReceipt, LogError>] = []
    outcomes.reserveCapacity(batches.count)
    while outcomes.count < batches.count {
      var merged = MergedBatch()
      var end = outcomes.count
      while batches.count - outcomes.count > 1, end < batches.count,
        merged.add(batches[end].batch, cursors: batches[end].cursors)
      {
        end += 1
      }
      let group = batches[outcomes.count..<max(end, outcomes.count + 1)]
      outcomes += append(merged, of: group) ?? group.map { append($0.batch, $0.cursors) }
    }
    guard commits.policy == .everyCommit, outcomes.contains(where: \.isSuccess) else {
      return outcomes
    }
    do throws(LogError) {
      try syncBeforeNote()
    } catch {
      return outcomes.map { $0.isSuccess ? .failure(error) : $0 }
    }
    return outcomes
  }

  /// A group as one commit; nil where that is no group, or where the log refused it as a whole with
  /// nothing written, so that each batch is to be tried alone.
  private func append(
    _ merged: MergedBatch, of group: ArraySlice<(batch: EventColumns, cursors: [IngestCursor])>
  ) -> [Result<AppendReceipt, LogError>]? {
    guard group.count > 1 else { return nil }
    do throws(LogError) {
      let receipt = try append(merged.batch(), cursors: merged.cursors, sync: false)
      var start = 0
      return group.map { part in
        defer { start += part.batch.count }
        return .success(AppendReceipt(receipt.rows[start..<(start + part.batch.count)]))
      }
    } catch {
      switch error.code {
      case .batchTooLarge, .badBatch, .outOfOrder: return nil
      default: return group.map { _ in .failure(error) }
      }
    }
  }

  private func append(
    _ batch: EventColumns, _ cursors: [IngestCursor]
  ) -> Result<AppendReceipt, LogError> {
    do throws(LogError) {
      return .success(try append(batch, cursors: cursors, sync: false))
    } catch {
      return .failure(error)
    }
  }
}

extension Result {
  fileprivate var isSuccess: Bool {
    if case .success = self { true } else { false }
  }
}
