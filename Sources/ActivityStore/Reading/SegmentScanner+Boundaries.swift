extension SegmentScanner {
  /// What lies at an offset.
  enum Found {
    case commit(ScannedCommit)
    /// A footer that verifies, of so many bytes; met only where no trailer led to it.
    case footer(length: UInt64)
    case bad(Shortfall)
  }

  /// Why nothing verifies at an offset.
  enum Shortfall: Equatable {
    /// A header that verifies says more bytes than there are.
    case short
    /// Fewer bytes than a header has.
    case shorterThanHeader
    case damaged(Damage)

    var sentence: String {
      switch self {
      case .short: "shorter than its header says"
      case .shorterThanHeader: "shorter than a commit's header"
      case .damaged(let damage): damage.description
      }
    }
  }

  mutating func probe(_ offset: UInt64) throws(LogError) -> Found {
    let (bytes, range) = try window.view(at: offset, count: CommitHeader.length, limit: limit)
    if trailer == nil, bytes.u32(at: range.lowerBound) == Frames.footer, range.count >= 12 {
      if let length = try verifyingFooter(at: offset) { return .footer(length: length) }
    }
    guard range.count == CommitHeader.length else { return .bad(.shorterThanHeader) }
    do throws(Damage) {
      let header = try CommitHeader(
        verifying: bytes, at: range.lowerBound, seed: self.header.seed, offset: offset)
      guard header.facts.firstSeq >= nextSeq else {
        return .bad(.damaged(Damage(.malformed, "seqs go backwards")))
      }
      let commit = ScannedCommit(offset: offset, header: header)
      return commit.end <= limit ? .commit(commit) : .bad(.short)
    } catch {
      return .bad(.damaged(error))
    }
  }

  /// Moves past a commit whose header verified. False where it turned out to be a torn write, or
  /// where the end of the file has to be looked at again.
  mutating func accept(_ commit: ScannedCommit) throws(LogError) -> Bool {
    if trailer == nil, commit.end == limit {
      let before = damage
      if try !check(commit) {
        let found = damage
        damage = before
        if try tailMayGrow() { return false }
        if try hasUnwrittenSector(from: commit.offset) {
          setTorn(at: commit.offset, why: "a sector of it was never written")
          return false
        }
        damage = found
      }
    }
    offset = commit.end
    nextSeq = commit.facts.nextSeq
    rows += Int64(commit.facts.count)
    return true
  }

  /// The end of the commits was reached exactly.
  mutating func finish() throws(LogError) {
    guard let trailer else {
      tail = .open
      return
    }
    if try readFooter() == nil {
      if isReplaced() { return }
      note(
        .index, offset: trailer.footerOffset, byteCount: trailer.footerLength, lost: .none,
        why: "the footer does not verify")
    }
    if nextSeq != trailer.nextSeq {
      note(
        .commit, offset: offset, byteCount: 0, lost: .between(nextSeq, trailer.nextSeq),
        why: "the trailer counts commits that are not there")
    }
    tail = .sealed
  }

  /// A sound footer without a sound trailer behind it.
  mutating func finishWithoutTrailer(footerLength: UInt64) {
    let footerEnd = offset + footerLength
    guard size >= footerEnd + UInt64(Trailer.length) else {
      setTorn(at: offset, why: "the trailer is incomplete", isFooter: true)
      return
    }
    note(
      .index, offset: footerEnd, byteCount: size - footerEnd, lost: .none,
      why: "what follows the footer is no trailer")
    tail = .sealed
  }

  mutating func setTorn(at offset: UInt64, why: String, isFooter: Bool = false) {
    tail = .torn(
      TornTail(
        file: file.name, offset: offset, byteCount: size - offset, why: why, isFooter: isFooter))
  }

  private mutating func verifyingFooter(at offset: UInt64) throws(LogError) -> UInt64? {
    let (bytes, range) = try window.view(at: offset, count: 12, limit: size)
    guard range.count == 12, bytes.u32(at: range.lowerBound + 8) == Footer.mark,
      let stated = bytes.u32(at: range.lowerBound + 4)
    else { return nil }
    let length = UInt64(stated) + UInt64(Frames.skippablePrefix)
    guard length <= UInt64(Limits.footerBytes), offset + length <= size else { return nil }
    let whole = try file.read(at: offset, count: Int(length))
    guard (try? Footer(whole, seed: header.seed, offset: offset)) != nil else { return nil }
    return length
  }

  /// Whether any sector from `offset` to the end was never written: all its bytes are zero.
  ///
  /// Sectors are the file's 512-byte ones, cut at both ends. A commit may truly end in the four
  /// zero bytes of its end mark, and in no more, so a last piece of four bytes proves nothing.
  mutating func hasUnwrittenSector(from offset: UInt64) throws(LogError) -> Bool {
    var position = offset
    while position < size {
      let sectorEnd = min(size, (position / 512 + 1) * 512)
      let length = Int(sectorEnd - position)
      let (bytes, range) = try window.view(at: position, count: length, limit: size)
      if length > 4 || sectorEnd != size, range.count == length,
        bytes[range].allSatisfy({ $0 == 0 })
      {
        return true
      }
      position = sectorEnd
    }
    return false
  }
}
