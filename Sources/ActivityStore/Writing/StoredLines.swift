internal import ActivityCore

/// Rows of the log read back by their seq, for comparing.
///
/// Whoever asks for many asks by rising seq, so the commit with the row wanted is kept decoded,
/// with as many small ones behind it as make up for opening the log. Commits never change, so what
/// is kept stays true whatever is appended later.
struct StoredLines {
  /// Consecutive commits of one segment, decoded once.
  private struct Stretch {
    var commits: [(seqs: Range<Int64>, lines: PlainLines)] = []

    func lines(of seq: Int64) -> (lines: PlainLines, row: Int)? {
      var low = 0
      var high = commits.count
      while low < high {
        let middle = (low + high) / 2
        if commits[middle].seqs.upperBound <= seq { low = middle + 1 } else { high = middle }
      }
      guard low < commits.count, commits[low].seqs.contains(seq) else { return nil }
      return (commits[low].lines, Int(seq - commits[low].seqs.lowerBound))
    }
  }

  /// Two recorders' pieces of one log may take turns.
  private static let stretchLimit = 2
  /// A stretch is read on until it has so many rows, bytes of content or commits; one commit may
  /// hold more of the first two.
  private static let rowTarget = 4_096
  private static let contentTarget = 8 << 20
  private static let commitLimit = 1_024

  /// Used last comes last.
  private var stretches: [Stretch] = []

  /// A row's line without stamps; nil when the log does not have it whole.
  mutating func line(of seq: Int64, _ files: any LogFiles) throws(LogError) -> [UInt8]? {
    for index in stretches.indices.reversed() {
      guard let (lines, row) = stretches[index].lines(of: seq) else { continue }
      if index != stretches.count - 1 { stretches.append(stretches.remove(at: index)) }
      return lines.line(row)
    }
    if stretches.count == Self.stretchLimit { stretches.removeFirst() }
    let stretch = try read(from: seq, files)
    stretches.append(stretch)
    return stretch.lines(of: seq).flatMap { lines, row in lines.line(row) }
  }

  private mutating func read(
    from seq: Int64, _ files: any LogFiles
  ) throws(LogError) -> Stretch {
    var selection = LogSelection()
    selection.seqs = seq...(seq + Int64(Self.rowTarget))
    var reader = try LogReader(files, selection)
    var batches: [EventColumns] = []
    var names = SubjectDirectory()
    var (rows, bytes) = (0, 0)
    while rows < Self.rowTarget, bytes < Self.contentTarget, batches.count < Self.commitLimit,
      let batch = try reader.next()
    {
      // Another segment numbers its subjects anew, and would make the directory forget.
      if let first = batches.first, first.space != batch.space { break }
      names.take(batch)
      batches.append(batch)
      rows += batch.count
      if case .lines(let content) = batch.payload { bytes += content.count }
    }
    return Stretch(
      commits: batches.map { batch in
        let seqs = batch.firstSeq..<(batch.firstSeq + Int64(batch.count))
        return (seqs, PlainLines(batch, names: names))
      })
  }
}
