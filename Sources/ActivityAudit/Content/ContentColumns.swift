internal import ActivityCore

/// What the JSON of rows says, row by row in the order of the log; 16 bytes for each row.
struct ContentColumns: Sendable {
  /// Marks, and the number of the shape; −1 for none.
  struct Brief: Sendable {
    var marks: ContentFacts.Marks = []
    var shape: Int16 = -1
  }

  private(set) var digests: [UInt64] = []
  private(set) var relevances: [Float] = []
  /// What is asked of most rows lies together.
  private(set) var briefs: [Brief] = []
  /// Rows that follow one another without a gap: the first `seq`, and where it is.
  private(set) var runs: [(first: Int64, place: Int)] = []

  mutating func reserve(_ count: Int) {
    digests.reserveCapacity(count)
    relevances.reserveCapacity(count)
    briefs.reserveCapacity(count)
  }

  /// Makes room for rows from a `seq` on; they have nothing of interest until it is put there.
  mutating func extend(by count: Int, from firstSeq: Int64) -> Int {
    let place = briefs.count
    if let run = runs.last, run.first + Int64(place - run.place) == firstSeq {
    } else {
      runs.append((firstSeq, place))
    }
    digests.append(contentsOf: repeatElement(0, count: count))
    relevances.append(contentsOf: repeatElement(.nan, count: count))
    briefs.append(contentsOf: repeatElement(Brief(), count: count))
    return place
  }

  mutating func put(
    _ marks: ContentFacts.Marks, digest: UInt64, relevance: Float, shape: Int32, at place: Int
  ) {
    briefs[place] = Brief(marks: marks, shape: Int16(clamping: shape))
    digests[place] = digest
    relevances[place] = relevance
  }

  /// Where a row is; nil for one whose batch was not read.
  func place(of seq: Int64) -> Int? {
    // A log without gaps is one run.
    var low = runs.count == 1 && runs[0].first <= seq ? 1 : 0
    var high = runs.count
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].first <= seq { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let run = runs[low - 1]
    let end = low < runs.count ? runs[low].place : briefs.count
    let distance = seq - run.first
    return distance < Int64(end - run.place) ? run.place + Int(distance) : nil
  }
}
