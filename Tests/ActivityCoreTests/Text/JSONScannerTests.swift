import Foundation
import Testing

@testable import ActivityCore

/// Where and why the scanner refuses a document; nil when it takes it.
private func failure(_ bytes: [UInt8]) -> JSONFailure? {
  bytes.withUnsafeBytes { JSONScanner.validate($0) }
}

private func failure(_ text: String) -> JSONFailure? { failure(Array(text.utf8)) }

/// Foundation's opinion.
private func foundationAccepts(_ bytes: [UInt8]) -> Bool {
  (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
}

@Suite("The scanner takes JSON and nothing else")
struct JSONScannerTests {
  @Test(
    "Every kind of value is taken",
    arguments: [
      "0", "-0", "20", "20.0", "2e1", "2E+1", "2e-1", "-1.5e300", "1e999", "123456789012345678901",
      "true", "false", "null", "\"\"", "\"a\"", #""\"\\\/\b\f\n\r\t""#, #""\u0041\u00e9""#,
      #""\ud83d\ude00""#, #""\u0000""#, "\"é 漢字 😀\"", "\"\u{7F}\"", "[]", "[ ]", "{}", "{ }",
      "[1,[2,[3]],{}]", #"{"a":1,"a":2}"#, " \t\r\n{ \"a\" : [ 1 , 2 ] } \n",
      "\"exactly8\"", "\"nine byte\"", #"{"":""}"#,
    ])
  func valid(text: String) {
    #expect(failure(text) == nil)
    // Foundation refuses numbers beyond a Double, which JSON allows.
    #expect(foundationAccepts(Array(text.utf8)) || text == "1e999")
  }

  @Test(
    "What is wrong is named at its byte",
    arguments: [
      ("", JSONFailure.Reason.unexpectedEnd, 0), ("  ", .unexpectedEnd, 2),
      ("{", .unexpectedEnd, 1), ("hello", .unexpectedByte, 0), ("{} {}", .trailingBytes, 3),
      ("[1,]", .unexpectedByte, 3), ("{\"a\":1,}", .unexpectedByte, 7),
      ("{a:1}", .unexpectedByte, 1), ("{\"a\" 1}", .unexpectedByte, 5),
      ("[1 2]", .unexpectedByte, 3), ("tru", .unexpectedEnd, 3), ("trux", .unexpectedByte, 3),
      ("01", .invalidNumber, 1), ("-", .unexpectedEnd, 1), ("-a", .invalidNumber, 1),
      ("1.", .unexpectedEnd, 2), ("1.x", .invalidNumber, 2), ("1e", .unexpectedEnd, 2),
      ("1e+", .unexpectedEnd, 3), (".5", .unexpectedByte, 0), ("+1", .unexpectedByte, 0),
      ("NaN", .unexpectedByte, 0), ("\"a", .unexpectedEnd, 2), ("\"a\nb\"", .controlCharacter, 2),
      ("\"\\x\"", .invalidEscape, 1), ("\"\\u12g4\"", .invalidEscape, 5),
      (#""\ud800""#, .loneSurrogate, 1), (#""\ud800\u0041""#, .loneSurrogate, 1),
      (#""\udc00""#, .loneSurrogate, 1), (#""\ud800\ud800""#, .loneSurrogate, 1),
      ("\"a\u{0}b\"", .nulByte, 2), ("{\u{0}}", .nulByte, 1), ("'a'", .unexpectedByte, 0),
      ("[1}", .unexpectedByte, 2), ("/* */ 1", .unexpectedByte, 0),
      ("\u{FEFF}1", .unexpectedByte, 0),
    ])
  func invalid(text: String, reason: JSONFailure.Reason, offset: Int) {
    #expect(failure(text) == JSONFailure(offset: offset, reason: reason))
  }

  @Test(
    "Bytes that are not UTF-8 are refused where they stand",
    arguments: [
      [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x9F, 0xBF],
      [0xED, 0xA0, 0x80],
      [0xE2, 0x82], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
      [0xFF], [0xFE], [0xF0, 0x9F, 0x98],
    ] as [[UInt8]])
  func notUTF8(bytes: [UInt8]) {
    #expect(
      failure([0x22, 0x61] + bytes + [0x22]) == JSONFailure(offset: 2, reason: .invalidUTF8))
    let later = Array("\"éé".utf8) + bytes + [0x22]
    #expect(failure(later) == JSONFailure(offset: 5, reason: .invalidUTF8))
  }

  @Test("Nesting is taken to 512 levels and refused beyond")
  func depth() {
    func nested(_ levels: Int) -> String {
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    #expect(failure(nested(512)) == nil)
    #expect(failure(nested(513)) == JSONFailure(offset: 512, reason: .tooDeep))
    #expect(failure(String(repeating: "{\"a\":", count: 100_000))?.reason == .tooDeep)
  }

  @Test("A document cut anywhere is refused, and only there")
  func truncated() {
    let whole = Array(#"{"a":[1.5e+3,"x\u00e9\ud83d\ude00é😀",true,null,{"b":-0.1}],"c":"\\"}"#.utf8)
    #expect(failure(whole) == nil)
    for length in whole.indices {
      let found = failure(Array(whole[..<length]))
      #expect(found != nil && (found?.offset ?? 0) <= length, "cut at \(length)")
    }
  }

  @Test("Members come with exact slices")
  func slices() throws {
    let text = #" { "a" : 20.0 , "\u0062":"x\n" ,"c":{ "d" : [ 1 ] } } "#
    let bytes = Array(text.utf8)
    var members: [JSONMember] = []
    let type = bytes.withUnsafeBytes { JSONScanner.members(of: $0, into: &members) }
    #expect(type == .success(.object))
    let found = members.map { member in
      [member.name, member.value.range].map { String(decoding: bytes[$0], as: UTF8.self) }
    }
    #expect(found == [["a", "20.0"], [#"\u0062"#, #""x\n""#], ["c", #"{ "d" : [ 1 ] }"#]])
    #expect(members.map(\.nameHasEscapes) == [false, true, false])
    #expect(members.map(\.value.hasEscapes) == [false, true, false])
    #expect(members.map(\.value.type) == [.number, .string, .object])
  }

  @Test("Random documents and their mutations are judged as Foundation judges them")
  func oracle() {
    var random = SeededBytes(seed: 20_261_120)
    var accepted = 0
    var refused = 0
    for _ in 0..<3_000 {
      var document: [UInt8] = []
      random.appendValue(depth: 0, to: &document)
      #expect(failure(document) == nil, "\(String(decoding: document, as: UTF8.self))")
      #expect(foundationAccepts(document))
      for _ in 0..<3 where !document.isEmpty {
        random.mutate(&document)
        let isValid = failure(document) == nil
        if isValid { accepted += 1 } else { refused += 1 }
        guard isValid != foundationAccepts(document) else { continue }
        let isKnown = SeededBytes.isKnownDifference(document, isValid: isValid)
        #expect(isKnown, "\(document) \(String(decoding: document, as: UTF8.self))")
      }
    }
    #expect(accepted > 300 && refused > 3_000)
  }

  @Test("The quick reader of objects says what the careful one says, or leaves it to that")
  func quick() {
    var random = SeededBytes(seed: 20_261_201)
    var taken = 0
    for _ in 0..<4_000 {
      var document = Array(#"{"a":"#.utf8)
      random.appendValue(depth: 0, to: &document)
      document += Array(#", "b":true}"#.utf8)
      for _ in 0..<random.next(3) { random.mutate(&document) }
      var (quick, careful): ([JSONMember], [JSONMember]) = ([], [])
      document.withUnsafeBytes { bytes in
        let isTaken = QuickScanner.members(of: bytes, into: &quick)
        let type = JSONScanner.membersCarefully(of: bytes, into: &careful)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(QuickScanner.isObject(bytes) == isTaken, "\(text)")
        guard isTaken else { return }
        taken += 1
        #expect(type == .success(.object), "\(text)")
        #expect("\(quick)" == "\(careful)", "\(text)")
      }
    }
    #expect(taken > 1_000)
  }
}

/// Repeatable documents: SplitMix64 under a grammar.
struct SeededBytes {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ mixed >> 31) >> 33) % bound
  }

  private mutating func pick(_ choices: [String]) -> [UInt8] {
    Array(choices[next(choices.count)].utf8)
  }

  mutating func appendValue(depth: Int, to bytes: inout [UInt8]) {
    switch next(depth > 4 ? 4 : 6) {
    case 0: bytes += pick(["0", "-0", "20", "20.0", "2e1", "-1.25E-2", "9007199254740993", "1e9"])
    case 1: bytes += pick(["true", "false", "null"])
    case 2, 3: appendString(to: &bytes)
    case 4: appendList(depth, "{", "}", to: &bytes)
    default: appendList(depth, "[", "]", to: &bytes)
    }
  }

  private mutating func appendString(to bytes: inout [UInt8]) {
    bytes.append(0x22)
    for _ in 0..<next(12) {
      bytes += pick([
        "a", "plain ascii text", " ", "é", "漢", "😀", #"\n"#, #"\""#, #"\\"#, #"\/"#, #"\u00e9"#,
        #"\ud83d\ude00"#, "\u{7F}", "\u{7FF}", "\u{FFFF}",
      ])
    }
    bytes.append(0x22)
  }

  private mutating func appendList(
    _ depth: Int, _ open: String, _ close: String, to bytes: inout [UInt8]
  ) {
    bytes += open.utf8
    for index in 0..<next(5) {
      if index > 0 { bytes += pick([",", ", ", " ,\n"]) }
      if open == "{" {
        appendString(to: &bytes)
        bytes += pick([":", " : "])
      }
      appendValue(depth: depth + 1, to: &bytes)
    }
    bytes += close.utf8
  }

  mutating func mutate(_ bytes: inout [UInt8]) {
    let place = next(bytes.count)
    switch next(4) {
    case 0: bytes[place] = UInt8(next(256))
    case 1: bytes.remove(at: place)
    case 2: bytes.insert(pick(["\"", "\\", ",", "}", "0", "e", "u", "\u{1}"])[0], at: place)
    default: bytes[place] ^= UInt8(1 << next(8))
    }
  }

  /// Foundation guesses UTF-16 and UTF-32 from NUL bytes, and refuses numbers beyond a Double.
  static func isKnownDifference(_ bytes: [UInt8], isValid: Bool) -> Bool {
    guard isValid else { return bytes.contains(0) }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.contains(/[eE][+]?[0-9]{3,}/)
  }
}
