internal import ActivityCore

/// Two things under one id, or two ids for one card.
package struct IDMismatch: AuditRule {
  package static let info = RuleInfo(
    id: "id-mismatch", severity: .warning,
    summary: "one activity id stands for two keys or two devices, or one token for two activities",
    reason: "What is meant for one card reaches another, and neither can be told from the log.",
    condition: """
      An activity's own rows say two keys; or its content names another key than its start did \
      (where a key path is known); or one activity id is used again for another key; or it is seen \
      on two devices of one app and environment; or a token is seen with two activity ids. How the \
      log is read: two devices are two cards, and a token belongs, row by row, to the id it was \
      last seen with. An id that is no UUID may name an audience on purpose: on two devices it is \
      an info. One key of many activities is no mismatch.
      """,
    advice: """
      Keep one mapping between your own ids and the system's, made once and stored; never hand the \
      id or token of one activity to another.
      """,
    scope: .activity, needs: [.key], reads: .all,
    fires: IDMismatchExamples.fires, passes: IDMismatchExamples.passes)

  /// What one life said of an id.
  private struct Seen {
    var number: Int
    var at: Timestamp
    var seq: Int64
    var key: Entry.Word
    var device: Entry.Word
    var bundle: Entry.Word
    var environment: Entry.Word
    var type: Entry.Word
    var build: Entry.Word

    init(_ entry: Entry, _ life: Timeline) {
      number = life.number
      at = entry.at
      seq = entry.seq
      key = life.key
      device = life.deviceWord
      bundle = life.bundle
      environment = life.environment
      type = life.type
      build = life.build
    }
  }

  private var ids: [Entry.Word: Seen] = [:]
  private var shared: [Entry.Word: [Seen]] = [:]
  /// By token, then by id: the first row that showed them together.
  private var tied: [Entry.Word: [Entry.Word: Seen]] = [:]

  package static var wants: LifeTraits {
    [.keysDiffer, .sharedID, .severalLives, .tiedToken, .strangeKey]
  }

  package init(_ settings: RuleSettings) {}

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard !life.isChannel, !life.isNamedByKey else { return }
    noteID(life)
    noteTokens(life)
    if let finding = twoKeys(life) ?? strangeContent(life) { findings.append(finding) }
  }

  private mutating func noteID(_ life: Timeline) {
    guard let first = life.entries.first(where: { !$0.activityID.isAbsent }) else { return }
    let seen = Seen(first, life)
    if let other = ids[first.activityID] {
      shared[first.activityID, default: [other]].append(seen)
    } else {
      ids[first.activityID] = seen
    }
  }

  private mutating func noteTokens(_ life: Timeline) {
    guard life.log.hasTiedTokens else { return }
    for entry in life.entries where life.log.isTied(entry) {
      let known = tied[entry.token]?[entry.activityID]
      if let known, (known.at, known.seq) <= (entry.at, entry.seq) { continue }
      tied[entry.token, default: [:]][entry.activityID] = Seen(entry, life)
    }
  }

  /// Two keys in the rows of one life that name it themselves.
  private func twoKeys(_ life: Timeline) -> Finding? {
    var first: Entry?
    for entry in life.entries where !entry.key.isAbsent && !entry.fansOut {
      guard let known = first else {
        first = entry
        continue
      }
      guard entry.key != known.key else { continue }
      let words = [known.key, entry.key].map { life.log.text($0) ?? "" }
      return Finding(
        IDMismatch.info, .confirmed, about: life, from: entry.at, until: nil,
        evidence: [known, entry], message: "its rows say two keys, \(words[0]) and \(words[1])")
    }
    return nil
  }

  /// Content whose key is not the one that the start named.
  private func strangeContent(_ life: Timeline) -> Finding? {
    guard life.log.knowsKeyPath else { return nil }
    var known: (entry: Entry, key: String)?
    var strange: [Entry] = []
    var other = ""
    for entry in life.entries where entry.kind?.isContentAct ?? false && !entry.fansOut {
      let said = life.log.contentText(life.log.content(of: entry)?.key)
      guard let start = known else {
        if let key = said ?? life.log.text(entry.key) { known = (entry, key) }
        continue
      }
      guard let said, said != start.key else { continue }
      if strange.isEmpty { other = said }
      strange.append(entry)
    }
    guard let known, let first = strange.first, let last = strange.last else { return nil }
    var finding = Finding(
      IDMismatch.info, .confirmed, about: life, from: first.at, until: last.at,
      evidence: [known.entry] + strange,
      message: "it began for key \(known.key), and content of \(other) was sent to it")
    finding.count = strange.count
    return finding
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    for seen in shared.values {
      let sorted = seen.sorted { IDMismatch.precedes($0, $1, log) }
      if let finding = IDMismatch.reuse(sorted, log) ?? IDMismatch.twoDevices(sorted, log) {
        findings.append(finding)
      }
    }
    for (token, seen) in tied {
      let sorted = seen.values.sorted { IDMismatch.precedes($0, $1, log) }
      findings.append(IDMismatch.twoIDs(log.text(token) ?? "", sorted, log))
    }
  }

  /// Lives of one id with different keys.
  private static func reuse(_ seen: [Seen], _ log: AuditLog) -> Finding? {
    let keyed = seen.filter { !$0.key.isAbsent }
    guard let first = keyed.first, let other = keyed.first(where: { $0.key != first.key }) else {
      return nil
    }
    let words = [first.key, other.key].map { log.text($0) ?? "" }
    return finding(
      about: other, identity: "keys", keyed.map(\.seq), log,
      "its id stood for key \(words[0]) before, now for \(words[1])",
      count: Set(keyed.map(\.key)).count)
  }

  /// Lives of one id on different devices.
  private static func twoDevices(_ seen: [Seen], _ log: AuditLog) -> Finding? {
    let placed = seen.filter { !$0.device.isAbsent }
    guard let first = placed.first,
      let other = placed.first(where: {
        $0.device != first.device && $0.bundle == first.bundle
          && $0.environment == first.environment
      })
    else { return nil }
    let devices = Set(placed.map(\.device)).count
    let isUUID = isUUID(name(of: other, log))
    let words = [first.device, other.device].map { log.text($0) ?? "" }
    var found = finding(
      about: first, identity: "devices", placed.map(\.seq), log,
      """
      its id is seen on \(Wording.count(devices, "device")), such as \(words[0]) and \(words[1]), \
      each read as a card of its own
      """, count: devices, severity: isUUID ? .warning : .info)
    found.from = other.at
    found.devices = devices
    return found
  }

  private static func twoIDs(_ token: String, _ seen: [Seen], _ log: AuditLog) -> Finding {
    let other = seen[min(1, seen.count - 1)]
    return finding(
      about: other, identity: "token " + token, seen.map(\.seq), log,
      """
      its token was seen with \(name(of: seen[0], log)) too; each push belongs to the id the token \
      was last seen with
      """, count: seen.count)
  }

  /// Names and not rows decide between equal times, so that the order of import does not.
  private static func precedes(_ a: Seen, _ b: Seen, _ log: AuditLog) -> Bool {
    if a.at != b.at { return a.at < b.at }
    let words = [a, b].map { seen in
      [name(of: seen, log), log.text(seen.device) ?? "", log.text(seen.key) ?? ""]
    }
    return words[0].lexicographicallyPrecedes(words[1])
  }

  private static func name(of seen: Seen, _ log: AuditLog) -> String {
    log.resolution.names[seen.number].printed(log.resolution.set.texts)
  }

  private static func finding(
    about seen: Seen, identity: String, _ evidence: [Int64], _ log: AuditLog, _ message: String,
    count: Int, severity: Severity? = nil
  ) -> Finding {
    let name = name(of: seen, log)
    var finding = Finding(
      info, .confirmed, identity: [name, identity], from: seen.at, until: nil, evidence: evidence,
      message: message, severity: severity)
    finding.name = name
    if case .activity = log.resolution.names[seen.number] { finding.activityID = name }
    finding.key = log.text(seen.key)
    finding.device = log.text(seen.device)
    finding.build = log.text(seen.build)
    finding.attributesType = log.text(seen.type)
    finding.devices = finding.device == nil ? 0 : 1
    finding.count = count
    return finding
  }

  /// The form of ids that the system makes: 8-4-4-4-12 hex digits.
  private static func isUUID(_ name: String) -> Bool { PushID(uuid: Array(name.utf8)[...]) != nil }
}
