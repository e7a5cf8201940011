internal import ActivityCore

/// What `--map` would be told to read records so: where each member of ours stands.
///
/// There is one only for records of one shape: where members are worked out from others (a token
/// from a path, a status from a reason), and not the same for all, a map cannot say so.
struct RequestMap {
  private var acts = RequestMapRow()
  private var answers = RequestMapRow()
  private var isIrregular = false
  private var isThroughText = false

  init(_ records: [SourceRecord]) {
    for record in records { add(record) }
  }

  private mutating func add(_ record: SourceRecord) {
    guard let json = record.json else {
      isIrregular = true
      return
    }
    let found = RequestFields(json)
    let time = SourceTime(SourceSettings())
    let reading = RequestReading(found, of: json, lead: nil, time)
    var events: [EventDraft] = []
    _ = reading.events(into: &events)
    switch reading.content {
    case .ordinary, .nothing, .channels: return
    case .act, .answer:
      guard let event = events.first, events.count == 1 else {
        isIrregular = true
        return
      }
      if let payload = found.payload {
        if payload.bytes != nil { isThroughText = true }
        let aps = payload.path + (payload.isBare ? [] : ["aps"])
        acts.add(event, reading.parts.origins, aps: aps, of: payload.value)
      } else {
        answers.add(event, reading.parts.origins, aps: nil, of: nil)
      }
    case .batch, .hook, .noEvent, .results, .broken, .noPayload: isIrregular = true
    }
  }

  /// The map; only the dialect's name where one map cannot say what the records have in common.
  var spelled: [UInt8] {
    guard !isIrregular, acts.isRegular, answers.isRegular, let aps = acts.aps, acts.records > 0
    else { return Array(#"{"format":"apns"}"#.utf8) }
    var rows = [acts.spelled(when: [(aps + "/event", "\"*\"")])]
    if answers.records > 0 {
      let mark = answers.takes.first { $0.member == "status" || $0.member == "reason" }
      let when = [(aps + "/event", "null")] + (mark.map { [($0.pointer, "\"*\"")] } ?? [])
      rows.append(answers.spelled(when: when))
    }
    let note =
      "what else stands on a record is not kept"
      + (isThroughText ? ", bytes of payloads in texts are not counted" : "")
    return Array(
      #"{"format":"json","note":"\#(note)","rows":[\#(rows.joined(separator: ","))]}"#.utf8)
  }
}

/// One row of the map: acts, or answers on lines of their own.
private struct RequestMapRow {
  private(set) var records = 0
  /// Where the content of `aps` stands.
  private(set) var aps: String?
  private(set) var isRegular = true
  /// How often a member was found at a pointer, in order of first appearance.
  private var found: [(member: String, pointer: String, count: Int)] = []
  /// Members that were worked out, their value, and on how many records.
  private var constants: [(member: String, value: String, count: Int)] = []

  /// Members that a map takes with the payload, or leaves.
  private static let worked: [String] = [
    "event", "source", "token", "channel", "apns-id", "apns-topic", "apns-push-type",
    "apns-priority", "apns-expiration", "apns-collapse-id", "host", "environment", "bundle-id",
    "recorder", "status", "reason", "gone-since", "attempt", "final", "key", "activity-id",
    "device", "build", "os", "aps-key", "operation", "at",
  ]

  mutating func add(
    _ event: EventDraft, _ origins: [(member: String, path: [String])], aps path: [String]?,
    of payload: JSONSlice?
  ) {
    records += 1
    let pointer = path.map { Self.pointer($0) }
    if records > 1, pointer != aps { isRegular = false }
    aps = pointer
    var known = Set(origins.map(\.member))
    for (member, path) in origins { count(member, at: Self.pointer(path)) }
    if path != nil { known.insert("event") }
    if let path, !known.contains("at"), payload?["aps"]?["timestamp"] != nil {
      if event["at"] == nil { isRegular = false }
      count("at", at: Self.pointer(path + ["timestamp"]))
      known.insert("at")
    }
    for member in Self.worked where !known.contains(member) {
      guard let value = event[member]?.spelling else { continue }
      let index = constants.firstIndex { $0.member == member }
      guard let index else {
        constants.append((member, value, 1))
        continue
      }
      if constants[index].value != value { isRegular = false }
      constants[index].count += 1
    }
    if constants.contains(where: { $0.count != records || Self.single.contains($0.member) }) {
      isRegular = false
    }
  }

  /// What is of one push or one card, and never the same for all: a map that sets it would make
  /// one of many.
  private static let single: Set<String> = [
    "token", "channel", "apns-id", "status", "reason", "gone-since", "activity-id", "key", "at",
    "attempt", "final", "apns-collapse-id",
  ]

  private mutating func count(_ member: String, at pointer: String) {
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

  func spelled(when: [(pointer: String, value: String)]) -> String {
    let tests = when.map { "\(Self.quoted($0.pointer)):\($0.value)" }
    let sets = constants.map { "\(Self.quoted($0.member)):\($0.value)" }
    var pointers: [String] = []
    for (pointer, _) in takes where !pointers.contains(pointer) { pointers.append(pointer) }
    var rows = pointers.map { pointer in
      var targets = takes.filter { $0.pointer == pointer }.map { Self.quoted($0.member) }
      if let aps, pointer == aps + "/timestamp" { targets.append("\"timestamp\"") }
      let target =
        targets.count == 1 ? targets[0] : "[" + targets.joined(separator: ",") + "]"
      return "\(Self.quoted(pointer)):\(target)"
    }
    if let aps { rows.append("\(Self.quoted(aps + "/*")):\"*\"") }
    let parts = [("when", tests), ("set", sets), ("take", rows)].filter { !$0.1.isEmpty }
    return "{"
      + parts.map { "\"\($0.0)\":{\($0.1.joined(separator: ","))}" }.joined(separator: ",") + "}"
  }

  private static func pointer(_ path: [String]) -> String {
    path.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
  }

  private static func quoted(_ text: String) -> String {
    String(decoding: MemberSpelling.quoted(text), as: UTF8.self)
  }
}
