/// Which requests of a source were pushes to Live Activities and which were ordinary pushes: hashes
/// of their ids, of the latest 262 144 to twice as many.
struct RequestMemory: Sendable {
  /// What pushes of an id were; a request id can be shared by both, and by several of each.
  struct Pushes: OptionSet, Sendable {
    let rawValue: UInt8
    static let acts = Pushes(rawValue: 1)
    static let ordinary = Pushes(rawValue: 2)
    static let severalActs = Pushes(rawValue: 4)
  }

  /// What is known of an id: its pushes, and the mark of the act that had it first.
  private struct Known: Sendable {
    var pushes: Pushes = []
    var mark: UInt32 = 0
  }

  /// What a request is known by.
  enum Name {
    /// An `apns-id`, in any case.
    case push(String)
    /// Another id of the record.
    case request(String)

    fileprivate var hash: UInt64 {
      switch self {
      case .push(let id):
        RequestMemory.hash(id, 0x70) { byte in
          byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
        }
      case .request(let id): RequestMemory.hash(id, 0x72) { $0 }
      }
    }
  }

  /// What tells acts under one request id apart: the same in every run, and for every try of one
  /// push.
  static func mark(of act: String) -> UInt32 {
    UInt32(truncatingIfNeeded: hash(act, 0x61) { $0 } >> 16)
  }

  /// FNV-1a: the same in every run.
  private static func hash(_ text: String, _ kind: UInt64, _ fold: (UInt8) -> UInt8) -> UInt64 {
    var hash = 0xCBF2_9CE4_8422_2325 ^ kind
    for byte in text.utf8 { hash = (hash ^ UInt64(fold(byte))) &* 0x100_0000_01B3 }
    return hash
  }

  private static let generationMax = 262_144

  private var recent: [UInt64: Known] = [:]
  private var older: [UInt64: Known] = [:]

  mutating func remember(_ name: Name, as pushes: Pushes, mark: UInt32 = 0) {
    let hash = name.hash
    var known = recent[hash] ?? older[hash] ?? Known()
    if pushes.contains(.acts) {
      if known.pushes.contains(.acts), known.mark != mark { known.pushes.insert(.severalActs) }
      if !known.pushes.contains(.acts) { known.mark = mark }
    }
    known.pushes.formUnion(pushes)
    recent[hash] = known
    guard recent.count >= Self.generationMax else { return }
    older = recent
    recent = [:]
  }

  private func known(_ name: Name) -> Known {
    let hash = name.hash
    return recent[hash] ?? older[hash] ?? Known()
  }

  /// What was seen under a name; nothing when it was never seen, or too long ago.
  func pushes(of name: Name) -> Pushes { known(name).pushes }

  /// The mark of the one act that was seen under a name.
  func mark(of name: Name) -> UInt32? {
    let known = known(name)
    return known.pushes.contains(.acts) && !known.pushes.contains(.severalActs) ? known.mark : nil
  }
}
