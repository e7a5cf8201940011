/// What a member's name on a line means to us.
enum LineName: Hashable, Sendable {
  /// A name we do not know.
  case other
  case member(Member)
  case event
  case at
  case recordedAt
  case seq
  case activityID
  case environment
  case bundleID
  case device
  case alert
  case contentState
  case attributes
  case activities
  case inputPushToken

  /// The names any line can have, beside the members of its kind.
  static let fixed: [(String, LineName)] = [
    ("event", .event), ("at", .at), ("recorded-at", .recordedAt), ("seq", .seq),
    ("activity-id", .activityID), ("environment", .environment), ("bundle-id", .bundleID),
    ("device", .device), ("alert", .alert), ("content-state", .contentState),
    ("attributes", .attributes), ("activities", .activities),
    ("input-push-token", .inputPushToken),
  ]

  /// Every name we know.
  static let all =
    fixed.map(\.1) + Member.allCases.filter { $0 != .contentBytes }.map { .member($0) }

  static let words = LineWords(all.map { ($0.spelling, $0) })

  /// The name as it is spelled on a line.
  var spelling: String {
    if case .member(let member) = self { return member.name }
    return LineName.fixed.first { $0.1 == self }?.0 ?? ""
  }

  /// Its place in a set.
  var bit: UInt64 {
    switch self {
    case .member(let member): UInt64(member.rawValue)
    case .other: 0
    case .event: 64
    case .at: 65
    case .recordedAt: 66
    case .seq: 67
    case .activityID: 68
    case .environment: 69
    case .bundleID: 70
    case .device: 71
    case .alert: 72
    case .contentState: 73
    case .attributes: 74
    case .activities: 75
    case .inputPushToken: 76
    }
  }
}

extension EventKind {
  /// Every kind's word but the unknown one's.
  static let words = LineWords(
    EventKind.allCases.filter { $0 != .unknown }.map { ($0.word, $0) })
}

/// A set of names, one bit each.
struct LineNameSet: Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  func contains(_ name: LineName) -> Bool { contains(bit: name.bit) }

  @inline(__always)
  func contains(bit: UInt64) -> Bool {
    ((bit < 64 ? low : high) &>> (bit & 63)) & 1 == 1
  }

  /// False when it was in already.
  @inline(__always)
  mutating func insert(bit: UInt64) -> Bool {
    let one = (1 as UInt64) &<< (bit & 63)
    if bit < 64 {
      guard low & one == 0 else { return false }
      low |= one
    } else {
      guard high & one == 0 else { return false }
      high |= one
    }
    return true
  }

  mutating func insert(_ name: LineName) {
    let bit = name.bit
    if bit < 64 { low |= 1 << bit } else { high |= 1 << (bit - 64) }
  }
}

/// Finds what a name's bytes mean: a small table of the words we know, built once.
struct LineWords<Value: Sendable>: Sendable {
  private var words: [[UInt8]] = []
  private var values: [Value] = []
  /// Open addressing over indexes + 1; 0 is free.
  private var slots = [UInt8](repeating: 0, count: 256)

  init(_ pairs: [(String, Value)]) {
    for (word, value) in pairs {
      let bytes = Array(word.utf8)
      var slot = bytes.withUnsafeBytes { LineWords.slot($0) }
      while slots[slot] != 0 { slot = (slot + 1) & 255 }
      words.append(bytes)
      values.append(value)
      slots[slot] = UInt8(words.count)
    }
  }

  /// What these bytes mean; nil when they are none of the words.
  func value(of bytes: UnsafeRawBufferPointer) -> Value? {
    var slot = LineWords.slot(bytes)
    while slots[slot] != 0 {
      let index = Int(slots[slot]) - 1
      if words[index].count == bytes.count, words[index].elementsEqual(bytes) {
        return values[index]
      }
      slot = (slot + 1) & 255
    }
    return nil
  }

  private static func slot(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard let first = bytes.first, let last = bytes.last else { return 0 }
    let middle = Int(bytes[bytes.count / 2])
    return (Int(first) * 7 + Int(last) * 31 + middle * 13 + bytes.count &* 59) & 255
  }
}

/// What a kind's lines lift into columns.
struct LineLift: Sendable {
  private var sets: [LineNameSet] = []
  private let always: LineNameSet

  static let shared = LineLift()

  private init() {
    var always = LineNameSet()
    let ofEveryKind: [LineName] = [
      .event, .at, .recordedAt, .seq, .activityID, .environment, .bundleID, .device,
    ]
    for name in ofEveryKind { always.insert(name) }
    for member in Member.common { always.insert(.member(member)) }
    self.always = always
    for kind in EventKind.allCases {
      while sets.count <= Int(kind.rawValue) { sets.append(always) }
      for member in kind.members where member != .contentBytes {
        sets[Int(kind.rawValue)].insert(.member(member))
      }
    }
  }

  func names(of kind: EventKind) -> LineNameSet { sets[Int(kind.rawValue)] }
}
