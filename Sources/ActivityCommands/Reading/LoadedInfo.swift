internal import ActivityCore
internal import ActivityStore

/// What `info` prints of LOGs that are no single stored log: what was read of each, and what all
/// of it can judge. There are no segments, and nothing is durable.
struct LoadedInfo {
  let loaded: LoadedRows
  let census: LogCensus
  let zone: Zone

  /// For people.
  var lines: [Styled] {
    let text = CensusText(census: census, zone: zone)
    var lines = loaded.sources.map { Styled(Self.line($0)) }
    if loaded.sources.count > 1 {
      lines.append(Styled("merged    \(Quantity.count(Int(census.events), "event"))"))
    }
    lines += loaded.keyPath.map { [Styled("key-path  \($0.pointer)")] } ?? []
    lines += text.spans.map { Styled($0) }
    return lines + text.lines(of: loaded.sources.count > 1 ? "merge" : "file")
  }

  private static func line(_ source: RowSource) -> String {
    var text = "\(source.name): \(Quantity.count(source.events, "event"))"
    guard let format = source.format else { return text + ", a stored log" }
    text += " in \(Quantity.count(source.lines, "line")) of \(format)"
    return text + ", \(Quantity.bytes(source.bytes))"
  }

  /// For programs: the members `info` has for a log, those of files empty, and `sources`.
  var bytes: [UInt8] {
    let extent = loaded.rows.extent
    var json = JSONText()
    json.object {
      $0.member("schema", "activitylog.info/1")
      $0.name("log")
      $0.null()
      $0.member("events", census.events)
      $0.member("first-seq", extent?.firstSeq)
      $0.member("last-seq", extent?.lastSeq)
      $0.member("bytes", Int64(loaded.sources.reduce(0) { $0 + $1.bytes }))
      for name in ["durable-seq", "policy"] {
        $0.name(name)
        $0.null()
      }
      $0.member("writer-live", false)
      $0.object("metadata") { list in
        if let path = loaded.keyPath { list.member(KeyPointer.metadataKey, path.pointer) }
      }
      InfoJSON.writeSpans(of: census, to: &$0)
      $0.array("segments") { _ in }
      $0.array("sources") { list in
        for source in loaded.sources { list.object { Self.write(source, members: &$0) } }
      }
      InfoJSON.writeCounts(of: census, to: &$0)
    }
    json.newline()
    return json.bytes
  }

  private static func write(_ source: RowSource, members json: inout JSONText) {
    json.member("log", source.name)
    json.member("format", source.format)
    json.member("events", source.events)
    json.member("lines", source.lines)
    json.member("bytes", source.bytes)
    json.member("refused", source.refused)
    json.member("skipped", source.skipped)
    json.member("repeated", source.repeated)
    json.member("left-out", source.lost)
  }
}
