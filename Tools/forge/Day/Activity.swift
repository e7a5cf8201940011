/// One activity's plan. Instants are microseconds since the day began.
struct Activity {
  struct Traits: OptionSet {
    let rawValue: UInt16
    /// Answers of APNs come as rows of their own.
    static let separateAnswers = Traits(rawValue: 1)
    static let endsInApp = Traits(rawValue: 2)
    static let endsImmediately = Traits(rawValue: 4)
    static let work = Traits(rawValue: 8)
    static let shownActive = Traits(rawValue: 16)
    static let shownEnded = Traits(rawValue: 32)
    static let dismissal = Traits(rawValue: 64)
    static let byPerson = Traits(rawValue: 128)
    static let inventory = Traits(rawValue: 256)
    static let alert = Traits(rawValue: 512)
    /// The second update needs a second attempt.
    static let retried = Traits(rawValue: 1024)
    static let swiped = Traits(rawValue: 2048)
    /// The swipe is in the log, not only its 410.
    static let swipeSeen = Traits(rawValue: 4096)
    /// The card gets a new token after its second update.
    static let rotated = Traits(rawValue: 8192)
  }

  /// What happens to some activities of a strange day, where no audit is compared.
  enum Oddity: Int64 {
    case futureStamp
    case revival
    case restart
    case disabled
  }

  /// The card's update tokens, and the token its device is started by.
  enum Token: UInt64 {
    case first
    case start
    case second
  }

  let index: Int
  let hash: UInt64
  let start: Int64
  let finish: Int64
  let updates: Int
  let type: Int
  var device: Int
  var traits: Traits
  var fault: Fault?
  var oddity: Oddity?

  /// Minutes that activities of each type last.
  private static let minutes: [Range<Int64>] = [10..<25, 10..<60, 25..<70, 95..<125, 5..<40]

  init(_ index: Int, start: Int64, random: inout SplitMix64, isClean: Bool) {
    self.index = index
    self.start = start
    hash = random.next()
    type = Int(random.below(5))
    updates = 4 + Int(random.below(6))
    finish = start + random.within(Self.minutes[type]) * UTC.minute + random.below(UTC.minute)
    device = index
    traits = Self.traits(&random, index)
    let roll = random.below(10_000)
    if !isClean, let chosen = Fault.chosen(by: roll), chosen.fits(self) {
      fault = chosen
      traits.subtract([.swiped, .retried, .inventory])
    }
  }

  private static func traits(_ random: inout SplitMix64, _ index: Int) -> Traits {
    let perMille: [(Traits, Int64)] = [
      (.separateAnswers, 220), (.endsInApp, 250), (.endsImmediately, 250), (.work, 430),
      (.shownActive, 300), (.shownEnded, 600), (.dismissal, 500), (.byPerson, 600),
      (.inventory, 60), (.alert, 300), (.swiped, 15), (.swipeSeen, 600), (.rotated, 30),
    ]
    var traits: Traits = []
    for (trait, rate) in perMille where random.chance(rate) { traits.insert(trait) }
    if index % 97 == 5 { traits.insert(.retried) }
    if traits.contains(.swiped) { traits.subtract([.alert, .inventory]) }
    return traits
  }

  var spacing: Int64 { (finish - start) / Int64(updates + 1) }

  /// When update `step`, from 0 on, is sent: evenly over the life, give or take a tenth.
  func update(_ step: Int) -> Int64 {
    let jitter = Int64(SplitMix64.mix(hash &+ UInt64(step)) % 2001) - 1000
    return start + Int64(step + 1) * spacing + spacing * jitter / 10_000
  }

  /// A number that belongs to this activity and `salt` alone.
  func number(_ salt: UInt64, below bound: UInt64) -> Int64 {
    Int64(SplitMix64.mix(hash ^ (salt &* 0x2545_F491_4F6C_DD1D)) % bound)
  }

  /// How long a content stays fresh: past the next one, also where one of them is lost.
  func freshness(of step: Int) -> Int64 {
    switch fault {
    case .staleWhileLive: step == 1 ? 2 * UTC.minute : spacing * 2
    case .outOfOrder, .updateNotDelivered: spacing * 4
    // Beyond its life: what is planted is a card that stays, not one given up when it was stale.
    case .neverEnded, .endNotDelivered: 9 * UTC.hour
    default: spacing * 3 / 2 + 5 * UTC.minute
    }
  }

  /// Whether an update rings: about one in twelve, and two of a card at most, however short it is.
  func rings(_ step: Int) -> Bool {
    step < updates && (step == 2 || step == 5) && number(UInt64(step) + 60, below: 3) == 0
  }

  /// When an end is first asked for; the order is finished at `finish`.
  var firstEnd: Int64 { finish + UTC.second + number(1, below: 3_000_000) }

  /// When an end is applied.
  var end: Int64 {
    fault == .lateEnd ? firstEnd + 6 * UTC.minute + number(2, below: 3_240_000_000) : firstEnd
  }

  var id: (high: UInt64, low: UInt64) { (hash, SplitMix64.mix(hash &+ 0xA11D)) }

  /// How `truth` and the audit name it.
  var name: String { Hex.uuid(id.high, id.low) }

  var key: String { "A-\(100_000 + index)" }
}
