package import ActivityCore

/// Commits of one segment as batches of columns, with every name their rows need.
struct SegmentReader: Sendable {
  var scanner: SegmentScanner
  /// Commits passed over since the last batch: their names are read when a later batch needs them.
  private var unread: [ScannedCommit] = []

  /// Where the commit behind the last one walked begins. One that begins elsewhere follows a lost
  /// one, or one passed over: its names are taken with those it repeats.
  private var adjacent: UInt64

  /// Where the index leads, next first; nil to walk the whole segment.
  private var jumps: ArraySlice<CommitEntry>?
  /// The only commits to decode, in order; nil for all.
  private var only: ArraySlice<CommitEntry>?

  /// The seq behind the last commit that was delivered, lost or passed over.
  private var passed: Int64
  /// Rows below this seq came from the file that was packed into this one.
  private var floor: Int64 = 0

  init(_ scanner: SegmentScanner) {
    self.scanner = scanner
    adjacent = scanner.start
    passed = scanner.header.firstSeq
  }

  /// - Parameters:
  ///   - entries: The only commits to decode.
  ///   - jumping: Whether those between are passed over, names and all: right where the commit that
  ///     introduces a subject is always among the entries that use it.
  init(_ scanner: SegmentScanner, entries: [CommitEntry], jumping: Bool) {
    self.scanner = scanner
    adjacent = scanner.start
    passed = scanner.header.firstSeq
    if jumping { jumps = entries[...] }
    only = entries[...]
  }

  /// The next selected commit; nil at the segment's end.
  mutating func next(
    _ selection: LogSelection
  ) throws(LogError) -> (commit: ScannedCommit, batch: EventColumns)? {
    repeat {
      if let found = try nextOfFile(selection) { return found }
    } while try goOn(selection)
    return nil
  }

  /// The next selected commit of the file at hand; nil at its end, and where it was replaced.
  private mutating func nextOfFile(
    _ selection: LogSelection
  ) throws(LogError) -> (commit: ScannedCommit, batch: EventColumns)? {
    while jump(), let commit = try scanner.next() {
      defer { adjacent = commit.end }
      guard commit.facts.nextSeq > floor, selection.includes(commit.facts), isListed(commit) else {
        unread.append(commit)
        passed = max(passed, commit.facts.nextSeq)
        continue
      }
      let batch = try decode(commit, selection)
      if scanner.replacement != nil { return nil }
      passed = commit.facts.nextSeq
      if let batch { return (commit, batch.from(floor)) }
    }
    return nil
  }

  /// Goes on at the same seq in the file that took this one's name; false where none did.
  ///
  /// A packed segment has the rows, the seqs and the ordinals of the old one in other commits. What
  /// was passed over is read for its names, and what a commit has already delivered is left out.
  private mutating func goOn(_ selection: LogSelection) throws(LogError) -> Bool {
    guard let file = scanner.replacement else { return false }
    let isJumping = jumps != nil
    let isLimited = only != nil
    scanner = try SegmentScanner(file)
    adjacent = scanner.start
    unread = []
    floor = passed
    (jumps, only) = (nil, nil)
    guard isLimited, let entries = try selection.entries(of: &scanner) else { return true }
    only = entries.filter { $0.facts.nextSeq > floor }[...]
    if isJumping { jumps = entries[...] }
    return true
  }

  /// The payload of the next selected commit; nil at the segment's end.
  mutating func nextPayload(_ selection: LogSelection) throws(LogError) -> CommitPayload? {
    repeat {
      // No names are read, so nothing between the commits wanted has to be walked.
      if let only, jumps == nil { jumps = only }
      while jump(), let commit = try scanner.next() {
        guard commit.facts.nextSeq > floor, selection.includes(commit.facts) else { continue }
        let payload = try scanner.read(.payload, of: commit)
        if scanner.replacement != nil { break }
        passed = commit.facts.nextSeq
        return CommitPayload(
          firstSeq: commit.facts.firstSeq, count: commit.facts.count,
          payload: payload.map { .lines($0) } ?? .damaged)
      }
    } while try goOn(selection)
    return nil
  }

  /// Goes to the next commit the index names; false when there is none.
  private mutating func jump() -> Bool {
    guard let list = jumps else { return true }
    let rest = list.drop { $0.offset < scanner.offset }
    jumps = rest
    guard let next = rest.first else { return false }
    scanner.seek(to: next)
    return true
  }

  /// Whether a commit is one of the only ones wanted; commits are asked for in order.
  private mutating func isListed(_ commit: ScannedCommit) -> Bool {
    guard let list = only else { return true }
    let rest = list.drop { $0.offset < commit.offset }
    only = rest
    return rest.first?.offset == commit.offset
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
    let (names, areBorrowed) = try names(of: commit)
    var context = CommitCoding.Context(
      firstSeq: commit.facts.firstSeq,
      space: Int(truncatingIfNeeded: scanner.header.firstSeq), names: names)
    context.withRepeated = areBorrowed || commit.offset != adjacent
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
      if let names = try names(of: commit).names { list.append(names) }
    }
    return list
  }

  /// A commit's names; where they are damaged, borrowed from the commit right behind it, which
  /// repeats them.
  private mutating func names(
    of commit: ScannedCommit
  ) throws(LogError) -> (names: CommitNames?, areBorrowed: Bool) {
    if let bytes = try scanner.read(.names, of: commit) {
      do throws(MalformedCommit) {
        return (try CommitCoding.decodeNames(bytes), false)
      } catch {
        noteMalformed(error, .names, commit)
      }
    }
    // A copy: what it meets is met again, and noted, in its turn.
    var ahead = scanner
    ahead.seek(behind: commit)
    guard let next = try ahead.next(), next.offset == commit.end,
      let bytes = try ahead.read(.names, of: next)
    else { return (nil, false) }
    return (try? CommitCoding.decodeNames(bytes), true)
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

/// The members that stay JSON of one commit's rows, without its columns.
package struct CommitPayload: Sendable {
  package var firstSeq: Int64
  /// Rows; their seqs are consecutive.
  package var count: Int
  package var payload: EventColumns.Payload
}

extension EventColumns {
  /// The rows from a seq on, with every subject the batch brings.
  fileprivate func from(_ seq: Int64) -> EventColumns {
    guard firstSeq < seq else { return self }
    var part = selecting(Array(Int(seq - firstSeq)..<count))
    part.firstSeq = seq
    part.subjects = subjects
    return part
  }
}

extension CommitNames {
  /// Adds every subject to a batch that may use it without having introduced it.
  fileprivate func add(to batch: inout EventColumns) {
    var codes: [Int32: Int32] = [:]
    func own(_ code: Int32) -> Int32 {
      guard code >= 0 else { return -1 }
      if let known = codes[code] { return known }
      let new = Int32(batch.texts.append(from: texts, Int(code)))
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
