internal import ActivityCore

/// What the JSON of a life's rows shows, one row after the other.
struct JSONScan {
  /// The shape of the contents so far; −1 for none.
  private(set) var shape: Int32 = -1
  /// The last content that took effect: where its row is, and until when it holds.
  private var former: (place: Int, staleDate: Int64)?
  /// The key that the first content act names, if one does.
  private var key: Int32?

  /// Content that took effect.
  mutating func take(
    content row: Row, at place: Int, _ columns: ContentColumns, _ traits: inout LifeTraits
  ) {
    let brief = columns.briefs[place]
    guard brief.marks.contains(.known) else { return }
    if row.kind == .update, !row.flags.contains(.alert), let former,
      former.staleDate == row.staleDate, columns.isSame(former.place, place)
    {
      traits.insert(.sameContent)
    }
    former = (place, row.staleDate)
    guard row.kind != .end else { return }
    let own = Int32(brief.shape)
    guard own >= 0 else { return }
    if shape < 0 { shape = own } else if shape != own { traits.insert(.mixedShapes) }
  }

  /// The key of a content act that its content names, else the one of its row; −1 for none.
  mutating func take(key said: Int32, rowKey: Int32, _ traits: inout LifeTraits) {
    guard let known = key else {
      let first = said == -1 ? rowKey : said
      if first != -1 { key = first }
      return
    }
    if said != -1, said != known { traits.insert(.strangeKey) }
  }
}

extension ContentColumns {
  /// Whether two rows have the same content and relevance.
  fileprivate func isSame(_ one: Int, _ other: Int) -> Bool {
    guard digests[one] == digests[other] else { return false }
    let (a, b) = (relevances[one], relevances[other])
    return a == b || a.isNaN && b.isNaN
  }
}

extension LifeReader {
  /// What a row's JSON says, as far as rules ask for it.
  mutating func read(
    _ step: Step, _ row: Row, _ isReached: Bool, _ json: inout JSONScan,
    _ traits: inout LifeTraits
  ) {
    guard row.seq > 0, let place = columns.place(of: row.seq) else { return }
    if asksMarks {
      let marks = columns.briefs[place].marks
      if marks.contains(.rare) { traits.insert(.rareContent) }
      if marks.contains(.textDate) { traits.insert(.wrongDate) }
      if marks.contains(.strayDismissal) { traits.insert(.strangeDismissal) }
    }
    guard row.kind.isAct else { return }
    let hasAlert = row.kind == .alert || row.flags.contains(.alert)
    if hasAlert, row.isByPush { read(alert: columns.briefs[place].marks, row, &traits) }
    if step.outcome.isApplied, row.flags.contains(.content) {
      json.take(content: row, at: place, columns, &traits)
    }
    if !keys.isEmpty, row.kind.isContentAct, !(isReached && row.activity < 0 && row.token < 0) {
      let word = ground.contents.keys[place]
      json.take(key: word < 0 ? -1 : keys[Int(word)], rowKey: row.key, &traits)
    }
  }

  private func read(
    alert marks: ContentFacts.Marks, _ row: Row, _ traits: inout LifeTraits
  ) {
    guard marks.contains(.known) else { return }
    if row.kind == .start {
      if marks.isDisjoint(with: [.title, .body]) { traits.insert(.bareStart) }
    } else if !row.answer.refuses, !marks.contains(.title) {
      traits.insert(.untitled)
    }
  }
}
