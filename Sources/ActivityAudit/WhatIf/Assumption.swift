public import ActivityCore

/// Something a sender might have done differently: the same log is folded as if.
public enum Assumption: Sendable, Hashable {
  /// Content that names no stale date goes stale so long after its act.
  case staleDate(after: Timestamp.Span)
  /// An end that was refused for a reason that passes (the provider token, too many requests, APNs
  /// itself, no connection) was repeated until it was taken, and applied when it was first sent.
  case retryEnds

  /// As it is typed: `stale-date=+15m`, `retry-ends`.
  public var name: String {
    switch self {
    case .staleDate(let span): "stale-date=+\(Wording.short(span))"
    case .retryEnds: "retry-ends"
    }
  }

  /// Changes the rows of a resolution. Names and answers stay: what a sender asks for decides
  /// neither.
  package func apply(to resolution: inout Resolution) {
    for index in resolution.set.rows.indices {
      switch self {
      case .staleDate(let span):
        let row = resolution.set.rows[index]
        guard row.kind == .start || row.kind == .update, row.staleDate == EventColumns.absent else {
          continue
        }
        resolution.set.rows[index].staleDate = row.at.addingClamped(span.microseconds)
      case .retryEnds:
        guard resolution.set.rows[index].kind == .end,
          Assumption.mayPass(resolution.set.rows[index], resolution.set)
        else { continue }
        resolution.set.rows[index].answer = .accepted
        resolution.set.rows[index].status = 200
        resolution.set.rows[index].reason = -1
      }
    }
  }

  /// Whether a later attempt might have been taken: nothing is wrong with the push or the token.
  private static func mayPass(_ row: Row, _ set: RowSet) -> Bool {
    guard row.answer == .refused else { return false }
    guard row.status >= 0 else { return row.marks.contains(.lateAnswer) }
    return row.status == 403 || row.status == 429 || row.status >= 500
  }
}

extension Audit {
  /// Audits the same rows as if. Names and answers are those of the log as it is.
  package static func report(
    assuming assumptions: [Assumption], of resolution: Resolution, contents: Contents,
    unnamedRows: Int, options: AuditOptions
  ) -> AuditReport {
    var changed = resolution
    for assumption in assumptions { assumption.apply(to: &changed) }
    return report(of: changed, contents: contents, unnamedRows: unnamedRows, options: options)
  }
}
