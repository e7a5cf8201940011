public import ActivityCore

/// One event on its way to a line of ours: members in the order they were set, each once.
///
/// A member that is there already is not set again: what a record says first, and most precisely,
/// wins over what is known beside it.
public struct EventDraft: Sendable {
  /// Members by name, values as JSON spells them.
  public private(set) var members: [(name: String, value: [UInt8])] = []
  /// The names of many members; few are looked through.
  private var names: Set<String> = []
  /// Texts as they stood before they were converted, by member.
  private var raw: [(name: String, text: String)] = []
  /// Members of the record whose names mean something else to us.
  private var rest: [(name: String, value: [UInt8])] = []

  /// Which it is of the events that its record could have given in its place, where it is not the
  /// usual one: its id differs from theirs.
  var form = ""

  /// No event: it only keeps the place of one that is not said, so that the numbers, and with them
  /// the ids, of the others of its record do not hang on what was read before.
  init() {}

  /// Whether it is no event.
  var isEmpty: Bool { members.isEmpty }

  /// An event of a kind, in the word its line has: `start`, `response` …
  public init(_ event: String) { set("event", text: event) }

  /// A line of ours as it is.
  init(line: JSONSlice) {
    members = line.members.map { ($0.name, Array($0.value.text)) }
  }

  /// Whether it has a member of this name.
  public func has(_ name: String) -> Bool {
    members.count > Self.fewMembers
      ? names.contains(name) : members.contains { $0.name == name }
  }

  private static let fewMembers = 32
  /// How many members an event of a foreign record can have.
  static let membersMax = 2_000

  /// Whether it has more members than an event can have.
  var isOverfull: Bool { members.count + rest.count > Self.membersMax }

  /// About how long its line is.
  var byteCount: Int {
    (members + rest).reduce(2) { $0 + $1.name.utf8.count + $1.value.count + 4 }
      + raw.reduce(0) { $0 + $1.name.utf8.count + $1.text.utf8.count + 6 }
  }

  /// A member's value as JSON spells it.
  public subscript(name: String) -> JSONSlice? {
    members.first { $0.name == name }.flatMap { JSONSlice($0.value) }
  }

  /// Sets a text; nothing and empty texts are not set.
  public mutating func set(_ name: String, text: String?) {
    guard let text, !text.isEmpty else { return }
    put(name, MemberSpelling.spelled(text, for: name))
  }

  /// Sets a whole number.
  public mutating func set(_ name: String, number: Int64?) {
    guard let number else { return }
    put(name, Array(String(number).utf8))
  }

  /// Sets an instant as RFC 3339, for `at`; or as Unix seconds, for the dates of content.
  public mutating func set(_ name: String, instant: Timestamp?) {
    guard let instant else { return }
    guard !MemberSpelling.isSeconds(name) else { return put(name, instant.unixSpelling) }
    put(name, Array("\"\(instant.rfc3339)\"".utf8))
  }

  /// Sets a value by its exact bytes. A number where we have texts becomes its text, a text that
  /// spells a number where we have numbers becomes that number; null, and what has the wrong type
  /// altogether, is not set.
  ///
  /// - Returns: whether the value has a place here.
  @discardableResult
  public mutating func set(_ name: String, _ value: JSONSlice?) -> Bool {
    guard let value, let spelled = MemberSpelling.spelled(value, for: name) else { return false }
    put(name, spelled)
    return true
  }

  /// Sets a member whether it was set before or not.
  public mutating func replace(_ name: String, _ value: JSONSlice) {
    members.removeAll { $0.name == name }
    names = members.count > Self.fewMembers ? Set(members.map(\.name)) : []
    set(name, value)
  }

  /// Keeps how something was spelled before it was converted.
  public mutating func keepRaw(_ name: String, _ text: String) {
    guard !raw.contains(where: { $0.name == name }) else { return }
    raw.append((name, SecretScrub.scrubbed(text)))
  }

  /// Keeps a member of the record that nothing took: under its own name, or inside `rest` where
  /// that name is one of ours or is there already. Tokens and credentials in it are taken out.
  public mutating func keep(_ name: String, _ value: JSONSlice) {
    guard value.type != .null else { return }
    let name = name.utf8.count < 64 ? name : SecretScrub.withoutTokens(name)
    if MemberSpelling.isOurs(name) || has(name) {
      let text = SecretScrub.scrubbed(Array(value.text), named: name)
      rest.append((name, text.contains(0x0A) ? Self.onOneLine(text) : text))
    } else {
      put(name, Array(value.text))
    }
  }

  private mutating func put(_ name: String, _ value: [UInt8]) {
    guard !has(name) else { return }
    if name == "token" || name == "replaces", let text = JSONSlice(value)?.string,
      !TokenText.isToken(text)
    {
      // What stands for all tokens alike is the handle of none.
      return keepRaw(name, text)
    }
    let kept = MemberSpelling.isExact(name) ? value : SecretScrub.scrubbed(value, named: name)
    members.append((name, kept.contains(0x0A) ? Self.onOneLine(kept) : kept))
    if members.count == Self.fewMembers + 1 { names = Set(members.map(\.name)) }
    if members.count > Self.fewMembers { names.insert(name) }
  }

  /// Over several lines a logger has laid JSON out; what was sent had no such blanks.
  private static func onOneLine(_ value: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    var isInString = false
    var isEscaped = false
    for byte in value {
      if !isInString, byte <= 0x20 { continue }
      bytes.append(byte)
      if isEscaped {
        isEscaped = false
      } else if isInString, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString.toggle()
      }
    }
    return bytes
  }

  /// Adds the event's line, without a line end.
  func append(to line: inout [UInt8]) {
    line.append(UInt8(ascii: "{"))
    Self.append(members, to: &line)
    if !raw.isEmpty {
      Self.append(name: "raw", isFirst: members.isEmpty, to: &line)
      let texts = raw.map { ($0.name, MemberSpelling.quoted($0.text)) }
      line.append(UInt8(ascii: "{"))
      Self.append(texts, to: &line)
      line.append(UInt8(ascii: "}"))
    }
    if !rest.isEmpty {
      Self.append(name: "rest", isFirst: members.isEmpty && raw.isEmpty, to: &line)
      line.append(UInt8(ascii: "{"))
      Self.append(rest, to: &line)
      line.append(UInt8(ascii: "}"))
    }
    line.append(UInt8(ascii: "}"))
  }

  private static func append(
    _ members: [(name: String, value: [UInt8])], to line: inout [UInt8]
  ) {
    for (number, member) in members.enumerated() {
      append(name: member.name, isFirst: number == 0, to: &line)
      line.append(contentsOf: member.value)
    }
  }

  private static func append(name: String, isFirst: Bool, to line: inout [UInt8]) {
    if !isFirst { line.append(UInt8(ascii: ",")) }
    MemberSpelling.append(name, to: &line)
    line.append(UInt8(ascii: ":"))
  }
}
