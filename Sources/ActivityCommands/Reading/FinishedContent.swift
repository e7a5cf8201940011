internal import ActivityCore
internal import ActivityStore

/// Content that says the work behind a card is over: `--finished /content-state/status=delivered`.
struct FinishedContent: Sendable {
  private struct Wanted: Sendable {
    var pointer: String
    var value: String
  }

  private let wanted: [Wanted]

  init(_ pairs: [(name: String, value: String)]) throws(UsageError) {
    var wanted: [Wanted] = []
    for (pointer, value) in pairs {
      guard pointer.hasPrefix("/") else {
        throw UsageError(
          "--finished: '\(pointer)' is no JSON pointer",
          hint: "--finished /content-state/status=delivered")
      }
      wanted.append(Wanted(pointer: pointer, value: value))
    }
    self.wanted = wanted
  }

  /// `seq` of every content act that has one of the values. Reads all content, and only if asked.
  func rows(in log: inout LogAccess, _ selection: Selection) throws -> Set<Int64> {
    guard !wanted.isEmpty else { return [] }
    var found: Set<Int64> = []
    var content = LogSelection.window(of: selection)
    content.withContent = true
    var names = RowReader()
    try log.forEach(content) { batch in
      for row in names.rows(of: batch) where row.kind.isContentAct && says(row) {
        found.insert(row.seq)
      }
    }
    return found
  }

  private func says(_ row: EventRow) -> Bool {
    guard let payload = row.payload else { return false }
    return wanted.contains { wanted in
      guard let value = payload[pointer: wanted.pointer] else { return false }
      return value.string == wanted.value || value.spelling == wanted.value
    }
  }
}
