/// The words of one batch on their way into a row set: each text of the batch is looked up once.
struct BatchWords {
  private let batch: TextTable
  /// By the batch's code: the set's code, −2 while unknown.
  private var codes: [Int32]
  /// By the batch's code: what the word means to us, `unread` while unknown.
  private var meanings: [Meaning] = []
  /// By the batch's code: the source that the word is, nil while unknown.
  private var sources: [Source?] = []

  /// Words that tell rows of a kind apart.
  enum Meaning: UInt8 {
    case unread, other
    case immediate, person, sign, connect, send, decode, start, device
    case pending, active, stale, ended, dismissed
  }

  init(_ batch: EventColumns) {
    self.batch = batch.texts
    codes = [Int32](repeating: -2, count: batch.texts.count)
  }

  /// The set's code of a batch's code; −1 and absent stay −1.
  @inline(__always)
  mutating func word(_ code: Int64, _ texts: inout TextTable) -> Int32 {
    guard code >= 0, code < Int64(codes.count) else { return -1 }
    let known = codes[Int(code)]
    return known != -2 ? known : learn(Int(code), &texts)
  }

  private mutating func learn(_ code: Int, _ texts: inout TextTable) -> Int32 {
    let interned = Int32(texts.intern(from: batch, code))
    codes[code] = interned
    return interned
  }

  /// What a word means; `other` for absent ones.
  @inline(__always)
  mutating func meaning(_ code: Int64) -> Meaning {
    guard code >= 0, code < Int64(codes.count) else { return .other }
    if !meanings.isEmpty, meanings[Int(code)] != .unread { return meanings[Int(code)] }
    return read(Int(code))
  }

  private mutating func read(_ code: Int) -> Meaning {
    if meanings.isEmpty { meanings = [Meaning](repeating: .unread, count: codes.count) }
    let meaning = BatchWords.meaning(of: batch.string(code))
    meanings[code] = meaning
    return meaning
  }

  private static func meaning(of word: String) -> Meaning {
    switch word {
    case "immediate": .immediate
    case "person": .person
    case "sign": .sign
    case "connect": .connect
    case "send": .send
    case "decode": .decode
    case "start": .start
    case "device": .device
    default:
      switch Phase(shownAs: word) {
      case .none: .other
      case .pending: .pending
      case .active: .active
      case .stale: .stale
      case .ended: .ended
      case .dismissed: .dismissed
      }
    }
  }

  /// F9: the phase a word shows; none for a word we do not know.
  @inline(__always)
  mutating func phase(_ code: Int64) -> Phase {
    switch meaning(code) {
    case .pending: .pending
    case .active: .active
    case .stale: .stale
    case .ended: .ended
    case .dismissed: .dismissed
    case .unread, .other, .immediate, .person, .sign, .connect, .send, .decode, .start, .device:
      .none
    }
  }

  /// Who asked, as a word of a batch says it.
  @inline(__always)
  mutating func source(_ code: Int64) -> Source {
    guard code >= 0, code < Int64(codes.count) else { return .absent }
    if !sources.isEmpty, let known = sources[Int(code)] { return known }
    return readSource(Int(code))
  }

  private mutating func readSource(_ code: Int) -> Source {
    if sources.isEmpty { sources = [Source?](repeating: nil, count: codes.count) }
    let source = Source(word: batch.string(code))
    sources[code] = source
    return source
  }

  /// The `apns-id` behind a code, by its 16 bytes when it is a UUID.
  mutating func push(_ code: Int64, _ texts: inout TextTable) -> PushID {
    if let id = batch.uuid(Int(code)) { return id }
    return PushID(high: .max - 1, low: UInt64(bitPattern: Int64(word(code, &texts))))
  }
}
