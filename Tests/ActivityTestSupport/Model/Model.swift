// The independent model: S(clock, T) of the log, written from its meaning (Meaning.md, whose
// decisions are named in comments here) and not from the projector, as a slow, plain fold. It
// filters, resolves, groups, sorts and walks anew for every question and keeps nothing.

/// S(clock, T): every activity of the rows selected at `instant`, with what it is then.
///
/// - Parameter instant: microseconds since 1970.
/// - Returns: one element per life, sorted by name and first row; lives that nothing opened are
///   left out, dismissed ones are not.
public func model(
  _ rows: [ModelRow], clock: ModelClock, at instant: Int64, view: ModelView
) -> [ModelActivity] {
  // S1: a row passes by the chosen clock; `at` is already min(at, recorded-at) (R1).
  let passed = rows.filter { (clock == .occurred ? $0.at : $0.recordedAt) <= instant }
  return derive(passed, at: instant, view: view)
}

/// The state after row `number`: rows with seq ≤ `number`, at the largest `at` among them (S1).
public func model(
  _ rows: [ModelRow], atSeq number: Int64, view: ModelView
) -> [ModelActivity] {
  let passed = rows.filter { $0.seq <= number }
  guard let instant = passed.map(\.at).max() else { return [] }
  return derive(passed, at: instant, view: view)
}

/// S2: the `at` before which rows are left out.
private func windowStart(_ passed: [ModelRow], at instant: Int64) -> Int64 {
  let plain = instant - 36 * ModelTime.hour
  var earliest = plain
  for row in passed where row.event == "start" {
    guard let date = row.startDate else { continue }
    let counted = min(date, row.at + 30 * ModelTime.day)
    if counted >= plain { earliest = min(earliest, row.at) }
  }
  return earliest
}

private func derive(
  _ passed: [ModelRow], at instant: Int64, view: ModelView
) -> [ModelActivity] {
  let start = windowStart(passed, at: instant)
  let selected = passed.filter { $0.at >= start }.sorted { $0.precedes($1) }
  var answers = ModelAnswers(selected)
  let groups = ModelIdentity(selected, answers: answers).groups()
  answers.findUndecodable(selected, groups: groups)
  let speakers = selected.filter(\.isSpeaker)
  var result: [ModelActivity] = []
  for group in groups {
    var walk = ModelWalk(group: group, answers: answers, view: view)
    result += walk.lives(hearing: speakers, at: instant)
  }
  return result.sorted { one, two in
    if one.name != two.name { return one.name < two.name }
    if one.firstSeq != two.firstSeq { return one.firstSeq < two.firstSeq }
    // Two scopes may share their first row (I4).
    return one.description < two.description
  }
}
