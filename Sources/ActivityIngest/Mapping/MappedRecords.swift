internal import ActivityCore

/// Reads records as a map says.
struct MappedRecords: Sendable {
  private typealias Members = [(name: String, value: JSONSlice)]

  /// Why a record that a clause fits gives no event.
  private struct Problem: Error {
    var code: String
    var sentence: String
  }

  /// A value on its way to a member.
  private struct Assignment {
    var name: String
    var value: JSONSlice
    /// The path that took it, nil for a constant.
    var path: String?
    /// Whether the member has the name the value had in the record.
    var isOwnName = false
  }

  /// How many values one event takes at most.
  private static let valuesMax = 2_000
  /// Members that are objects or lists, and that sources often hold as texts.
  private static let nested: Set<String> = [
    "content-state", "attributes", "alert", "activities",
  ]

  private let map: EventMap
  private let time: SourceTime
  /// What the ids of its events begin with.
  private let name: String

  /// - Parameters:
  ///   - name: of the dialect that reads by this map.
  ///   - settings: with the zone of times that name none.
  init(_ map: EventMap, name: String, _ settings: SourceSettings) {
    self.map = map
    self.name = name
    time = SourceTime(settings)
  }

  /// Whether any clause reads a record.
  func fits(_ record: SourceRecord) -> Bool {
    let members = record.json?.members ?? []
    return map.clauses.contains { $0.fits(members) }
  }

  /// Reads a record: one event of every clause that fits.
  func read(_ record: SourceRecord, into events: inout [EventDraft]) -> RecordOutcome {
    guard let json = record.json else { return .skipped("no JSON object") }
    let members = json.members
    let before = events.count
    for (number, clause) in map.clauses.enumerated() where clause.fits(members) {
      do {
        events.append(try draft(by: clause, number, members))
      } catch {
        return .refused(code: error.code, sentence: error.sentence)
      }
    }
    return events.count > before ? .events : .skipped("no clause of the map")
  }

  private func draft(
    by clause: MapClause, _ number: Int, _ record: Members
  ) throws(Problem) -> EventDraft {
    var taken: Set<[String]> = []
    let all = assignments(by: clause, record, taken: &taken)
    guard all.count <= Self.valuesMax, !clause.keepsRest || record.count <= Self.valuesMax else {
      throw Problem(
        code: "too-many-members",
        sentence: "The map takes or keeps more than 2 000 values of the record; name the paths it "
          + "needs one by one.")
    }
    let kind = all.first { $0.name == "event" && $0.value.saysSomething }
    guard let kind, kind.value.type == .string, let word = kind.value.string else {
      throw Problem(
        code: "missing-event",
        sentence: "Clause \(number) of the map gives the record no event; set one, or let `when` "
          + "leave such records out.")
    }
    var draft = EventDraft(word)
    if let joined = joined(by: clause, record) { draft.set("apns-id", text: joined) }
    let isJoined = draft.has("apns-id")
    for part in all where part.name != "event" {
      if part.name == "at" {
        try takeTime(part, into: &draft)
      } else if let unit = clause.units[part.name] {
        try convert(part, unit, into: &draft)
      } else if part.name == "apns-id", isJoined {
        if part.value.saysSomething { draft.keepRaw("apns-id", part.value.plain) }
      } else {
        put(part, into: &draft)
      }
    }
    let paths = clause.takes.filter { $0.targets.contains("at") }.map(\.path.text)
    if !paths.isEmpty, !draft.has("at") {
      throw Problem(
        code: "no-time",
        sentence: "The record has nothing at \(paths.joined(separator: ", ")), where the map takes "
          + "`at` from; name another path as well, or let `when` leave such records out.")
    }
    if clause.keepsRest { MappedRest.keep(record, but: taken, in: &draft) }
    if word == "work" { draft.set("id", text: id(of: draft)) }
    return draft
  }

  /// Constants first: what the map says outright wins over what it finds.
  private func assignments(
    by clause: MapClause, _ record: Members, taken: inout Set<[String]>
  ) -> [Assignment] {
    var all = clause.constants.map { Assignment(name: $0.name, value: $0.value, path: nil) }
    if let join = clause.join { for found in join.find(in: record) { taken.insert(found.path) } }
    for (path, targets) in clause.takes {
      for found in path.find(in: record) {
        taken.insert(found.path)
        for target in targets {
          let isOwn = target == "*"
          let name = isOwn ? found.name : target
          all.append(
            Assignment(
              name: name, value: said(found.value, as: name, by: clause), path: path.text,
              isOwnName: isOwn))
        }
      }
    }
    return all
  }

  /// The value in our words, where the map has one for it.
  private func said(_ value: JSONSlice, as name: String, by clause: MapClause) -> JSONSlice {
    guard let words = clause.words[name], value.saysSomething else { return value }
    let text = value.plain
    return words.first { $0.word.matches(text) }?.value ?? value
  }

  /// What request and answer share, as an `apns-id` of both. What looks like a token is digested.
  private func joined(by clause: MapClause, _ record: Members) -> String? {
    guard let value = clause.join?.first(in: record)?.value, value.type != .object,
      value.type != .array
    else { return nil }
    let text = value.plain
    return "join:" + (MappedRest.looksLikeToken(text) ? TokenDigest.digest(of: text) : text)
  }

  private func takeTime(_ part: Assignment, into draft: inout EventDraft) throws(Problem) {
    guard part.value.saysSomething, !draft.has("at") else { return }
    guard let instant = time.instant(part.value) else { throw badTime(part, "at") }
    draft.set("at", instant: instant)
  }

  private func badTime(_ part: Assignment, _ member: String) -> Problem {
    let place = part.path ?? "/set/\(member)"
    if let text = part.value.string, time.lacksZone(text) {
      return Problem(
        code: "no-zone",
        sentence: "The time at \(place) names no zone; say which with --tz, for example --tz "
          + "+01:00 or TZ=Europe/Berlin activitylog … --tz local, or with \"zone\":\"+01:00\" in "
          + "the map.")
    }
    return Problem(
      code: "bad-time",
      sentence: "What is at \(place) is no time for `\(member)`; write RFC 3339 such as "
        + "2026-11-20T18:04:05Z, a date and a time of day, or a number of seconds.")
  }

  /// A date of content in another unit, as Unix seconds; how it was spelled is kept.
  private func convert(
    _ part: Assignment, _ unit: MapClause.Unit, into draft: inout EventDraft
  ) throws(Problem) {
    guard part.value.saysSomething, !draft.has(part.name) else { return }
    let text = part.value.plain
    let instant: Timestamp?
    switch unit {
    case .milliseconds:
      instant = Timestamp(unixSeconds: text).map {
        Timestamp(microseconds: $0.microseconds / 1_000)
      }
    case .rfc3339: instant = part.value.string.flatMap { time.instant($0) }
    case .since2001:
      instant = Timestamp(unixSeconds: text).flatMap {
        let (sum, isOver) = $0.microseconds.addingReportingOverflow(978_307_200_000_000)
        return isOver ? nil : Timestamp(microseconds: sum)
      }
    }
    guard let instant else {
      if unit == .rfc3339 { throw badTime(part, part.name) }
      throw Problem(
        code: "bad-time",
        sentence: "What is at \(part.path ?? "/set") is no number, and the map says that "
          + "`\(part.name)` counts \(unit.rawValue); take `convert` away or name another unit.")
    }
    draft.set(part.name, instant: instant)
    draft.keepRaw(part.name, text)
  }

  private func put(_ part: Assignment, into draft: inout EventDraft) {
    guard part.value.saysSomething else { return }
    var value = part.value
    if Self.nested.contains(part.name), let inside = value.inside { value = inside }
    if part.isOwnName, !MemberSpelling.isOurs(part.name) || Self.isLogs(part.name) {
      return draft.keep(part.name, value)
    }
    // What has the wrong type for a member of ours is kept beside it, tokens excepted.
    if !draft.set(part.name, value), part.name != "token", part.name != "replaces" {
      draft.keep(part.name, value)
    }
  }

  /// Whether only the log writes a member of this name.
  private static func isLogs(_ name: String) -> Bool {
    name == "seq" || name == "recorded-at" || name == "raw" || name == "rest"
  }

  /// What work did is known by what it says: a table exported again says the same of most rows,
  /// whatever else has changed on them.
  private func id(of draft: EventDraft) -> String {
    var line: [UInt8] = []
    draft.append(to: &line)
    var hex: [UInt8] = []
    for byte in TokenDigest.sha256(line).prefix(16) {
      hex.append(HexDigit.lowercase(byte >> 4))
      hex.append(HexDigit.lowercase(byte & 15))
    }
    return "\(name):" + String(decoding: hex, as: UTF8.self)
  }
}
