/// A map guessed from the names of columns or members: a table of work (orders, rides, matches), or
/// of pushes.
///
/// It grows as names come, so that a record is read alike whatever comes after it; what names the
/// work, its status and the time of that is settled by the first record that has a meaning.
struct NameGuess: Sendable {
  /// How many names with a meaning are learned at most.
  private static let namesMax = 64
  /// How many names are remembered as seen, with a meaning or not.
  private static let seenMax = 4_096

  private let format: String
  private var names: [(name: String, canonical: String)] = []
  private var seen: Set<String> = []
  private var settled: Settled?

  private enum Settled: Sendable {
    case work(key: String, status: String?, updated: String?)
    case pushes(at: String?, timestamp: String?)
  }

  private static let known: Set<String> = Set(
    GuessWords.keys + GuessWords.weakKeys + GuessWords.status + GuessWords.updated
      + GuessWords.created + GuessWords.finished + GuessWords.cancelled + GuessWords.pushEvents
      + GuessWords.payloads + GuessWords.pushTimes
      + (GuessWords.handles + GuessWords.pushMembers).flatMap(\.names) + ["timestamp"])

  /// - Parameter format: `json` or `csv`, as the map says it.
  init(_ format: String) { self.format = format }

  /// Learns the names of a record.
  ///
  /// - Returns: whether the guess may have changed.
  mutating func learn(_ record: [String]) -> Bool {
    var isNew = false
    for name in record where !seen.contains(name) {
      if seen.count < Self.seenMax { seen.insert(name) }
      let canonical = GuessWords.canonical(name)
      guard Self.known.contains(canonical), names.count < Self.namesMax,
        !names.contains(where: { $0.name == name })
      else { continue }
      names.append((name, canonical))
      isNew = true
    }
    guard isNew else { return false }
    if settled == nil { settled = pushes() ?? work() }
    return settled != nil
  }

  /// Whether the names alone tell when work ended or that pushes were sent, and not only that
  /// something has a number.
  var isTelling: Bool {
    switch settled {
    case nil: return false
    case .pushes: return true
    case .work(let key, let status, let updated):
      let ends = !all(GuessWords.finished).isEmpty || !all(GuessWords.cancelled).isEmpty
      guard GuessWords.weakKeys.contains(GuessWords.canonical(key)) else {
        return ends || status != nil && updated != nil
      }
      return status != nil && names.contains { $0.canonical.hasSuffix("-at") }
        && (ends || updated != nil)
    }
  }

  /// The guess as `--map` takes it; nil when the names mean nothing.
  var map: [UInt8]? {
    let rows: [String]
    let note: String
    switch settled {
    case nil: return nil
    case .work(let key, let status, let updated):
      rows = workRows(key, status, updated)
      note = "guessed from names: work, known as \(key)"
    case .pushes(let at, let timestamp):
      rows = [pushRow(at, timestamp)] + failureRows(at)
      note = "guessed from names: pushes"
    }
    let text =
      #"{"format":"\#(format)","note":\#(Self.quoted(note)),"#
      + #""rows":[\#(rows.joined(separator: ","))]}"#
    return Array(text.utf8)
  }

  // MARK: What the names mean

  private func work() -> Settled? {
    guard let key = pick(GuessWords.keys) ?? pick(GuessWords.weakKeys) else { return nil }
    let status = pick(GuessWords.status)
    let updated = pick(GuessWords.updated)
    let dates = GuessWords.created + GuessWords.finished + GuessWords.cancelled
    guard !all(dates).isEmpty || status != nil && updated != nil else { return nil }
    return .work(key: key, status: status, updated: updated)
  }

  private func pushes() -> Settled? {
    guard GuessWords.handles.contains(where: { pick($0.names) != nil }),
      pick(GuessWords.pushEvents) != nil || pick(GuessWords.payloads) != nil
    else { return nil }
    let at = pick(GuessWords.pushTimes)
    let timestamp = pick(["timestamp"])
    return .pushes(at: at ?? timestamp, timestamp: at == nil ? nil : timestamp)
  }

  private func pick(_ wanted: [String]) -> String? { all(wanted).first }

  /// The names that mean one of these, the preferred first.
  private func all(_ wanted: [String]) -> [String] {
    wanted.flatMap { word in names.filter { $0.canonical == word }.map(\.name) }
  }

  // MARK: Clauses

  private func workRows(_ key: String, _ status: String?, _ updated: String?) -> [String] {
    let opened = all(GuessWords.created)
    let finished = all(GuessWords.finished)
    let cancelled = all(GuessWords.cancelled)
    func dated(_ columns: [String], _ outcome: String) -> [String] {
      columns.indices.map { index in
        row(key, at: columns[index], outcome, without: Array(columns[..<index]))
      }
    }
    func worded(_ words: [String], _ outcome: String, without dated: [String]) -> [String] {
      guard let status, let updated, status != updated else { return [] }
      return [
        row(key, at: updated, outcome, without: dated.filter { $0 != updated }, status, words)
      ]
    }
    return dated(opened, "open")
      + worded(GuessWords.openWords, "open", without: opened)
      + dated(finished, "finished")
      + worded(GuessWords.finishedWords, "finished", without: finished)
      + dated(cancelled, "cancelled")
      + worded(GuessWords.cancelledWords, "cancelled", without: cancelled)
  }

  /// A clause for records that have one column and, so that nothing is said twice, not others.
  private func row(
    _ key: String, at: String, _ outcome: String, without: [String], _ status: String? = nil,
    _ words: [String] = []
  ) -> String {
    var conditions: [String] = []
    if let status {
      let list = words.map { #""\#($0)""# }.joined(separator: ",")
      conditions.append("\(Self.pointer(status)):[\(list)]")
    }
    conditions.append(#"\#(Self.pointer(at)):"*""#)
    conditions += without.map { "\(Self.pointer($0)):null" }
    return #"{"when":{\#(conditions.joined(separator: ","))},"#
      + #""set":{"event":"work","outcome":"\#(outcome)"},"#
      + #""take":{\#(Self.pointer(key)):"key",\#(Self.pointer(at)):"at"}}"#
  }

  /// Clauses for pushes whose status is a word that says they failed: a failure of each, which
  /// refuses it by the handle that the record has.
  private func failureRows(_ at: String?) -> [String] {
    guard
      let status = GuessWords.pushMembers.first(where: { $0.member == "status" }).flatMap({
        pick($0.names)
      })
    else { return [] }
    var handles = GuessWords.handles.compactMap { member, words in
      pick(words).map { (name: $0, member: member) }
    }
    if let key = pick(GuessWords.keys) { handles.append((key, "key")) }
    let words = GuessWords.failedWords.map { #""\#($0)""# }.joined(separator: ",")
    return handles.indices.map { index in
      var conditions = [pushCondition, "\(Self.pointer(status)):[\(words)]"]
      conditions.append(#"\#(Self.pointer(handles[index].name)):"*""#)
      conditions += handles[..<index].map { "\(Self.pointer($0.name)):null" }
      var takes: [(path: String, target: String)] = []
      if let at { takes.append((Self.pointer(at), "at")) }
      takes.append((Self.pointer(handles[index].name), handles[index].member))
      for (member, words) in GuessWords.pushMembers {
        guard let name = pick(words) else { continue }
        if GuessWords.failureMembers.contains(member) {
          takes.append((Self.pointer(name), member))
        } else if member == "reason" {
          takes.append((Self.pointer(name), "message"))
        }
      }
      let taken = takes.map { #"\#($0.path):"\#($0.target)""# }.joined(separator: ",")
      return #"{"when":{\#(conditions.joined(separator: ","))},"#
        + #""set":{"event":"failure","operation":"send"},"take":{\#(taken)}}"#
    }
  }

  /// That a record is an act.
  private var pushCondition: String {
    let place =
      pick(GuessWords.pushEvents).map { Self.pointer($0) }
      ?? Self.pointer(pick(GuessWords.payloads) ?? "", "/aps/event")
    let acts = GuessWords.acts.map { #""\#($0)""# }.joined(separator: ",")
    return "\(place):[\(acts)]"
  }

  private func pushRow(_ at: String?, _ timestamp: String?) -> String {
    let event = pick(GuessWords.pushEvents)
    let payload = pick(GuessWords.payloads)
    var takes: [(path: String, target: String)] = []
    if let event { takes.append((Self.pointer(event), "event")) }
    if let at { takes.append((Self.pointer(at), "at")) }
    for (member, words) in GuessWords.handles {
      if let name = pick(words) { takes.append((Self.pointer(name), member)) }
    }
    if let key = pick(GuessWords.keys) { takes.append((Self.pointer(key), "key")) }
    if let timestamp { takes.append((Self.pointer(timestamp), "timestamp")) }
    for (member, words) in GuessWords.pushMembers {
      if let name = pick(words) { takes.append((Self.pointer(name), member)) }
    }
    if let payload { takes.append((Self.pointer(payload, "/aps/*"), "*")) }
    let taken = takes.map { #"\#($0.path):"\#($0.target)""# }.joined(separator: ",")
    let values = GuessWords.values.filter { member, _ in takes.contains { $0.target == member } }
      .map { #""\#($0.member)":{\#($0.words)}"# }.joined(separator: ",")
    return #"{"when":{\#(pushCondition)},"set":{"source":"push"},"take":{\#(taken)}"#
      + (values.isEmpty ? "}" : #","values":{\#(values)}}"#)
  }

  /// A pointer to a column or member, in quotes.
  private static func pointer(_ name: String, _ inner: String = "") -> String {
    quoted("/" + MapParser.escaped(name) + inner)
  }

  private static func quoted(_ text: String) -> String {
    String(decoding: MemberSpelling.quoted(text), as: UTF8.self)
  }
}
