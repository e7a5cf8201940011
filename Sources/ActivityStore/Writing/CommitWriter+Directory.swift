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

  /// A log is made where nothing else is, so that a wrong path never mixes it with other files.
  static func checkEmpty(_ files: any LogFiles) throws(LogError) {
    for name in try files.list() {
      if SegmentName.firstSeq(name) != nil {
        throw LogError(
          .exists, file: files.path, detail: "a log is already here: append to it instead")
      }
      let isOurs =
        name == WriterLock.fileName || name == "maintain.lock"
        || name.hasSuffix(SegmentName.ending + ".tmp")
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
