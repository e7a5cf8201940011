/// Finding the next boundary behind bytes that do not verify.
extension SegmentScanner {
  /// Notes what is lost at `offset` and moves to the next boundary, or ends the scan.
  mutating func passDamage(_ why: Shortfall) throws(LogError) {
    if let (boundary, searched) = try nextBoundary(), boundary < limit || trailer != nil {
      let lost = try lostSeqs(until: boundary)
      if isHeader(until: boundary, lost) {
        damage[0].byteCount = boundary
      } else {
        note(
          .commit, offset: offset, byteCount: boundary - offset, lost: lost, why: why.sentence,
          resynchronised: searched)
      }
      offset = boundary
      if case .range(_, let through) = lost { nextSeq = through + 1 }
      return
    }
    if trailer != nil {
      note(
        .commit, offset: offset, byteCount: limit - offset,
        lost: try lostSeqs(until: limit), why: why.sentence)
      nextSeq = trailer?.nextSeq ?? nextSeq
      offset = limit
      return
    }
    try endInDamage(why)
  }

  /// Whether these bytes are the headers of a segment that lost both: no seq is missing before the
  /// first commit found, so that the damage noted when it was opened is all there is.
  private func isHeader(until boundary: UInt64, _ lost: LostSeqs) -> Bool {
    start == 0 && offset == 0 && lost == .none && damage.first?.part == .header
  }

  /// Nothing valid follows and the segment is not sealed: a torn write, or damage.
  private mutating func endInDamage(_ why: Shortfall) throws(LogError) {
    if try tailMayGrow() { return }
    let (bytes, range) = try window.view(at: offset, count: 12, limit: size)
    let isFooter =
      bytes.u32(at: range.lowerBound) == Frames.footer
      && bytes.u32(at: range.lowerBound + 8) == Footer.mark
    if isFooter {
      setTorn(at: offset, why: "a footer that does not verify", isFooter: true)
    } else if case .short = why {
      setTorn(at: offset, why: why.sentence)
    } else if case .shorterThanHeader = why {
      setTorn(at: offset, why: why.sentence)
    } else if try hasUnwrittenSector(from: offset) {
      setTorn(at: offset, why: "a sector of it was never written")
    } else {
      note(
        .commit, offset: offset, byteCount: size - offset, lost: .from(nextSeq),
        why: why.sentence)
      offset = size
      tail = .open
    }
  }

  /// The seqs between the last sound commit and a boundary, from the index where there is one.
  private mutating func lostSeqs(until boundary: UInt64) throws(LogError) -> LostSeqs {
    if let footer = try readFooter() {
      let lost = footer.commits.filter { $0.offset >= offset && $0.offset < boundary }
      guard let first = lost.first, let last = lost.last else { return .none }
      return .range(from: first.facts.firstSeq, through: last.facts.nextSeq - 1)
    }
    if boundary == limit, let trailer { return .between(nextSeq, trailer.nextSeq) }
    guard case .commit(let next) = try probe(boundary) else { return .from(nextSeq) }
    return .between(nextSeq, next.facts.firstSeq)
  }

  /// The first of these that leads to a verifying header or exactly to the end: the header's
  /// lengths, the LZ4 framing, the footer's index, and a search forward.
  private mutating func nextBoundary() throws(LogError) -> (UInt64, searched: Bool)? {
    for candidate in [try byHeader(), try byFraming(), try byIndex()] {
      if let candidate, candidate > offset, try isBoundary(candidate) {
        return (candidate, false)
      }
    }
    return try bySearch().map { ($0, true) }
  }

  private mutating func isBoundary(_ candidate: UInt64) throws(LogError) -> Bool {
    guard candidate < limit else { return candidate == limit }
    if case .bad(let why) = try probe(candidate) { return why == .short }
    return true
  }

  private mutating func byHeader() throws(LogError) -> UInt64? {
    let (bytes, range) = try window.view(at: offset, count: CommitHeader.length, limit: limit)
    guard range.count == CommitHeader.length,
      let header = try? CommitHeader(unverified: bytes, at: range.lowerBound)
    else { return nil }
    return offset + UInt64(header.totalLength)
  }

  private mutating func byFraming() throws(LogError) -> UInt64? {
    let (bytes, range) = try window.view(at: offset, count: 8, limit: limit)
    guard range.count == 8, let size = bytes.u32(at: range.lowerBound + 4) else { return nil }
    let data = offset + UInt64(Frames.skippablePrefix) + UInt64(size)
    let (frame, place) = try window.view(at: data, count: Frames.emptyDataLength, limit: limit)
    guard place.count == Frames.emptyDataLength,
      frame[place].starts(with: Frames.dataStart),
      let word = frame.u32(at: place.lowerBound + Frames.dataStart.count)
    else { return nil }
    return data + UInt64(Frames.dataLength(ofBlock: Int(word & ~Frames.storedBit)))
  }

  private mutating func byIndex() throws(LogError) -> UInt64? {
    guard let footer = try readFooter() else { return nil }
    for commit in footer.commits where commit.offset > offset {
      if try isBoundary(commit.offset) { return commit.offset }
    }
    return limit
  }

  /// A header further on whose seeded checksum verifies. Only a region already known damaged is
  /// searched, so bytes inside a sound payload are never taken for a commit.
  private mutating func bySearch() throws(LogError) -> UInt64? {
    var position = offset + 1
    while position + UInt64(CommitHeader.length) <= limit {
      let (bytes, range) = try window.view(
        at: position, count: Limits.windowBytes, limit: limit)
      guard range.count >= CommitHeader.length else { return nil }
      let last = range.upperBound - CommitHeader.length
      // The magic's first byte, 0x51, before anything dearer: this loop sees every byte.
      for index in range.lowerBound...last where bytes[index] == 0x51 {
        guard CommitHeader.looksLikeCommit(bytes, at: index) else { continue }
        let candidate = position + UInt64(index - range.lowerBound)
        let header = try? CommitHeader(
          verifying: bytes, at: index, seed: self.header.seed, offset: candidate)
        if let header, header.facts.firstSeq >= nextSeq { return candidate }
      }
      position += UInt64(last - range.lowerBound + 1)
    }
    return nil
  }
}
