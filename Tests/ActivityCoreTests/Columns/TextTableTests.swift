import ActivityCore
import Testing

@Suite("Texts behind codes")
struct TextTableTests {
  private static let upper = "8DF401EA-BB87-4FDA-8E93-2E643C3C8C1F"
  private static let lower = "8df401ea-bb87-4fda-8e93-2e643c3c8c1f"
  private static let digest = "sha256:4f3acc09050039c1e23795d73dfa886c"

  /// Each packed one with a character changed, cut or added, and other texts of the same lengths.
  private static let others: [String] = {
    var found = ["", "a", "seven b", "eight by", "nine byte", "Zoë’s card", "sha256:"]
    for text in [upper, lower, digest] {
      let characters = Array(text)
      for place in characters.indices {
        for wrong in ["g", "G", "/", ":", "@", "`", "-", "O", "o", "\u{7F}"] {
          var changed = characters
          changed[place] = Character(wrong)
          if String(changed) != text { found.append(String(changed)) }
        }
      }
      found += [String(text.dropLast()), text + "0", text.uppercased() + "a"]
    }
    found.append("8DF401EA-BB87-4FDA-8E93-2E643C3C8C1f")
    found.append("sha256:4F3ACC09050039C1E23795D73DFA886C")
    return found
  }()

  @Test("A UUID in one case and a fingerprint are 16 bytes, and are spelled as they came")
  func packed() throws {
    var table = TextTable()
    for (text, spelling) in [
      (Self.upper, TextSpelling.upperUUID), (Self.lower, .lowerUUID), (Self.digest, .fingerprint),
      ("01234567-8901-2345-6789-012345678901", .upperUUID),
      ("sha256:01234567890123456789012345678901", .fingerprint),
    ] {
      let bytes = table.byteCount
      let code = table.intern(text)
      #expect(table.byteCount == bytes + 16)
      #expect(table.spelling(code) == spelling)
      #expect(table.string(code) == text)
      #expect(Array(table[code]) == Array(text.utf8))
      var line: [UInt8] = []
      table.append(code, to: &line)
      #expect(line == Array(text.utf8))
      JSONText.append(table, code, to: &line)
      #expect(line == Array("\(text)\"\(text)\"".utf8))
      #expect(table.intern(text) == code)
      #expect(table.code(of: Array(text.utf8)) == code)
    }
    let id = try #require(table.uuid(0))
    #expect(id == PushID(high: 0x8DF4_01EA_BB87_4FDA, low: 0x8E93_2E64_3C3C_8C1F))
    #expect(table.uuid(1) == id)
    #expect(table.uuid(2) == nil)
  }

  @Test("Any other text is kept as it is")
  func raw() {
    var table = TextTable()
    var known: [String: Int] = [:]
    for text in Self.others where known[text] == nil {
      let code = table.intern(text)
      #expect(code == known.count, "\(text)")
      known[text] = code
      #expect(table.string(code) == text)
    }
    let isUUID = { (text: String) in
      text.utf8.count == 36
        && text.utf8.enumerated().allSatisfy { place, byte in
          [8, 13, 18, 23].contains(place)
            ? byte == 0x2D : Character(Unicode.Scalar(byte)).isHexDigit
        }
    }
    for (text, code) in known {
      #expect(table.intern(text) == code)
      #expect((table.uuid(code) != nil) == isUUID(text), "\(text)")
    }
  }

  @Test("A table of many texts answers as a dictionary does", arguments: 0..<4)
  func model(_ seed: Int) {
    var dice = Dice(UInt64(seed) + 7)
    let texts = (0..<2_000).map { number -> String in
      switch dice.below(5) {
      case 0: Self.upper.dropLast(3) + String(100 + dice.below(300))
      case 1: Self.lower.dropLast(3) + String(100 + dice.below(300))
      case 2: Self.digest.dropLast(3) + String(100 + dice.below(300))
      case 3: "A-\(dice.below(400))"
      default: String(repeating: "x", count: dice.below(60))
      }
    }
    var table = TextTable()
    var other = TextTable()
    var model: [String: Int] = [:]
    for text in texts {
      let appended = other.append(Array(text.utf8))
      let code = dice.chance(50) ? table.intern(text) : table.intern(from: other, appended)
      #expect(code == model[text] ?? model.count)
      model[text] = code
      #expect(table.isEqual(code, other, appended))
      #expect(table.hash(code) == other.hash(appended))
    }
    #expect(table.count == model.count)
    for (text, code) in model {
      #expect(table.string(code) == text)
      #expect(table.code(of: Array(text.utf8)) == code)
    }
    for code in 1..<table.count { #expect(!table.isEqual(code, table, code - 1)) }
  }

  @Test("Appended texts are never found, also between interned ones")
  func appended() {
    var table = TextTable()
    for round in 0..<100 {
      #expect(table.append(Array(Self.upper.utf8)) == 3 * round)
      #expect(table.intern("word \(round)") == 3 * round + 1)
      let packed = PackedText(high: UInt64(round), low: 1, spelling: .fingerprint)
      #expect(table.append(packed) == 3 * round + 2)
    }
    #expect(table.code(of: Array(Self.upper.utf8)) == nil)
    #expect(table.code(of: Array("word 77".utf8)) == 232)
    #expect(table.string(2).hasPrefix("sha256:00000000"))
    var copies = TextTable()
    #expect(copies.append(from: table, 232) == 0)
    #expect(copies.append(from: table, 231) == 1)
    #expect(copies.string(0) == "word 77" && copies.string(1) == Self.upper)
  }

  @Test("A run of packed texts is added at once")
  func run() {
    var table = TextTable()
    _ = table.intern("before")
    let bytes = (0..<48).map { UInt8($0) }
    #expect(bytes.withUnsafeBytes { table.append(packed: $0, .lowerUUID) } == 1)
    #expect(table.count == 4)
    #expect(table.string(2) == "10111213-1415-1617-1819-1a1b1c1d1e1f")
    #expect(table.intern("after") == 4)
  }
}

/// Repeatable numbers, so that a failure can be run again.
private struct Dice {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func below(_ limit: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int((state &* 0x2545_F491_4F6C_DD1D) >> 33) % limit
  }

  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
}
