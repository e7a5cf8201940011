internal import ActivityAudit
internal import ActivityCore

/// `--require-coverage`: recorders without which an audit of a window proves little.
///
/// A recorder covers the window when its first row lies at most `slack` after the window begins,
/// its last at most `slack` before the window ends, and no gap it states overlaps the window. The
/// window is `--since` to `--until`, else the log's first row to its last.
struct RequiredCoverage: Sendable {
  /// A recorder that does not cover the window, and why.
  struct Missing: Sendable {
    var recorder: String
    /// What is missing, in words with times.
    var why: String
  }

  /// As given, without repeats.
  let recorders: [String]

  /// Nobody writes a row in the very first and the very last second.
  static let slack = Timestamp.Span.minutes(5)

  /// Names separated by commas.
  init(_ lists: [String]) throws(UsageError) {
    var names: [String] = []
    for list in lists {
      for name in list.split(separator: ",", omittingEmptySubsequences: false) {
        guard !name.isEmpty else {
          throw UsageError(
            "--require-coverage: a name is empty in '\(list)'", hint: "push-7,alice")
        }
        if !names.contains(String(name)) { names.append(String(name)) }
      }
    }
    recorders = names
  }

  /// Those that do not cover the window, in the order given.
  func missing(
    from coverage: AuditCoverage, since: Timestamp?, until: Timestamp?, _ time: TimeText
  ) -> [Missing] {
    guard let window = coverage.window else {
      return recorders.map { Missing(recorder: $0, why: "the log has no event") }
    }
    let asked = Interval(from: since ?? window.from, until: until ?? window.until)
    return recorders.flatMap { name -> [Missing] in
      guard let recorder = coverage.recorders.first(where: { $0.name == name }) else {
        return [Missing(recorder: name, why: "no row of it is in the log")]
      }
      let why = RequiredCoverage.gaps(of: recorder, in: asked, time)
      return why.isEmpty ? [] : [Missing(recorder: name, why: why.joined(separator: "; "))]
    }
  }

  private static func gaps(
    of recorder: AuditCoverage.Recorder, in asked: Interval, _ time: TimeText
  ) -> [String] {
    var gaps: [String] = []
    if recorder.first > asked.from + slack {
      gaps.append(
        "its first row is of \(time.instant(recorder.first)), the window begins "
          + time.instant(asked.from))
    }
    if recorder.last < asked.until - slack {
      gaps.append(
        "its last row is of \(time.instant(recorder.last)), the window ends "
          + time.instant(asked.until))
    }
    for hole in recorder.holes where hole.from < asked.until && hole.until > asked.from {
      gaps.append("it lost \(time.instant(hole.from)) to \(time.instant(hole.until))")
    }
    return gaps
  }
}
