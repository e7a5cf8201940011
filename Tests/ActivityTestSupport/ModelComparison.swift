package import ActivityCore

/// What the projector says, in the model's words, so that the two can be compared member by member.
package enum ModelComparison {
  /// S(clock, T) by the projector.
  package static func projected(
    _ batches: [EventColumns], _ selection: Selection, view: LogView
  ) -> [ModelActivity] {
    var projector = Projector(selection)
    for batch in batches { projector.add(batch) }
    let resolution = projector.resolution()
    var result: [ModelActivity] = []
    for activity in resolution.names.indices {
      let fold = Fold(
        activity, of: resolution, view: view, until: selection.until, keepsSteps: true)
      for (life, steps) in fold.lives where life.isOpen {
        let state = ActivityState(
          life, activity: activity, of: resolution, until: selection.until)
        result.append(words(state, steps))
      }
    }
    return result.sorted {
      ($0.name, $0.firstSeq, $0.description) < ($1.name, $1.firstSeq, $1.description)
    }
  }

  /// The selection an instant means, its window found by brute force.
  package static func selection(
    _ batches: [EventColumns], clock: LogClock, at instant: Int64
  ) -> Selection {
    var scheduled: [(at: Int64, startDate: Int64)] = []
    for batch in batches {
      for row in 0..<batch.count where batch.kind[row] == .start {
        guard let date = batch.value(.startDate, row) else { continue }
        let value = clock == .occurred ? batch.countedAt(row) : batch.recordedAt[row]
        if value <= instant { scheduled.append((batch.countedAt(row), date)) }
      }
    }
    let from = Selection.windowStart(at: instant, scheduled: scheduled)
    return Selection(clock: clock, until: instant, from: from, lastSeq: .max)
  }

  /// The selection `--at-seq` means.
  package static func selection(_ batches: [EventColumns], upTo seq: Int64) -> Selection {
    var until = Int64.min
    var scheduled: [(at: Int64, startDate: Int64)] = []
    for batch in batches {
      for row in 0..<batch.count where batch.firstSeq + Int64(row) <= seq {
        until = max(until, batch.countedAt(row))
        guard batch.kind[row] == .start, let date = batch.value(.startDate, row) else { continue }
        scheduled.append((batch.countedAt(row), date))
      }
    }
    let from = Selection.windowStart(at: until, scheduled: scheduled)
    return Selection(clock: .occurred, until: until, from: from, lastSeq: seq)
  }

  private static func words(_ state: ActivityState, _ steps: [Step]) -> ModelActivity {
    var words = ModelActivity()
    words.name = state.name
    words.phase = state.phase.word
    words.since = state.since?.microseconds ?? 0
    words.startedAt = state.startedAt?.microseconds
    words.startedBefore = state.startedBefore?.microseconds
    words.endedAt = state.endedAt?.microseconds
    words.endReason = state.endReason
    words.visibleUntil = state.visibleUntil?.microseconds
    words.inferred = state.inferred
    words.staleDate = state.staleDate?.microseconds
    words.contentSeq = state.contentSeq
    words.key = state.key
    words.device = state.device
    words.build = state.build
    words.attributesType = state.attributesType
    words.updates = state.updates
    words.alerts = state.alerts
    words.firstSeq = state.firstSeq
    words.lastSeq = state.lastSeq
    words.notApplied = steps.compactMap { step in
      guard case .row = step.cause else { return nil }
      switch step.outcome {
      case .applied, .noted: return nil
      case .appliedOlder, .refused, .older, .afterEnd, .future, .tooBig, .noAlert, .undecodable,
        .noLife:
        return ModelNotApplied(seq: step.seq, name: step.outcome.word)
      }
    }
    return words
  }
}
