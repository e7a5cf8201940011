extension SegmentScanner {
  /// A section's bytes, checked and decompressed; nil where it is damaged, which `end` then tells,
  /// and where the file was replaced.
  package mutating func read(
    _ section: CommitSection, of commit: ScannedCommit
  ) throws(LogError) -> [UInt8]? {
    if let bytes = try? decode(section, of: commit).get() { return bytes }
    // Once more from the file before crying damage.
    window.drop()
    switch decode(section, of: commit) {
    case .success(let bytes): return bytes
    case .failure(.unreadable(let error)): throw error
    case .failure(.damaged(let damage)):
      if isReplaced() { return nil }
      noteSection(section, of: commit, damage)
      return nil
    }
  }

  /// The ingest cursors a commit advances; none where they are damaged.
  package mutating func readCursors(
    of commit: ScannedCommit
  ) throws(LogError) -> [IngestCursor] {
    guard commit.header.cursorsLength > 0, let bytes = try read(.cursors, of: commit) else {
      return []
    }
    var reader = ByteReader(bytes)
    do {
      return try IngestCursor.decode(&reader)
    } catch {
      noteSection(.cursors, of: commit, error)
      return []
    }
  }

  /// Checks every section; what does not verify is noted. True where all is sound.
  package mutating func check(_ commit: ScannedCommit) throws(LogError) -> Bool {
    var isSound = true
    for section in CommitSection.allCases where try read(section, of: commit) == nil {
      isSound = false
    }
    return isSound
  }

  private enum Failure: Error {
    case unreadable(LogError)
    case damaged(Damage)
  }

  private mutating func decode(
    _ section: CommitSection, of commit: ScannedCommit
  ) -> Result<[UInt8], Failure> {
    do {
      let header = commit.header
      let place = header.range(of: section)
      guard !place.isEmpty else { return .success([]) }
      let (bytes, range) = try window.view(
        at: commit.offset + UInt64(place.lowerBound), count: place.count, limit: size)
      return .success(try Self.unpack(section, header, bytes, range))
    } catch let error as LogError {
      return .failure(.unreadable(error))
    } catch let damage as Damage {
      return .failure(.damaged(damage))
    } catch {
      return .failure(.damaged(Damage(.malformed)))
    }
  }

  /// Limit, then checksum, then decompress.
  private static func unpack(
    _ section: CommitSection, _ header: CommitHeader, _ bytes: [UInt8], _ range: Range<Int>
  ) throws(Damage) -> [UInt8] {
    guard range.count == header.range(of: section).count else { throw Damage(.truncated) }
    guard CRC32C.of(bytes, range) == header.checksum(of: section) else { throw Damage(.checksum) }
    switch section {
    case .cursors:
      return [UInt8](bytes[range])
    case .names:
      return try LZ4.unpack(bytes, range, codec: header.namesCodec, rawLength: header.namesRaw)
    case .skeleton:
      return try LZ4.unpack(
        bytes, range, codec: header.skeletonCodec, rawLength: header.skeletonRaw)
    case .payload:
      let (codec, block) = try Frames.readData(bytes, range)
      if block.isEmpty, header.payloadRaw == 0 { return [] }
      return try LZ4.unpack(bytes, block, codec: codec, rawLength: header.payloadRaw)
    }
  }

  private mutating func noteSection(
    _ section: CommitSection, of commit: ScannedCommit, _ damage: Damage
  ) {
    let range = commit.header.range(of: section)
    let part: DamagedRange.Part =
      switch section {
      case .cursors: .cursors
      case .names: .names
      case .skeleton: .skeleton
      case .payload: .content
      }
    note(
      part, offset: commit.offset + UInt64(range.lowerBound), byteCount: UInt64(range.count),
      lost: section == .cursors ? .none : commit.seqs, why: damage.description)
  }
}
