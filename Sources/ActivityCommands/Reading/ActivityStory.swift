internal import ActivityCore

/// One life of one activity in both views, with what each step's row says: what `show` prints.
struct ActivityStory {
  /// A step with its row, when it has one.
  struct Moment {
    var step: Step
    var row: EventRow?
    var content: RowContent?
  }

  let device: ActivityState
  /// What the sender believes of the same life; nil when it never asked for anything.
  let sent: ActivityState?
  var moments: [Moment]
  /// What the order itself did while the card could be seen.
  let work: [(seq: Int64, at: Timestamp, outcome: String)]

  /// The lives of the activities, oldest first, with the rows of their steps.
  static func stories(
    of activities: [Int], in resolution: Resolution, until: Int64, _ log: inout LogAccess
  ) throws -> [ActivityStory] {
    var stories: [ActivityStory] = []
    for activity in activities {
      let device = Fold(activity, of: resolution, view: .device, until: until, keepsSteps: true)
      let sent = Fold(activity, of: resolution, view: .sent, until: until, keepsSteps: false)
      let believed = sent.lives.map(\.life).filter(\.isOpen).map {
        ActivityState($0, activity: activity, of: resolution, until: until)
      }
      for (life, steps) in device.lives where !steps.isEmpty {
        let state = ActivityState(life, activity: activity, of: resolution, until: until)
        // The lives of the two views need not be the same: the one that shares rows is meant.
        let same = believed.last { $0.firstSeq <= state.lastSeq && $0.lastSeq >= state.firstSeq }
        stories.append(
          ActivityStory(
            device: state, sent: same,
            moments: steps.observedForDerived(in: resolution.set.rows).map { Moment(step: $0) },
            work: work(of: life, in: resolution)))
      }
    }
    stories.sort { ($0.device.firstSeq, $0.device.name) < ($1.device.firstSeq, $1.device.name) }
    try fill(&stories, from: &log)
    return stories
  }

  private static func work(
    of life: Life, in resolution: Resolution
  ) -> [(seq: Int64, at: Timestamp, outcome: String)] {
    guard life.key >= 0 else { return [] }
    let first = life.startedAt == Life.absent ? life.startedBefore : life.startedAt
    let reach = resolution.set.limits.active.microseconds * 3 / 2
    let works = resolution.set.works.filter { work in
      work.key == life.key && abs(work.at.subtractingClamped(first)) <= reach
    }
    return works.sorted { ($0.at, $0.seq) < ($1.at, $1.seq) }.map { work in
      (
        work.seq, Timestamp(microseconds: work.at),
        resolution.set.text(work.outcome) ?? "unknown"
      )
    }
  }

  /// Reads the rows of all steps in one go.
  private static func fill(_ stories: inout [ActivityStory], from log: inout LogAccess) throws {
    var rows: [Int64: EventRow] = [:]
    let seqs = stories.flatMap(\.moments).compactMap { moment -> Int64? in
      if case .row = moment.step.cause { moment.step.seq } else { nil }
    }
    try log.rows(at: seqs) { rows[$0.seq] = $0 }
    for story in stories.indices {
      for index in stories[story].moments.indices {
        guard case .row = stories[story].moments[index].step.cause else { continue }
        let row = rows[stories[story].moments[index].step.seq]
        stories[story].moments[index].row = row
        stories[story].moments[index].content = row.map { RowContent($0) }
      }
    }
  }
}
