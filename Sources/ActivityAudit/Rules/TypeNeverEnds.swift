internal import ActivityCore

/// A kind of card that its own side never ends.
package struct TypeNeverEnds: AuditRule {
  package static let info = RuleInfo(
    id: "type-never-ends", severity: .error,
    summary: "a type of card that neither the app nor a server ever ends",
    reason:
      "It is no accident: every person who gets such a card keeps it, or has to swipe it away.",
    condition: """
      Of 20 decided activities or more of a type and build (ended or leaked; those of which \
      nothing can be said yet are left out), under 1 % were ended by anybody but the person who \
      held the phone: by the app, a push, a broadcast, or by something the log does not name. \
      Inferred when most of them leaked and none of these leaks is confirmed, else confirmed.
      """,
    advice: """
      The build has no working path to an end: look for the code that ends this type, and whether \
      it runs on success, failure and cancel.
      """,
    scope: .typeAndBuild,
    thresholds: [decided, share],
    fires: [
      RuleExample(
        "twenty cards, every one swiped away",
        TypeNeverEnds.cards(20, "dismiss X device=phone by=person"), finds: .confirmed)
    ],
    passes: [
      RuleExample(
        "twenty cards, every one ended",
        TypeNeverEnds.cards(20, "end X source=app device=phone content=2")),
      RuleExample(
        "nineteen are too few to tell",
        TypeNeverEnds.cards(19, "dismiss X device=phone by=person")),
      RuleExample(
        "what ended them is not seen, only that they are gone",
        TypeNeverEnds.cards(20, "state X device=phone state=dismissed")),
    ])

  /// Cards of one type, one after another, each with a second line after 20 minutes.
  private static func cards(_ count: Int, _ last: String) -> String {
    let lines = (0..<count).flatMap { number in
      [
        "\(number * 30)m start C\(number) source=app device=phone attributes-type=Ride content",
        "\(number * 30 + 20)m " + last.split(separator: "X").joined(separator: "C\(number)"),
      ]
    }
    return lines.joined(separator: "\n")
  }

  private static let decided = RuleThreshold(
    "type-never-ends", "decided", 20, "activities", "how many must be decided")
  private static let share = RuleThreshold(
    "type-never-ends", "share", 1, "percent", "below which share of ended ones it fires")

  private struct Decided {
    var count = 0
    var ended = 0
    var leaked = 0
    var isConfirmed = false
    var left = Tally()
  }

  private let decidedMin: Int
  private let share: Double
  private var types: [TypeAndBuild: Decided] = [:]

  package static var wants: LifeTraits { [.undecided, .endedByPerson] }
  package static var counts: Bool { true }

  package init(_ settings: RuleSettings) {
    decidedMin = max(1, settings.count(TypeNeverEnds.decided))
    share = settings[TypeNeverEnds.share]
  }

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard !life.isExempt, !life.type.isAbsent else { return }
    let verdict = life.leak.verdict
    guard verdict != nil || life.endedAt != nil else { return }
    var counts = types[TypeAndBuild(life)] ?? Decided()
    counts.count += 1
    if verdict == nil, !TypeNeverEnds.isByPerson(life) {
      counts.ended += 1
    } else {
      if verdict != nil { counts.leaked += 1 }
      if verdict == .confirmed { counts.isConfirmed = true }
      if let first = life.entries.first(where: { $0.kind != nil }) {
        counts.left.add(first, of: life)
      }
    }
    types[TypeAndBuild(life)] = counts
  }

  /// One that the app or a server ended.
  package mutating func count(_ facts: LifeFacts) {
    guard facts.type >= 0 else { return }
    types[TypeAndBuild(facts), default: Decided()].count += 1
    types[TypeAndBuild(facts), default: Decided()].ended += 1
  }

  /// Whether it was the person who ended it.
  private static func isByPerson(_ life: Timeline) -> Bool {
    let end = life.entries.last { $0.kind != nil && $0.before.isLive && $0.after.isOver }
    return end.map { $0.isByPerson || $0.source == .person } ?? false
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    for (scope, counts) in types {
      guard counts.count >= decidedMin,
        Double(counts.ended) * 100 < share * Double(counts.count)
      else { continue }
      let isInferred = counts.leaked * 2 > counts.count && !counts.isConfirmed
      findings.append(
        Finding(
          TypeNeverEnds.info, isInferred ? .inferred : .confirmed, tally: counts.left, scope, log,
          message: """
            of \(Wording.count(counts.count, "decided card")) of this type and build, \
            the app or a server ended \(counts.ended); \(counts.leaked) leaked
            """))
    }
  }
}
