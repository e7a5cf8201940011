public import ActivityCore

/// Follows a growing log across seals and new segments.
///
/// The caller drives it: `poll` gives what is there and nil when there is nothing more now. A
/// write in progress is waited for without a word.
public struct LogTail: Sendable {
  /// What did not verify so far.
  public var damage: [DamagedRange] { passed + (reader?.scanner.damage ?? []) }
  /// The seq after the last one delivered or passed over.
  public private(set) var nextSeq: Int64

  private let files: any LogFiles
  private let selection: LogSelection
  private var reader: SegmentReader?
  private var passed: [DamagedRange] = []
  private var segment: String?

  /// - Parameters:
  ///   - seq: Where to begin: the commit that holds it comes first, or the first one behind it.
  package init(
    _ files: any LogFiles, from seq: Int64, _ selection: LogSelection = LogSelection()
  ) throws(LogError) {
    self.files = files
    self.nextSeq = seq
    var selection = selection
    selection.seqs = max(seq, selection.seqs.lowerBound)...Int64.max
    self.selection = selection
    let names = try CommitWriter.segments(files)
    segment = names.last { (SegmentName.firstSeq($0) ?? 0) <= seq } ?? names[0]
  }

  /// The next batch that is there already; nil when nothing more is there now.
  public mutating func poll() throws(LogError) -> EventColumns? {
    while let name = segment {
      if let batch = try advance(name) { return batch }
      let names = try CommitWriter.segments(files)
      guard let later = names.first(where: { $0 > name }) else { return nil }
      // The next segment is there, so this one is complete: what came meanwhile comes first.
      if let batch = try advance(name) { return batch }
      passed += reader?.scanner.damage ?? []
      reader = nil
      segment = later
    }
    return nil
  }

  private mutating func advance(_ name: String) throws(LogError) -> EventColumns? {
    var current: SegmentReader
    if let open = reader {
      current = open
      reader = nil
      try current.scanner.resume()
    } else {
      let files = files
      current = SegmentReader(
        try SegmentScanner(
          try files.open(name, .read), isWriterLive: { WriterLock.isWriting(name, in: files) },
          reopen: { try? files.open(name, .read) }))
    }
    let found = try current.next(selection)
    nextSeq = max(nextSeq, current.scanner.nextSeq)
    reader = current
    return found?.batch
  }
}

extension SegmentScanner {
  /// Goes on where the scan ended, with what the file has become since.
  mutating func resume() throws(LogError) {
    guard tail != nil, tail != .sealed else { return }
    size = max(offset, try file.size())
    window.drop()
    trailer = try readTrailer()
    tail = nil
  }
}
