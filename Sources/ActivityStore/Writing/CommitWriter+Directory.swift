extension CommitWriter {
  /// Names of a log's segments, in order.
  ///
  /// - Throws: `.missing` where there is no directory, `.notALog` where it has no segment.
  package static func segments(_ files: any LogFiles) throws(LogError) -> [String] {
    let names = try files.list().filter { SegmentName.firstSeq($0) != nil }
    guard !names.isEmpty else {
      throw LogError(
        .notALog, file: files.path,
        detail: "this directory holds no activity log: check the path, or create a log first")
    }
    return names
  }

  /// Refuses a log that this version may not write before anything is made in its directory.
  static func checkVersion(_ names: [String], _ files: any LogFiles) throws(LogError) {
    let file = try files.open(names[names.count - 1], .read)
    let bytes = try file.read(at: 0, count: 2 * Limits.headerBytes + 16)
    if SegmentHeaders(bytes)?.header.isNewerForWriting == true {
      throw SegmentScanner.newer(file.name)
    }
  }

  /// The newest segment as a writer finds it, its headers readable or not.
  static func lastSegment(
    _ names: [String], in files: any LogFiles, note: WriterNote?, policy: SyncPolicy
  ) throws(LogError) -> LastSegment {
    let name = names[names.count - 1]
    do throws(LogError) {
      return try LastSegment(name, in: files, note: note, policy: policy)
    } catch {
      guard error.code == .notALog, names.count > 1 else { throw error }
      let prior = try LastSegment(
        names[names.count - 2], in: files, note: note, policy: policy)
      return try LastSegment(headless: name, behind: prior, in: files, note: note)
    }
  }

  /// A log is made where nothing else is, so that a wrong path never mixes it with other files.
  static func checkEmpty(_ files: any LogFiles) throws(LogError) {
    for name in try files.list() {
      if SegmentName.firstSeq(name) != nil {
        throw LogError(
          .exists, file: files.path, detail: "a log is already here: append to it instead")
      }
      let isOurs =
        name == WriterLock.fileName || name == MaintenanceLock.fileName
        || name.hasSuffix(SegmentName.ending + ".tmp") || SegmentName.isPacking(name)
      guard isOurs else {
        throw LogError(
          .notALog, file: files.path,
          detail: "this directory holds other files (\(name)): name an empty or new directory")
      }
    }
  }

  /// Cursors as of the end of the segment before `index`: from the nearest footer backwards, and
  /// from the commits of every segment after it that has none.
  static func cursors(
    before index: Int, _ names: [String], _ files: any LogFiles
  ) throws(LogError) -> [IngestCursor] {
    var parts: [[IngestCursor]] = []
    for name in names[..<index].reversed() {
      var scanner = try SegmentScanner(try files.open(name, .read))
      if let footer = try scanner.readFooter() {
        parts.append(footer.cursors)
        break
      }
      var found: [IngestCursor] = []
      while let commit = try scanner.next() { found += try scanner.readCursors(of: commit) }
      parts.append(found)
    }
    return parts.reversed().flatMap { $0 }
  }
}
