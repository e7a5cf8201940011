/// Which requests of a source were pushes to Live Activities and which were ordinary pushes: hashes
/// of their ids, of the latest 262 144 to twice as many.
struct RequestMemory: Sendable {
  /// What pushes of an id were; a request id can be shared by both.
  struct Pushes: OptionSet, Sendable {
    let rawValue: UInt8
    static let acts = Pushes(rawValue: 1)
    static let ordinary = Pushes(rawValue: 2)
  }

  /// What a request is known by.
  enum Name {
    /// An `apns-id`, in any case.
    case push(String)
    /// Another id of the record.
    case request(String)

    /// FNV-1a: the same in every run.
    fileprivate var hash: UInt64 {
      switch self {
      case .push(let id):
        Self.hash(id, 0x70) { byte in
          byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
        }
      case .request(let id): Self.hash(id, 0x72) { $0 }
      }
    }

    private static func hash(_ text: String, _ kind: UInt64, _ fold: (UInt8) -> UInt8) -> UInt64 {
      var hash = 0xCBF2_9CE4_8422_2325 ^ kind
      for byte in text.utf8 { hash = (hash ^ UInt64(fold(byte))) &* 0x100_0000_01B3 }
      return hash
    }
  }

  private static let generationMax = 262_144

  private var recent: [UInt64: Pushes] = [:]
  private var older: [UInt64: Pushes] = [:]

  mutating func remember(_ name: Name, as pushes: Pushes) {
    let hash = name.hash
    recent[hash, default: older[hash] ?? []].formUnion(pushes)
    guard recent.count >= Self.generationMax else { return }
    older = recent
    recent = [:]
  }

  /// What was seen under a name; nothing when it was never seen, or too long ago.
  func pushes(of name: Name) -> Pushes {
    let hash = name.hash
    return recent[hash] ?? older[hash] ?? []
  }
}
