internal import ActivityCore

/// Reads a map and says, at the first thing that is wrong, what, where and what to do.
enum MapParser {
  private typealias Members = [(name: String, value: JSONSlice)]

  private static let top: Set<String> = ["format", "zone", "note", "rows"]
  private static let inClause: Set<String> = [
    "when", "set", "take", "join", "convert", "values", "keep", "note",
  ]
  /// What only the log and the import itself write.
  private static let notOurs: Set<String> = ["seq", "recorded-at", "raw", "rest"]
  private static let dates: Set<String> = [
    "timestamp", "stale-date", "dismissal-date", "start-date", "apns-expiration", "gone-since",
    "from", "until",
  ]

  static func map(_ bytes: [UInt8]) throws(MapError) -> EventMap {
    guard bytes.count <= EventMap.bytesMax else {
      throw MapError(pointer: "", problem: "is longer than 1 MiB; a clause is a few lines")
    }
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
    let failure = bytes.withUnsafeBytes { JSONScanner.validate($0) }
    guard failure == nil, let json = JSONSlice(bytes) else {
      throw MapError(pointer: "", problem: notJSON(bytes, failure))
    }
    guard json.type == .object else {
      throw MapError(
        pointer: "", problem: "must be an object, such as {\"format\":\"csv\",\"rows\":[…]}")
    }
    let members = try distinct(json, "", known: top)
    let format = try format(members, hasRows: members.contains { $0.name == "rows" })
    var zone: Int64?
    if let value = json["zone"] { zone = try offset(value) }
    var clauses: [MapClause] = []
    if let rows = json["rows"] {
      guard rows.type == .array, !rows.elements.isEmpty else {
        throw MapError(
          pointer: "/rows", problem: "must be a list of at least one clause, [{\"when\":{…},…}]")
      }
      guard rows.elements.count <= EventMap.clausesMax else {
        throw MapError(pointer: "/rows", problem: "has more than 1 000 clauses")
      }
      for (number, row) in rows.elements.enumerated() {
        clauses.append(try clause(row, "/rows/\(number)"))
      }
    }
    return EventMap(format: format, zone: zone, clauses: clauses)
  }

  private static func notJSON(_ bytes: [UInt8], _ failure: JSONFailure?) -> String {
    guard let failure else { return "is no JSON" }
    let before = bytes.prefix(failure.offset)
    let line = before.count(where: { $0 == UInt8(ascii: "\n") }) + 1
    let column = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count + 1
    return "is no JSON at line \(line), column \(column): \(failure.reason.sentence)"
  }

  private static func format(_ members: Members, hasRows: Bool) throws(MapError) -> String {
    guard let value = members.first(where: { $0.name == "format" })?.value else {
      throw MapError(
        pointer: "", problem: "has no format; say \"format\":\"json\" or \"csv\", or a dialect")
    }
    let name = value.string ?? ""
    if hasRows {
      guard name == "json" || name == "csv" else {
        throw MapError(
          pointer: "/format",
          problem: "must be json or csv where there are rows: no other format "
            + "has members or columns to take from")
      }
    } else if Dialects.named(name) == nil {
      let names = Dialects.all.map { $0.name }.joined(separator: ", ")
      throw MapError(pointer: "/format", problem: "names no format; there are \(names)")
    }
    return name
  }

  /// `Z` or an offset such as `+01:00`.
  private static func offset(_ value: JSONSlice) throws(MapError) -> Int64 {
    guard let text = value.string, text == "Z" || text.first == "+" || text.first == "-",
      let local = Timestamp(rfc3339: "2026-01-01T00:00:00\(text)"),
      let utc = Timestamp(rfc3339: "2026-01-01T00:00:00Z")
    else {
      throw MapError(
        pointer: "/zone",
        problem: "must be an offset such as \"+01:00\" or \"Z\"; for a zone with summer time use "
          + "--tz")
    }
    return utc.microseconds - local.microseconds
  }

  private static func clause(_ row: JSONSlice, _ place: String) throws(MapError) -> MapClause {
    guard row.type == .object else {
      throw MapError(pointer: place, problem: "must be an object with set and take")
    }
    var clause = MapClause()
    for (name, value) in try distinct(row, place, known: inClause) {
      let place = "\(place)/\(name)"
      switch name {
      case "when":
        for (name, value, place) in try inner(value, place, "conditions by pointer") {
          clause.when.append((try path(name, place), try conditions(value, place)))
        }
      case "set":
        for (name, value, place) in try inner(value, place, "members of an event") {
          clause.constants.append((try target(name, place), value))
        }
      case "take":
        for (name, value, place) in try inner(value, place, "names of members by pointer") {
          clause.takes.append((try path(name, place), try targets(value, place)))
        }
      case "join": clause.join = try path(value.string ?? "", place)
      case "convert": clause.units = try units(value, place)
      case "values": clause.words = try words(value, place)
      case "keep":
        guard value.type == .true || value.type == .false else {
          throw MapError(pointer: place, problem: "must be true or false")
        }
        clause.keepsRest = value.type == .true
      default: break
      }
    }
    try check(clause, place)
    return clause
  }

  /// Every event needs a kind, and what converts or renames must have something to work on.
  private static func check(_ clause: MapClause, _ place: String) throws(MapError) {
    let targets = Set(clause.takes.flatMap(\.targets) + clause.constants.map(\.name))
    guard targets.contains("event") || targets.contains("*") else {
      throw MapError(
        pointer: place,
        problem: "gives its events no kind; add \"set\":{\"event\":\"update\"}, or take one")
    }
    for (part, names) in [
      ("convert", Array(clause.units.keys)), ("values", Array(clause.words.keys)),
    ] {
      for name in names.sorted() where !targets.contains(name) && !targets.contains("*") {
        throw MapError(
          pointer: "\(place)/\(part)/\(name)", problem: "is about a member that nothing takes")
      }
    }
  }

  private static func conditions(
    _ value: JSONSlice, _ place: String
  ) throws(MapError) -> [MapClause.Condition] {
    let values = value.type == .array ? value.elements : [value]
    guard !values.isEmpty else {
      throw MapError(pointer: place, problem: "is an empty list, which nothing fits")
    }
    var conditions: [MapClause.Condition] = []
    for value in values {
      switch value.type {
      case .string: conditions.append(.text(TextGlob(value.string ?? "", ignoresCase: true)))
      case .number: conditions.append(.number(value.spelling))
      case .true, .false: conditions.append(.truth(value.type == .true))
      case .null: conditions.append(.absent)
      case .object, .array:
        throw MapError(
          pointer: place,
          problem: "must be a text (with * for any text), a number, true, false, null for absent, "
            + "or a list of these")
      }
    }
    return conditions
  }

  private static func targets(_ value: JSONSlice, _ place: String) throws(MapError) -> [String] {
    let values = value.type == .array ? value.elements : [value]
    var names: [String] = []
    for value in values {
      guard let name = value.string else {
        names = []
        break
      }
      names.append(name == "*" ? name : try target(name, place))
    }
    guard !names.isEmpty else {
      throw MapError(
        pointer: place,
        problem: "must name the member it becomes, such as \"key\", several in a list, or \"*\" "
          + "for the name it has")
    }
    return names
  }

  private static func target(_ name: String, _ place: String) throws(MapError) -> String {
    guard !name.isEmpty, name != "*", !name.hasPrefix("/") else {
      throw MapError(pointer: place, problem: "must be the name of a member, such as \"key\"")
    }
    guard !notOurs.contains(name) else {
      throw MapError(pointer: place, problem: "names \(name), which only the log itself writes")
    }
    return name
  }

  private static func units(
    _ value: JSONSlice, _ place: String
  ) throws(MapError) -> [String: MapClause.Unit] {
    var units: [String: MapClause.Unit] = [:]
    for (name, value, place) in try inner(value, place, "units by member") {
      guard dates.contains(name) else {
        throw MapError(
          pointer: place,
          problem: name == "at"
            ? "is not needed: every unit and spelling of at is told apart by itself"
            : "is no date of content; there are \(dates.sorted().joined(separator: ", "))")
      }
      guard let unit = value.string.flatMap({ MapClause.Unit(rawValue: $0) }) else {
        let all = MapClause.Unit.allCases.map(\.rawValue).joined(separator: ", ")
        throw MapError(pointer: place, problem: "must be one of \(all)")
      }
      units[name] = unit
    }
    return units
  }

  private static func words(
    _ value: JSONSlice, _ place: String
  ) throws(MapError) -> [String: [(word: TextGlob, value: JSONSlice)]] {
    var words: [String: [(word: TextGlob, value: JSONSlice)]] = [:]
    for (name, value, place) in try inner(value, place, "words by member") {
      words[name] = try inner(value, place, "our words by theirs").map {
        (TextGlob($0.name, ignoresCase: true), $0.value)
      }
    }
    return words
  }

  private static func path(_ text: String, _ place: String) throws(MapError) -> PathPattern {
    do {
      return try PathPattern(text)
    } catch {
      throw MapError(pointer: place, problem: error.sentence)
    }
  }

  /// An object's members, each with its place in the map.
  private static func inner(
    _ value: JSONSlice, _ place: String, _ holds: String
  ) throws(MapError) -> [(name: String, value: JSONSlice, place: String)] {
    guard value.type == .object else {
      throw MapError(pointer: place, problem: "must be an object of \(holds)")
    }
    return try distinct(value, place, known: nil).map {
      ($0.name, $0.value, "\(place)/\(escaped($0.name))")
    }
  }

  /// An object's members, none of them twice, and only known ones.
  private static func distinct(
    _ value: JSONSlice, _ place: String, known: Set<String>?
  ) throws(MapError) -> Members {
    var seen: Set<String> = []
    let members = value.members
    for (name, _) in members {
      guard seen.insert(name).inserted else {
        throw MapError(
          pointer: "\(place)/\(escaped(name))", problem: "stands there twice; leave one")
      }
      if let known, !known.contains(name) {
        throw MapError(
          pointer: "\(place)/\(escaped(name))",
          problem: "means nothing here; there are \(known.sorted().joined(separator: ", "))")
      }
    }
    return members
  }

  /// A name as a pointer spells it.
  static func escaped(_ name: String) -> String {
    name.replacing("~", with: "~0").replacing("/", with: "~1")
  }
}
