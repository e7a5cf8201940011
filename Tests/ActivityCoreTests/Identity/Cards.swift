import ActivityCore
import Testing

/// Lines resolved and folded as a file without a log is: seq = line number, recorded-at = `at`.
struct Cards {
  let resolution: Resolution
  let until: Int64

  /// Everything up to an instant, as `show` and `audit` select it.
  init(_ lines: [String], _ at: String) throws {
    var reader = LineReader()
    for (number, line) in lines.enumerated() {
      guard case .row = reader.read(Array(line.utf8)[...], number: number + 1) else {
        throw Refused(line: line)
      }
    }
    var batch = reader.finish()
    batch.firstSeq = 1
    for row in 0..<batch.count { batch.recordedAt[row] = batch.at[row] }
    until = time(at)
    var projector = Projector(Selection(clock: .occurred, allUntil: until))
    projector.add(batch)
    resolution = projector.resolution()
  }

  struct Refused: Error {
    var line: String
  }

  func states(_ view: LogView = .device) -> [ActivityState] {
    Projector.states(resolution, view: view, until: until)
  }

  /// `name phase` of every card that came to be.
  func phases(_ view: LogView = .device) -> [String] {
    states(view).map { "\($0.name) \($0.phase)" }
  }

  /// The only card of a name.
  func card(_ name: String) throws -> ActivityState {
    let found = states().filter { $0.name == name }
    #expect(found.count == 1, "\(states().map(\.name))")
    return try #require(found.first)
  }

  /// `seq:outcome` of every row of an activity of a name, in order.
  func outcomes(_ name: String, view: LogView = .device) -> [String] {
    activities(name).flatMap { activity in
      Fold(activity, of: resolution, view: view, until: until, keepsSteps: true).lives
        .flatMap(\.steps)
        .compactMap { step in
          if case .row = step.cause { "\(step.seq):\(step.outcome.word)" } else { nil }
        }
    }
  }

  /// Seqs of the rows that only reached an activity of a name.
  func reached(_ name: String) -> [Int64] {
    activities(name).flatMap { activity in
      resolution.members[activity].map { resolution.set.rows[Int($0)] }
        .filter { resolution.fansOut($0, in: activity) }.map(\.seq)
    }
  }

  private func activities(_ name: String) -> [Int] {
    resolution.names.indices.filter {
      resolution.names[$0].printed(resolution.set.texts) == name
    }
  }
}
