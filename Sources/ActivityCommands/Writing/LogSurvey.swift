internal import ActivityStore

/// A log as its files are: every segment, who writes it, how far it is synced. Taken from headers
/// and footers; no event is opened.
struct LogSurvey {
  /// One file of the log.
  struct Segment: Equatable {
    var name: String
    var bytes: UInt64
    var isSealed: Bool
    var isPacked = false
    var commits = 0
    var events: Int64 = 0
    var firstSeq: Int64
    /// One less than `firstSeq` while it is empty.
    var lastSeq: Int64

    /// `active`, then `sealed`, then `packed`.
    var state: String { isPacked ? "packed" : isSealed ? "sealed" : "active" }
  }

  /// Where the files lie, also where LOG names one segment.
  let files: any LogFiles
  private(set) var segments: [Segment] = []
  private(set) var log: LogID?
  private(set) var metadata: [LogMetadata] = []
  /// The chain's head and the seqs it stands for; nil while nothing is packed.
  private(set) var head: ChainHead?

  /// SHA-256 of the last packed segment, which names the one before, and so on.
  struct ChainHead: Equatable {
    var digest: [UInt8]
    var seqs: ClosedRange<Int64>
  }
  /// What the last writer said of itself.
  let note: WriterNote?
  let isWriterLive: Bool

  /// Sizes are taken first, then the synced end: a writer at work can only make the first look
  /// too small.
  init(path: String) throws(LogError) {
    let files = try Self.files(path)
    self.files = files
    let names = try CommitWriter.segments(files)
    var sizes: [UInt64] = []
    for name in names { sizes.append(try files.open(name, .read).size()) }
    note = WriterNote.read(files)
    isWriterLive = WriterLock.isHeld(files)
    for (name, size) in zip(names, sizes) {
      do throws(LogError) {
        try add(name, size)
      } catch {
        // Whoever reads the events reports a segment that is none any more.
        guard error.code == .notALog, names.count > 1 else { throw error }
      }
    }
    guard let first = segments.first, let last = segments.last(where: \.isPacked) else { return }
    head = ChainHead(
      digest: try LogChain.digest(of: try files.open(last.name, .read)),
      seqs: first.firstSeq...max(first.firstSeq, last.lastSeq))
  }

  private mutating func add(_ name: String, _ size: UInt64) throws(LogError) {
    let isLive = isWriterLive
    var scanner = try SegmentScanner(try files.open(name, .read), isWriterLive: { isLive })
    // A segment of another log is reported by whoever reads the events.
    guard log == nil || log == scanner.header.log else { return }
    log = scanner.header.log
    metadata = scanner.header.metadata
    var segment = Segment(
      name: name, bytes: size, isSealed: false, firstSeq: scanner.header.firstSeq,
      lastSeq: scanner.header.firstSeq - 1)
    segment.isPacked = scanner.header.isPacked
    func take(_ facts: CommitFacts) {
      segment.commits += 1
      segment.events += Int64(facts.count)
      segment.lastSeq = facts.nextSeq - 1
    }
    if let footer = try scanner.readFooter() {
      segment.isSealed = true
      for commit in footer.commits { take(commit.facts) }
    } else {
      while let commit = try scanner.next() { take(commit.facts) }
      segment.isSealed = scanner.isSealed
    }
    segments.append(segment)
  }

  var bytes: UInt64 { segments.reduce(0) { $0 + $1.bytes } }
  var events: Int64 { segments.reduce(0) { $0 + $1.events } }
  var firstSeq: Int64 { segments.first?.firstSeq ?? 1 }
  var lastSeq: Int64 { segments.last?.lastSeq ?? 0 }

  /// A directory, or one segment as if it were a whole log.
  private static func files(_ path: String) throws(LogError) -> any LogFiles {
    let directory = PosixFiles(path: path)
    do throws(LogError) {
      _ = try directory.list()
      return directory
    } catch {
      guard error.code == .notALog else { throw error }
      return OneSegment(path: path)
    }
  }
}

/// One segment's file, wherever it lies and whatever its name, beside the lock of its directory.
private struct OneSegment: LogFiles {
  let path: String
  private let parent: PosixFiles
  private let file: String
  /// What a log would call it.
  private let name: String

  init(path: String) {
    self.path = path
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let above = parts.dropLast().joined(separator: "/")
    parent = PosixFiles(path: above.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : above)
    file = parts.last.map(String.init) ?? path
    name = SegmentName.firstSeq(file) == nil ? SegmentName.of(1) : file
  }

  func list() throws(LogError) -> [String] { [name] }

  func open(_ name: String, _ mode: FileMode) throws(LogError) -> any LogFile {
    try parent.open(name == self.name ? file : name, mode)
  }

  func makeDirectory() throws(LogError) { throw Self.readOnly(path) }
  func rename(_ name: String, to other: String) throws(LogError) { throw Self.readOnly(path) }
  func remove(_ name: String) throws(LogError) { throw Self.readOnly(path) }
  func syncDirectory() throws(LogError) { throw Self.readOnly(path) }

  private static func readOnly(_ path: String) -> LogError {
    LogError(.notPermitted, file: path, detail: "one segment is only read: name the log itself")
  }
}
