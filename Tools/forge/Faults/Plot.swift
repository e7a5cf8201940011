/// All stories of a bad day: their lines, and what must be found in them.
struct Plot {
  private(set) var rows: [StoryRow] = []
  private(set) var findings: [StoryFinding] = []
  var random: SplitMix64
  /// The day's first instant, in microseconds since 1970.
  let day: Int64
  private let seed: UInt64
  private var cards = 0
  private var pushes: UInt64 = 0

  init(seed: UInt64, day: Int64) {
    self.seed = SplitMix64.mix(seed &+ 0xFA17)
    self.day = day
    random = SplitMix64(seed: self.seed)
    for kind in StoryKind.all {
      let times = random.within(kind.times)
      for number in 0..<times {
        let start = day + random.within(kind.hours) * UTC.hour + random.below(UTC.hour)
        kind.tell(&self, start, Int(number))
      }
    }
    close()
  }

  /// Every recorder was seen recording to the day's end.
  private mutating func close() {
    for name in Set(rows.compactMap { $0.text("recorder") }).sorted() {
      line(
        "authorization", day + UTC.day - 5.seconds, name,
        [
          [
            "device": "probe-\(name)", "bundle-id": "com.example.probe", "enabled": true,
            "frequent": true,
          ]
        ])
    }
  }

  /// A card on a device of its own. With `own`, also its type, build, recorders are no other's.
  mutating func card(_ own: String? = nil) -> StoryCard {
    cards += 1
    let mixed = SplitMix64.mix(seed &+ UInt64(cards))
    let group = own.map { "\($0)-\(cards)" }
    return StoryCard(
      number: cards, id: Hex.uuid(mixed, SplitMix64.mix(mixed)), key: "F-\(cards)",
      device: "f\(cards)", token: token("update \(cards)"), type: group ?? StoryCard.commonType,
      build: own == nil ? StoryCard.commonBuild : "\(900 + cards)",
      phone: group.map { "phone-\($0)" } ?? "field-\(cards % 4)",
      sender: group.map { "push-\($0)" } ?? "courier-\(cards % 8)")
  }

  /// Another card of the same type, build and recorders, on a device of its own.
  mutating func another(_ like: StoryCard) -> StoryCard {
    var card = self.card()
    (card.type, card.build) = (like.type, like.build)
    (card.phone, card.sender) = (like.phone, like.sender)
    return card
  }

  /// The stored form of a token that belongs to `words` alone.
  func token(_ words: String) -> String {
    let mixed = words.utf8.reduce(seed) { SplitMix64.mix($0 &+ UInt64($1)) }
    return "sha256:" + Hex.text(mixed, 16) + Hex.text(SplitMix64.mix(mixed), 16)
  }

  mutating func push() -> String {
    pushes += 1
    let mixed = SplitMix64.mix(seed &+ 0xA9_0000 &+ pushes)
    return Hex.uuid(mixed, SplitMix64.mix(mixed))
  }

  /// Adds a line; the result is its place among all lines of stories.
  @discardableResult
  mutating func line(
    _ event: String, _ at: Int64, _ recorder: String, _ members: [StoryRow.Members]
  ) -> Int {
    var row = StoryRow(event, at: at, recorder: recorder)
    for more in members { row.set(more) }
    rows.append(row)
    return rows.count - 1
  }

  /// Gives the latest line to another recorder.
  mutating func rename(last recorder: String) {
    rows[rows.count - 1].set(["recorder": "\(recorder)"])
  }

  // MARK: What must be found

  /// About one activity.
  mutating func find(_ rule: String, _ card: StoryCard) {
    findings.append(
      StoryFinding(
        rule: rule, name: card.id, type: card.type, build: card.build, key: card.key,
        device: card.device))
  }

  /// About a start that became no card: its name is its line's number.
  mutating func find(_ rule: String, start row: Int, _ card: StoryCard) {
    findings.append(
      StoryFinding(
        rule: rule, row: row, type: card.type, build: card.build, key: card.key,
        device: card.device))
  }

  /// About a type and build.
  mutating func find(_ rule: String, buildOf card: StoryCard) {
    findings.append(StoryFinding(rule: rule, type: card.type, build: card.build))
  }

  /// About a device and type.
  mutating func find(_ rule: String, deviceOf card: StoryCard) {
    findings.append(StoryFinding(rule: rule, type: card.type, device: card.device))
  }

  /// About a recorder, a pair of them, a channel or a span of time.
  mutating func find(_ rule: String) { findings.append(StoryFinding(rule: rule)) }

  mutating func find(_ finding: StoryFinding) { findings.append(finding) }
}
