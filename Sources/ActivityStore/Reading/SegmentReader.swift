internal import ActivityCore

/// Commits of one segment as batches of columns, with every name their rows need.
struct SegmentReader: Sendable {
  var scanner: SegmentScanner
  /// Commits passed over since the last batch: their names are read when a later batch needs them.
  private var unread: [ScannedCommit] = []
  /// The names of the commit before did not survive; the next one repeats them.
  private var needsRepeated = false

  init(_ scanner: SegmentScanner) {
    self.scanner = scanner
  }

  /// The next selected commit; nil at the segment's end.
  mutating func next(
    _ selection: LogSelection
  ) throws(LogError) -> (commit: ScannedCommit, batch: EventColumns)? {
    while let commit = try scanner.next() {
      guard selection.includes(commit.facts) else {
        unread.append(commit)
        continue
      }
      if let batch = try decode(commit, selection) { return (commit, batch) }
    }
    return nil
  }

  /// A commit's batch; nil when its columns are lost.
  private mutating func decode(
    _ commit: ScannedCommit, _ selection: LogSelection
  ) throws(LogError) -> EventColumns? {
    guard let skeleton = try scanner.read(.skeleton, of: commit) else {
      unread.append(commit)
      return nil
    }
    let earlier = try readNames(of: unread)
    unread = []
    let names = try names(of: commit)
    var context = CommitCoding.Context(
      firstSeq: commit.facts.firstSeq,
      space: Int(truncatingIfNeeded: scanner.header.firstSeq), names: names)
    context.withRepeated = needsRepeated
    needsRepeated = names == nil
    if selection.withContent {
      context.payload = try scanner.read(.payload, of: commit).map { .lines($0) } ?? .damaged
    }
    context.wanted = selection.wanted
    do throws(MalformedCommit) {
      var batch = try CommitCoding.decode(
        skeleton: skeleton, count: commit.facts.count, context)
      for names in earlier { names.add(to: &batch) }
      return batch
    } catch {
      noteMalformed(error, .skeleton, commit)
      return nil
    }
  }

  private mutating func readNames(of commits: [ScannedCommit]) throws(LogError) -> [CommitNames] {
    var list: [CommitNames] = []
    for commit in commits {
      let names = try names(of: commit)
      if let names { list.append(names) }
      needsRepeated = names == nil
    }
    return list
  }

  private mutating func names(of commit: ScannedCommit) throws(LogError) -> CommitNames? {
    guard let bytes = try scanner.read(.names, of: commit) else { return nil }
    do throws(MalformedCommit) {
      return try CommitCoding.decodeNames(bytes)
    } catch {
      noteMalformed(error, .names, commit)
      return nil
    }
  }

  private mutating func noteMalformed(
    _ error: MalformedCommit, _ section: CommitSection, _ commit: ScannedCommit
  ) {
    let range = commit.header.range(of: section)
    scanner.note(
      section == .names ? .names : .skeleton,
      offset: commit.offset + UInt64(range.lowerBound), byteCount: UInt64(range.count),
      lost: commit.seqs, why: "\(error.reason) at byte \(error.offset) of the section")
  }
}

extension CommitNames {
  /// Adds every subject to a batch that may use it without having introduced it.
  fileprivate func add(to batch: inout EventColumns) {
    var codes: [Int32: Int32] = [:]
    func own(_ code: Int32) -> Int32 {
      guard code >= 0 else { return -1 }
      if let known = codes[code] { return known }
      let new = Int32(batch.texts.append(texts[Int(code)]))
      codes[code] = new
      return new
    }
    for index in 0..<subjects.count {
      batch.subjects.append(
        ordinal: subjects.ordinals[index], kind: subjects.kind[index],
        name: own(subjects.name[index]), environment: own(subjects.environment[index]),
        bundle: own(subjects.bundle[index]), device: own(subjects.device[index]))
    }
  }
}
