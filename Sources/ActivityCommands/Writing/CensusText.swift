internal import ActivityAudit
internal import ActivityCore

/// What `info` prints for people of the events themselves, wherever they lie.
struct CensusText {
  let census: LogCensus
  let zone: Zone

  /// From when to when on both clocks, a line each.
  var spans: [String] {
    let time = TimeText(zone)
    func span(_ range: ClosedRange<Int64>) -> String {
      "\(time.instant(Timestamp(microseconds: range.lowerBound))) to "
        + time.instant(Timestamp(microseconds: range.upperBound))
    }
    return [
      census.occurred.map { "occurred  \(span($0))" },
      census.recorded.map { "recorded  \(span($0))" },
    ].compactMap(\.self)
  }

  /// Kinds, what can be judged of `what`, and recorders; nothing without an event.
  func lines(of what: String) -> [Styled] {
    guard census.events > 0 else { return [] }
    var lines = [Styled("")]
    lines += kinds.lines()
    lines += [Styled(""), Styled("What this \(what) can judge", .bold)]
    lines += judging.lines()
    lines += census.unmet.map { need, rules in
      Styled("  without \(need.rawValue) not judged: \(rules.joined(separator: ", "))")
    }
    lines.append("")
    return lines + recorders.lines()
  }

  private var kinds: Table {
    var table = Table([.text("KIND"), .number("EVENTS"), .number("SHARE")])
    for (kind, count) in census.kindsInOrder {
      table.add([
        Styled(kind), Styled("\(count)"), Styled(Quantity.share(count, of: census.events)),
      ])
    }
    return table
  }

  private var judging: Table {
    var table = Table([.text(""), .text("")])
    for share in census.shares { table.add([Styled("  \(share.name)"), Styled(share.value)]) }
    return table
  }

  private var recorders: Table {
    let time = TimeText(zone)
    var table = Table([
      .text("RECORDER"), .number("EVENTS"), .text("FIRST"), .text("LAST"), .number("LOST"),
    ])
    for recorder in census.recorders {
      table.add([
        Styled(recorder.name ?? "(not named)"), Styled("\(recorder.rows)"),
        Styled(time.instant(Timestamp(microseconds: recorder.first))),
        Styled(time.instant(Timestamp(microseconds: recorder.last))),
        Styled(recorder.lost > 0 ? Quantity.count(recorder.lost, "span") : "–"),
      ])
    }
    return table
  }
}

extension LogCensus {
  /// Every kind that occurs, in the order kinds are declared; unknown ones last.
  var kindsInOrder: [(name: String, count: Int64)] {
    EventKind.allCases.filter { $0 != .unknown }.compactMap { kind in
      kinds[kind].map { (kind.word, $0) }
    } + (kinds[.unknown].map { [("unknown", $0)] } ?? [])
  }
}
