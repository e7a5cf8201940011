internal import ActivityCore

/// The names and words an event's line can have, for finding those that are nearly one of them.
struct EventVocabulary: Sendable {
  /// What is remarked, before it is known how often.
  struct Finding: Sendable {
    var code: String
    var member: String
    var sentence: String
  }

  /// By kind, by name: the words it is known by, empty where it takes any.
  private var declared: [EventKind: [String: [String]]] = [:]
  /// The kinds that have a member of their own, in the order of kinds.
  private var kinds: [String: [EventKind]] = [:]
  /// By names as they are without marks and capitals.
  private var plainNames: [String: String] = [:]
  private let words: [String: EventKind]

  init() {
    words = Dictionary(
      uniqueKeysWithValues: EventKind.allCases.filter { $0 != .unknown }.map { ($0.word, $0) })
    for kind in EventKind.allCases {
      var names: [String: [String]] = ["event": []]
      for member in LineMember.ofEveryKind { names[member.name] = member.words ?? [] }
      for member in LineMember.own(of: kind) {
        names[member.name] = member.words ?? []
        kinds[member.name, default: []].append(kind)
      }
      declared[kind] = names
      for name in names.keys { plainNames[Self.plain(name)] = name }
    }
  }

  /// The kind of a word; `unknown` for any other.
  func kind(_ word: String) -> EventKind { words[word] ?? .unknown }

  /// Whether a member is known by its words on lines of a kind.
  func hasWords(_ name: String, on kind: EventKind) -> Bool {
    declared[kind]?[name]?.isEmpty == false
  }

  /// What to say of a kind that is none of ours.
  func remark(onEvent word: String) -> Finding? {
    let near = nearest(to: word, among: words.keys, atLeastOne: true)
    let advice =
      near.map { "is it \"\($0)\"?" }
      ?? "the kinds are \(EventKind.allCases.map(\.word).filter { !$0.isEmpty }.listed)."
    return Finding(
      code: "unknown-event", member: "event",
      sentence: "\"\(word)\" is no kind the log knows, so the line is kept and moves nothing; "
        + advice)
  }

  /// What to say of a member's name on lines of a kind; nil when it is the kind's or nobody's.
  func remark(onMember name: String, of kind: EventKind) -> Finding? {
    guard let own = declared[kind], own[name] == nil else { return nil }
    if let owners = kinds[name] {
      // What a kind of somebody's own says under our names is its own business.
      guard kind != .unknown else { return nil }
      return Finding(
        code: "member-of-other-kind", member: name,
        sentence: "\"\(name)\" is kept but says nothing on \(kind.word); it is a member of "
          + "\(owners.map(\.word).listed).")
    }
    let alike = plainNames[Self.plain(name)].flatMap { found in
      kind == .unknown && own[found] == nil ? nil : found
    }
    guard let near = alike ?? nearest(to: name, among: own.keys) else { return nil }
    return Finding(
      code: "misspelled-member", member: name,
      sentence: "\"\(name)\" is kept but means nothing to the log; is it \"\(near)\"?")
  }

  /// What to say of a member's word on lines of a kind; nil when it is known.
  func remark(onWord word: String, of name: String, on kind: EventKind) -> Finding? {
    guard let known = declared[kind]?[name], !known.isEmpty else { return nil }
    // States are read in any case; every other word as it is.
    guard !known.contains(name == "state" ? word.lowercased() : word) else { return nil }
    return Finding(
      code: "unknown-word", member: name,
      sentence: "\"\(word)\" is kept but means nothing as \(name); the words are "
        + "\(known.listed).")
  }

  /// A name without what spellings differ in: `contentState`, `content_state`, `content-state`.
  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0 != "-" && $0 != "_" && $0 != "." && $0 != " " }
  }

  /// The nearest of some names, when it is so near that it was probably meant. Short names are near
  /// too many words.
  private func nearest(
    to name: String, among known: some Collection<String>, atLeastOne: Bool = false
  ) -> String? {
    let plain = Array(Self.plain(name).utf8)
    var best: (name: String, edits: Int)?
    for candidate in known.sorted() {
      let target = Array(Self.plain(candidate).utf8)
      let allowed = target.count >= 8 ? 2 : target.count >= 5 ? 1 : atLeastOne ? 1 : 0
      guard abs(target.count - plain.count) <= allowed else { continue }
      let edits = Self.edits(plain, target)
      if edits <= allowed, edits < best?.edits ?? .max { best = (candidate, edits) }
    }
    return best?.name
  }

  /// Edits between two words, where swapping neighbours is one edit.
  private static func edits(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var rows = [Array(0...b.count)]
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var best = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, rows[i - 1][j - 1] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}

extension [String] {
  /// `a, b and c`.
  fileprivate var listed: String {
    count < 2 ? joined() : "\(dropLast().joined(separator: ", ")) and \(self[count - 1])"
  }
}
