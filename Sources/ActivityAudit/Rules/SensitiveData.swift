internal import ActivityCore

/// Personal data and raw tokens in what is logged and sent.
package struct SensitiveData: AuditRule {
  package static let cardShare = RuleThreshold(
    "sensitive-data", "card-share", 5, "percent",
    "share of a recorder's acts from which on card numbers are no chance order numbers")

  private let cardShare: Double

  package static var wants: LifeTraits { .rareContent }

  package init(_ settings: RuleSettings) { cardShare = settings[SensitiveData.cardShare] / 100 }

  private static let hex = String(repeating: "0f1e2d3c", count: 8)

  package static let info = RuleInfo(
    id: "sensitive-data", severity: .warning,
    summary: "personal data or raw tokens stand in the log",
    reason: "It lies on the Lock Screen, in this log, and in every copy of it.",
    condition: """
      A text anywhere in a row's JSON is an e-mail address; or a number that begins with + and has \
      8 to 15 digits; or a number as card networks give them, with the right check digit, in 5 \
      percent or more of the recorder's acts; or 64 hexadecimal digits or more, under a name that \
      does not suggest a digest. Only the first of a row counts. One finding for each recorder, \
      place and sort; a value is never shown.
      """,
    advice: "Send and log a reference instead; `erase` removes one activity's content from a log.",
    scope: .recorder, reads: .all, thresholds: [cardShare],
    fires: [
      RuleExample(
        "the courier's phone",
        """
        0m start A source=app device=phone content-state={"courier":"+4915112345678"}
        20m end A source=app device=phone content
        """, finds: .confirmed),
      RuleExample(
        "an address among the attributes",
        """
        0m start A source=app device=phone attributes={"who":[{"mail":"kim@example.com"}]} content
        20m end A source=app device=phone content
        """, finds: .confirmed),
      RuleExample(
        "a failure writes a token down",
        """
        0m start A source=app device=phone content
        5m failure A operation=send message=\(hex) device=phone
        20m end A source=app device=phone content
        """, finds: .confirmed),
    ],
    passes: [
      RuleExample(
        "an order number is no card",
        """
        0m start A source=app device=phone content-state={"order":"4111111111111112"}
        20m end A source=app device=phone content
        """),
      RuleExample(
        "a digest is no token",
        """
        0m start A source=app device=phone content-state={"sha":"\(hex)"}
        20m end A source=app device=phone content
        """),
      RuleExample(
        "prices and times",
        """
        0m start A source=app device=phone content-state={"p":"2@10.50","t":"2026-01-05T10:00:00"}
        20m end A source=app device=phone content
        """),
    ])

  private struct Place: Hashable {
    var recorder: Entry.Word
    var pointer: Int32
    var sort: Int32
  }

  /// More places than this in one recorder's rows are names made of data, and told as one.
  private static let placesMax = 20

  private var places: [Place: RowTally] = [:]
  private var acts: [Entry.Word: Int] = [:]

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    let hasCards = life.log.contentMarks.contains(.card)
    for entry in life.entries where entry.kind != nil && !entry.isListed {
      if hasCards, entry.kind?.isAct ?? false { acts[entry.recorder, default: 0] += 1 }
      guard let rare = life.log.rareContent(of: entry), rare.sensitive >= 0 else { continue }
      note(entry, rare, device: life.deviceWord, card: life.number)
    }
  }

  private mutating func note(
    _ entry: Entry, _ rare: ContentFacts.Rare, device: Entry.Word, card: Int
  ) {
    let place = Place(recorder: entry.recorder, pointer: rare.sensitive, sort: rare.looksLike)
    places[place, default: RowTally()].add(entry, device: device, card: card)
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    guard log.contentMarks.contains(.rare) else { return }
    let others: [EventKind] = [
      .response, .failure, .authorization, .channel, .work, .token,
    ]
    for kind in others {
      for entry in log.rows(of: kind) {
        guard let rare = log.rareContent(of: entry), rare.sensitive >= 0 else { continue }
        note(entry, rare, device: log.device(of: entry), card: -1)
      }
    }
    var bySender: [[String]: [String: RowTally]] = [:]
    for (place, tally) in places {
      let sort = log.contentText(place.sort) ?? ""
      let share = Double(tally.count) / Double(max(1, acts[place.recorder] ?? 0))
      if sort == "card", share < cardShare { continue }
      let pointer = SensitiveData.general(log.contentText(place.pointer) ?? "")
      bySender[[log.text(place.recorder) ?? "", sort], default: [:]][
        pointer, default: RowTally()
      ].add(tally)
    }
    for (sender, pointers) in bySender.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      report(sender[0], sender[1], pointers, &findings)
    }
  }

  /// Elements of an array are one place.
  private static func general(_ pointer: String) -> String {
    pointer.split(separator: "/", omittingEmptySubsequences: false)
      .map { Int($0) == nil ? String($0) : "*" }.joined(separator: "/")
  }

  private func report(
    _ name: String, _ sort: String, _ pointers: [String: RowTally], _ findings: inout [Finding]
  ) {
    let whose = name.isEmpty ? "" : " of \(name)"
    let article = sort == "e-mail" ? "an e-mail address" : sort == "token" ? "a raw token" : nil
    let what = article ?? "a \(sort) number"
    guard pointers.count <= SensitiveData.placesMax else {
      var all = RowTally()
      for tally in pointers.values { all.add(tally) }
      findings.append(
        Finding(
          SensitiveData.info, .confirmed, tally: all, identity: [name, sort],
          message: "what looks like \(what) stands in \(pointers.count) places\(whose)"))
      return
    }
    for (pointer, tally) in pointers.sorted(by: { $0.key < $1.key }) {
      findings.append(
        Finding(
          SensitiveData.info, .confirmed, tally: tally, identity: [name, sort, pointer],
          message: """
            what looks like \(what) stands at \(pointer) in \(Wording.count(tally.count, "row"))\
            \(whose)
            """))
    }
  }
}
