internal import ActivityCore

/// What `--map` would be told to read records so: where each member of ours mostly stands.
struct RequestMap {
  /// One row of the map: acts, or answers on lines of their own.
  private struct Row {
    var records = 0
    /// How often a member was found at a pointer, in order of first appearance.
    var found: [(member: String, pointer: String, count: Int)] = []

    mutating func add(_ member: String, _ path: [String]) {
      let pointer = RequestMap.pointer(path)
      let index = found.firstIndex { $0.member == member && $0.pointer == pointer }
      if let index { found[index].count += 1 } else { found.append((member, pointer, 1)) }
    }

    /// The commonest pointer of each member.
    var takes: [(pointer: String, member: String)] {
      var members: [String] = []
      for entry in found where !members.contains(entry.member) { members.append(entry.member) }
      return members.compactMap { member in
        let best = found.filter { $0.member == member }.max { $0.count < $1.count }
        return best.map { ($0.pointer, member) }
      }
    }
  }

  private var acts = Row()
  private var answers = Row()
  private var others = 0
  private var isThroughText = false

  init(_ records: [SourceRecord]) {
    let time = SourceTime(SourceSettings())
    for record in records {
      guard let json = record.json else {
        others += 1
        continue
      }
      let found = RequestFields(json)
      let parts = RequestParts(found, time)
      switch RequestReading(found, of: json, lead: nil, time).content {
      case .act where found.results.isEmpty && found.tokens.isEmpty:
        acts.records += 1
        if found.payload?.bytes != nil { isThroughText = true }
        acts.add("*", (found.payload?.path ?? []) + (found.payload?.isBare == true ? [] : ["aps"]))
        for (member, path) in parts.origins { acts.add(member, path) }
      case .answer where parts.answer.error == nil:
        answers.records += 1
        for (member, path) in parts.origins { answers.add(member, path) }
      case .ordinary, .nothing, .channels: break
      default: others += 1
      }
    }
  }

  private static func pointer(_ path: [String]) -> String {
    path.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
  }

  /// The map; only the dialect's name where one map cannot say what the records have in common.
  var spelled: [UInt8] {
    guard acts.records > 0, others * 10 <= acts.records + answers.records else {
      return Array(#"{"format":"apns"}"#.utf8)
    }
    var rows: [String] = []
    var takes = acts.takes
    let aps = takes.removeFirst().pointer
    var take = takes.map { (pointer: $0.pointer, target: $0.member) }
    take.append((aps + "/*", "*"))
    rows.append(Self.row([(aps + "/event", "\"*\"")], set: "\"source\":\"push\"", take))
    if answers.records > 0 {
      let mark = answers.takes.first { $0.member == "status" || $0.member == "reason" }
      let when = [(aps + "/event", "null")] + (mark.map { [($0.pointer, "\"*\"")] } ?? [])
      rows.append(
        Self.row(
          when, set: "\"event\":\"response\"",
          answers.takes.map { (pointer: $0.pointer, target: $0.member) }))
    }
    let note =
      "members beside these are not kept, lists of tokens are not unfolded"
      + (isThroughText ? ", bytes of payloads in texts are not counted" : "")
    return Array(
      #"{"format":"json","note":"\#(note)","rows":[\#(rows.joined(separator: ","))]}"#.utf8)
  }

  private static func row(
    _ when: [(pointer: String, value: String)], set: String,
    _ take: [(pointer: String, target: String)]
  ) -> String {
    let tests = when.map { "\(quoted($0.pointer)):\($0.value)" }.joined(separator: ",")
    var pointers: [String] = []
    var takes: [String] = []
    for (pointer, target) in take where !pointers.contains(pointer) {
      pointers.append(pointer)
      takes.append("\(quoted(pointer)):\(quoted(target))")
    }
    return "{\"when\":{\(tests)},\"set\":{\(set)},\"take\":{\(takes.joined(separator: ","))}}"
  }

  private static func quoted(_ text: String) -> String {
    String(decoding: MemberSpelling.quoted(text), as: UTF8.self)
  }
}
