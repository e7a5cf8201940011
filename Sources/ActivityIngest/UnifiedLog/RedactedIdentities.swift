internal import ActivityCore

/// Which cards are open in each process, so that lines whose id redaction took are given to one
/// only where there is one.
///
/// A process is known by device, boot and number. An id-less start opens
/// `redacted:<device>/<pid>/<n>`; id-less lines go to it while it is the only one open there. With
/// more, nobody can say whose they are.
struct RedactedIdentities: Sendable {
  /// What nothing on a `redacted:` activity may be taken for: a known id.
  static let prefix = "redacted:"

  struct Place: Hashable, Sendable {
    var device: String
    var boot: String
    var process: String
  }

  /// A card asked for by a line that could not name it.
  struct Asked: Sendable {
    var draft: EventDraft
    /// What its id is the digest of.
    var key: [UInt8]
    var n: String
    var at: Int64
    var number: Int
  }

  struct Card: Sendable {
    var name: String
    var key: String?
    var since: Int64

    var isRedacted: Bool { name.hasPrefix(prefix) }
  }

  /// An act as told by one of two who tell the same.
  struct Told: Sendable {
    var event: String
    var name: String
    var isOfFramework: Bool
    var at: Int64
  }

  struct Process: Sendable {
    var open: [Card] = []
    /// Ends that could not be given to one of the open cards.
    var unknownEnds = 0
    var asked: [Asked] = []
    /// Acts told by one of two, of the last seconds.
    var told: [Told] = []
    var seen = 0
  }

  /// Processes remembered at once, cards open in one, and cards asked for and not named.
  private static let processLimit = 4_096
  private static let cardLimit = 64
  /// A card is gone after 8 h of life and 4 h on the Lock Screen.
  private static let longest: Int64 = 12 * 3_600_000_000
  /// How long after it was asked for a card may be named.
  private static let naming: Int64 = 120_000_000
  /// How far apart the system's library and the app tell of one act.
  private static let retelling: Int64 = 10_000_000

  private var processes: [Place: Process] = [:]
  private var count = 0

  static func name(_ place: Place, _ n: String) -> String {
    "\(prefix)\(place.device)/\(place.process)/\(n)"
  }

  /// Remembers a card that a line asks for without naming it.
  mutating func ask(_ place: Place, _ asked: Asked) {
    change(place, at: asked.at) { process, count in
      var asked = asked
      asked.number = count
      process.asked.append(asked)
      if process.asked.count > Self.cardLimit { process.asked.removeFirst() }
    }
  }

  /// A start: the card it is of.
  mutating func start(
    _ place: Place, named: String?, key: String?, n: String, at: Int64
  ) -> String {
    let name = named ?? Self.name(place, n)
    change(place, at: at) { process, _ in
      if let index = Self.waiting(process, at) { process.asked.remove(at: index) }
      Self.open(name, key, &process, at)
    }
    return name
  }

  /// What was asked for and cannot be named any more, since lines without ids speak of it.
  mutating func release(_ place: Place, at: Int64) -> [Asked] {
    var released: [Asked] = []
    change(place, at: at) { process, _ in
      released = process.asked
      process.asked = []
      for asked in released { Self.open(Self.name(place, asked.n), nil, &process, asked.at) }
    }
    return released
  }

  /// A request that failed: it is not waited for any more.
  mutating func fail(_ place: Place, n: String, at: Int64) -> String {
    var n = n
    change(place, at: at) { process, _ in
      guard let index = Self.waiting(process, at) else { return }
      n = process.asked.remove(at: index).n
    }
    return Self.name(place, n)
  }

  /// A line that names its card.
  mutating func see(_ place: Place, named name: String, isEnd: Bool, at: Int64) {
    change(place, at: at) { process, _ in
      if isEnd {
        process.open.removeAll { $0.name == name }
        Self.settleEnds(&process)
      } else if !process.open.contains(where: { $0.name == name }) {
        Self.open(name, nil, &process, at)
      }
    }
  }

  /// A line that names no card: the only one it can be of.
  ///
  /// - Parameter anyName: whether the line never has an id, so that a card known by its id will do
  ///   too.
  mutating func only(
    _ place: Place, key: String?, anyName: Bool, isEnd: Bool, at: Int64
  ) -> String? {
    var name: String?
    change(place, at: at) { process, _ in
      let ofKey = process.open.filter { key != nil && $0.key == key }
      let others = process.open.filter { key == nil || $0.key == nil }
      let candidates = ofKey.count == 1 ? ofKey : others
      if candidates.count == 1, ofKey.count == 1 || process.unknownEnds == 0,
        anyName || candidates[0].isRedacted
      {
        name = candidates[0].name
        if isEnd { process.open.removeAll { $0.name == name } }
      } else if isEnd, !process.open.isEmpty {
        process.unknownEnds += 1
      }
      Self.settleEnds(&process)
    }
    return name
  }

  /// Whether the other of app and system library told this act just before.
  mutating func isRetold(
    _ place: Place, _ event: String, _ name: String, isOfFramework: Bool, at: Int64
  ) -> Bool {
    var isRetold = false
    change(place, at: at) { process, _ in
      process.told.removeAll { at.subtractingClamped($0.at).magnitude > Self.retelling.magnitude }
      let first = process.told.firstIndex { told in
        told.event == event && told.name == name && told.isOfFramework != isOfFramework
      }
      if let first {
        isRetold = true
        process.told.remove(at: first)
      } else {
        process.told.append(
          Told(event: event, name: name, isOfFramework: isOfFramework, at: at))
        if process.told.count > Self.cardLimit { process.told.removeFirst() }
      }
    }
    return isRetold
  }

  /// What was asked for and never named, in the order of the source.
  mutating func finish() -> [(Place, Asked)] {
    defer { processes = [:] }
    return processes.flatMap { place, process in process.asked.map { (place, $0) } }
      .sorted { $0.1.number < $1.1.number }
  }

  private mutating func change(
    _ place: Place, at: Int64, _ body: (inout Process, Int) -> Void
  ) {
    count += 1
    if processes[place] == nil, processes.count >= Self.processLimit {
      let oldest = processes.min { $0.value.seen < $1.value.seen }
      if let oldest { processes[oldest.key] = nil }
    }
    var process = processes.removeValue(forKey: place) ?? Process()
    process.seen = count
    process.open.removeAll { at.subtractingClamped($0.since) > Self.longest }
    body(&process, count)
    processes[place] = process
  }

  /// The first card asked for that may still be named.
  private static func waiting(_ process: Process, _ at: Int64) -> Int? {
    process.asked.firstIndex { at.subtractingClamped($0.at) <= naming }
  }

  private static func open(_ name: String, _ key: String?, _ process: inout Process, _ at: Int64) {
    process.open.removeAll { $0.name == name }
    process.open.append(Card(name: name, key: key, since: at))
    if process.open.count > cardLimit { process.open.removeFirst() }
  }

  /// When as many ends are unknown as cards are open, none is open.
  private static func settleEnds(_ process: inout Process) {
    guard process.unknownEnds >= process.open.count else { return }
    process.open = []
    process.unknownEnds = 0
  }
}
