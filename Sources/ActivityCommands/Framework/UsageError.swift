/// The words on the command line do not say what to do; nothing has been touched.
package struct UsageError: ExplainedError, Equatable {
  package let message: String
  package let hint: String?

  package init(_ message: String, hint: String? = nil) {
    self.message = message
    self.hint = hint
  }
}

/// The spelling somebody probably meant.
package enum Spelling {
  /// The nearest of `known` to `word`, when it is near enough to be a slip of the finger.
  package static func nearest(to word: String, among known: [String]) -> String? {
    let allowed = max(1, word.count / 3)
    let ranked = known.map { (edits: distance(word, $0), apart: $0.first != word.first, $0) }
    let near = ranked.filter { $0.edits <= allowed }
    let best = near.min { ($0.edits, $0.apart ? 1 : 0) < ($1.edits, $1.apart ? 1 : 0) }
    if let best { return best.2 }
    let completed = known.filter { word.count > 1 && $0.hasPrefix(word) }
    return completed.count == 1 ? completed[0] : nil
  }

  /// Edits between two words, where swapping neighbours is one edit.
  package static func distance(_ a: String, _ b: String) -> Int {
    let a = Array(a)
    let b = Array(b)
    var rows = [Array(0...b.count)]
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        var best = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, rows[i - 1][j - 1] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
