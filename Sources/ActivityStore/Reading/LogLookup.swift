package import ActivityCore

/// The commits of a window of a log, for looking up single rows: which of them name a handle, their
/// columns, and who their ordinals stand for.
///
/// It serves logs without a fault. Where anything does not verify it gives nil: whoever asked reads
/// the whole window then, and says what is damaged.
package struct LogLookup: Sendable {
  /// A commit of the window.
  package struct Commit: Sendable {
    package var segment: Int
    /// Its place in its segment.
    package var number: Int
    package var facts: CommitFacts
  }

  /// In the order of the log.
  package private(set) var commits: [Commit] = []
  private var segments: [SegmentLookup] = []
  /// By segment: where its commits are in `commits`, by their number.
  private var places: [[Int: Int]] = []

  /// Opens the segments that have a commit of the selection; nil where one has a fault.
  ///
  /// - Throws: A failure to read.
  package init?(
    _ facts: LogFacts, _ selection: LogSelection
  ) throws(LogError) {
    guard facts.isSound else { return nil }
    for segment in facts.segments
    where facts.commits[segment.commits].contains(where: selection.includes) {
      guard let opened = try SegmentLookup(segment.name, in: facts.files) else { return nil }
      var numbers: [Int: Int] = [:]
      for (number, entry) in opened.entries.enumerated() where selection.includes(entry.facts) {
        numbers[number] = commits.count
        commits.append(Commit(segment: segments.count, number: number, facts: entry.facts))
      }
      segments.append(opened)
      places.append(numbers)
    }
  }

  /// Indexes of the commits that may have a row under a handle, ascending; nil where an index does
  /// not verify.
  package mutating func commits(of handle: LogHandle) throws(LogError) -> [Int]? {
    var found: [Int] = []
    for segment in segments.indices {
      guard let numbers = try segments[segment].commits(of: handle) else { return nil }
      found += numbers.compactMap { places[segment][$0] }
    }
    return found
  }

  /// Whether the indexes of all segments find every row with an apns-id by it, and every inventory
  /// and authorization by its device; nil where one does not verify.
  package mutating func listsPushes() throws(LogError) -> Bool? {
    for segment in segments.indices {
      guard let lists = try segments[segment].listsPushes() else { return nil }
      if !lists { return false }
    }
    return true
  }

  /// A commit's columns, without content and without names; nil where they do not verify.
  package mutating func columns(
    of commit: Int, _ members: [Member]
  ) throws(LogError) -> EventColumns? {
    let place = commits[commit]
    return try segments[place.segment].columns(of: place.number, members)
  }

  /// Reads the names that rows of a commit use; false where some do not verify.
  package mutating func readNames(for commit: Int) throws(LogError) -> Bool {
    let place = commits[commit]
    return try segments[place.segment].readNames(through: place.number)
  }

  /// The ordinals of a handle in a commit's numbering, as far as its names were read.
  package func ordinals(of handle: LogHandle, in commit: Int) -> [Int32] {
    segments[commits[commit].segment].names.ordinals(of: handle)
  }

  /// Who an ordinal of a commit stands for; nil when its name was not read.
  package func subject(_ ordinal: Int32, in commit: Int) -> SubjectDirectory.Subject? {
    segments[commits[commit].segment].names[ordinal]
  }

  /// What kind of handle an ordinal of a commit is; nil when its name was not read.
  package func kind(_ ordinal: Int32, in commit: Int) -> HandleKind? {
    segments[commits[commit].segment].names.kind(ordinal)
  }

  /// Subjects of the window that have a name and are meant, given what they are and their device;
  /// nil where some name does not verify. Every name of the window is read.
  package mutating func subjects(
    where isMeant: (HandleKind, _ name: String, _ device: String?) -> Bool
  ) throws(LogError) -> [SubjectDirectory.Subject]? {
    var found: [SubjectDirectory.Subject] = []
    for index in segments.indices {
      guard let last = places[index].keys.max() else { continue }
      guard try segments[index].readNames(through: last) else { return nil }
      found += segments[index].names.subjects(where: isMeant)
    }
    return found
  }
}

/// One segment opened for looking up single rows.
private struct SegmentLookup: Sendable {
  let entries: [CommitEntry]
  private(set) var names = SegmentNames()
  private var scanner: SegmentScanner
  private var index: SubjectIndex?

  init?(_ name: String, in files: any LogFiles) throws(LogError) {
    scanner = try SegmentScanner(
      try files.open(name, .read), isWriterLive: { WriterLock.isWriting(name, in: files) })
    if let known = try scanner.readEntries() {
      entries = known
    } else {
      var walked: [CommitEntry] = []
      while let commit = try scanner.next() { walked.append(commit.entry) }
      entries = walked
    }
    guard scanner.damage.isEmpty, scanner.end.tornTail == nil else { return nil }
  }

  mutating func listsPushes() throws(LogError) -> Bool? {
    if index == nil { index = try readIndex() }
    return index?.listsPushes
  }

  mutating func commits(of handle: LogHandle) throws(LogError) -> [Int]? {
    if index == nil { index = try readIndex() }
    guard let index else { return nil }
    return try? index.commits(of: handle, count: entries.count)
  }

  /// The footer's, or of an active segment one made from its rows.
  private mutating func readIndex() throws(LogError) -> SubjectIndex? {
    if scanner.trailer != nil {
      let footer = try scanner.readFooter()
      return footer?.commits.count == entries.count ? footer?.subjects : nil
    }
    var hashes = SubjectHashes(scanner.header.encodings)
    var builder = SubjectIndexBuilder(scanner.header.encodings)
    for number in entries.indices {
      guard let bytes = try section(.names, of: number),
        let known = try? CommitCoding.decodeNames(bytes, introducedOnly: true),
        let batch = try columns(of: number, [.token, .channel, .key, .replaces, .apnsID])
      else { return nil }
      if names.commits == number { names.add(known) }
      hashes.add(known.introducedSubjects, known.texts)
      builder.add(CommitListing(batch, hashes), commit: number)
    }
    return builder.index
  }

  mutating func columns(of number: Int, _ members: [Member]) throws(LogError) -> EventColumns? {
    guard let skeleton = try section(.skeleton, of: number) else { return nil }
    let facts = entries[number].facts
    var context = CommitCoding.Context(
      firstSeq: facts.firstSeq, space: Int(truncatingIfNeeded: scanner.header.firstSeq))
    context.wanted = MemberSelection(members)
    return try? CommitCoding.decode(skeleton: skeleton, count: facts.count, context)
  }

  /// Names of all commits up to and with one: what its rows are called may have come with any.
  mutating func readNames(through number: Int) throws(LogError) -> Bool {
    while names.commits <= number {
      guard let bytes = try section(.names, of: names.commits),
        let known = try? CommitCoding.decodeNames(bytes, introducedOnly: true)
      else { return false }
      names.add(known)
    }
    return true
  }

  private mutating func section(
    _ section: CommitSection, of number: Int
  ) throws(LogError) -> [UInt8]? {
    scanner.seek(to: entries[number])
    guard let commit = try scanner.next(), commit.offset == entries[number].offset else {
      return nil
    }
    let bytes = try scanner.read(section, of: commit)
    return scanner.damage.isEmpty ? bytes : nil
  }
}
