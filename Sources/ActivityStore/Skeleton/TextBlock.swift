package import ActivityCore

/// Texts in a row: their spellings, the lengths of raw ones, what belongs to numbered ones, then
/// all bytes, and two bits more of each random UUID.
extension SectionWriter {
  /// Texts of a table, given by their codes; 16 bytes each for UUIDs and fingerprints.
  package mutating func texts(
    _ codes: [Int32], of table: TextTable, _ encodings: ColumnEncodings
  ) throws(UnencodableBatch) {
    var spellings = codes.map { Int64(table.spelling(Int($0)).rawValue) }
    let numbered = encodings == .packed ? NumberedTexts(codes, of: table, &spellings) : nil
    if encodings == .packed { SectionWriter.markRandom(codes, of: table, &spellings) }
    var lengths: [Int64] = []
    var rests: [Int64] = []
    var all: [UInt8] = []
    all.reserveCapacity(codes.count * 16)
    for (code, spelling) in zip(codes, spellings) {
      switch spelling {
      case 0:
        guard UTF8Check.holds(table.kept(Int(code))) else { throw .notUTF8 }
        lengths.append(Int64(table.kept(Int(code)).count))
        table.appendBytes(Int(code), to: &all)
      case 1...3: table.appendBytes(Int(code), to: &all)
      case NumberedTexts.spelling:
        guard UTF8Check.holds(table.kept(Int(code))) else { throw .notUTF8 }
      default:
        guard let text = table.packed(Int(code)) else { continue }
        rests.append(RandomUUID.append(text, to: &all))
      }
    }
    integers(spellings, encodings)
    integers(lengths, encodings)
    if let numbered, !numbered.numbers.isEmpty { numbered.write(to: &self) }
    append(all)
    bits(rests, 0, 2)
  }

  /// Marks UUIDs of version 4, unless fewer than half of all UUIDs are.
  private static func markRandom(
    _ codes: [Int32], of table: TextTable, _ spellings: inout [Int64]
  ) {
    var candidate = spellings
    var random = 0
    var uuids = 0
    for (index, code) in codes.enumerated() where (1...2).contains(spellings[index]) {
      uuids += 1
      guard let text = table.packed(Int(code)), RandomUUID.holds(text) else { continue }
      candidate[index] += RandomUUID.spelling
      random += 1
    }
    if random > 0, random * 2 >= uuids { spellings = candidate }
  }
}

/// How many of some texts have each spelling on disk, 0 to 6.
private struct SpellingCounts {
  private(set) var counts = [Int](repeating: 0, count: 7)

  /// `spellings` are below 7.
  init(_ spellings: [Int64]) {
    for spelling in spellings { counts[Int(spelling)] += 1 }
  }

  var raw: Int { counts[0] }
  var packed: Int { counts[1] + counts[2] + counts[3] }
  var numbered: Int { counts[Int(NumberedTexts.spelling)] }
  var random: Int { counts[5] + counts[6] }

  /// The one spelling all texts have, if they have one.
  func only(of count: Int) -> Int? { counts.firstIndex(of: count) }
}

extension SectionReader {
  /// Reads texts written by `SectionWriter.texts` into a table, where they get the next codes.
  /// Distinct ones are interned, and must be new to the table.
  package mutating func texts(
    _ count: Int, into table: inout TextTable, distinct: Bool = false
  ) throws(MalformedCommit) {
    guard count > 0 else { return }
    let spellings = try indices(count, below: 7)
    let counts = SpellingCounts(spellings)
    let lengths = try indices(counts.raw, below: bytes.count + 1)
    let numbered = try NumberedTexts(reading: &self, counts.numbered)
    var kept = 16 * counts.packed + RandomUUID.byteCount * counts.random
    for length in lengths { kept += Int(length) }
    let start = offset
    try skip(kept)
    let rests = try bits(counts.random, 0, 2)
    table.reserve(texts: count, bytes: kept + counts.random)
    guard !distinct, let only = counts.only(of: count), only != 0, only != NumberedTexts.spelling
    else {
      try add(spellings, lengths, numbered, rests, from: start, into: &table, distinct)
      return
    }
    let isRandom = only > NumberedTexts.spelling
    let base = isRandom ? only - Int(RandomUUID.spelling) : only
    let spelling = TextSpelling(rawValue: UInt8(base)) ?? .raw
    if isRandom {
      randomUUIDs(rests, at: start).withUnsafeBytes {
        _ = table.append(packed: $0, spelling)
      }
    } else {
      bytes.withUnsafeBytes {
        _ = table.append(
          packed: UnsafeRawBufferPointer(rebasing: $0[start..<start + kept]), spelling)
      }
    }
  }

  /// Adds texts one by one; that their bytes are there has been checked.
  private func add(
    _ spellings: [Int64], _ lengths: [Int64], _ numbered: NumberedTexts, _ rests: [Int64],
    from start: Int, into table: inout TextTable, _ distinct: Bool
  ) throws(MalformedCommit) {
    var (raw, number, random) = (0, 0, 0)
    var place = start
    var scratch: [UInt8] = []
    for value in spellings {
      let expected = table.count
      let first = place
      let code: Int
      switch value {
      case 0:
        place += Int(lengths[raw])
        raw += 1
        let text = bytes[first..<place]
        guard UTF8Check.holds(text) else { throw malformed(.notUTF8) }
        code = distinct ? table.intern(text) : table.append(text)
      case NumberedTexts.spelling:
        numbered.spell(number, into: &scratch)
        number += 1
        code = distinct ? table.intern(scratch) : table.append(scratch)
      default:
        let isRandom = value > NumberedTexts.spelling
        let text = packed(at: first, value, isRandom ? rests[random] : nil)
        random += isRandom ? 1 : 0
        place += isRandom ? RandomUUID.byteCount : 16
        code = distinct ? table.intern(text) : table.append(text)
      }
      guard code == expected else { throw malformed(.repeatedWord) }
    }
  }

  /// 16 bytes, or 15 and two bits, as a text; that they are there has been checked.
  private func packed(at place: Int, _ spelling: Int64, _ rest: Int64?) -> PackedText {
    bytes.withUnsafeBytes { bytes in
      if let rest {
        let (high, low) = RandomUUID.halves(bytes, at: place, rest)
        return PackedText(
          high: high, low: low,
          spelling: TextSpelling(rawValue: UInt8(spelling - RandomUUID.spelling)) ?? .upperUUID)
      }
      return PackedText(
        high: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)),
        low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self)),
        spelling: TextSpelling(rawValue: UInt8(spelling)) ?? .upperUUID)
    }
  }
}

/// Whether bytes are UTF-8; the standard library's own check needs a newer platform.
package enum UTF8Check {
  package static func holds(_ text: ArraySlice<UInt8>) -> Bool {
    text.withUnsafeBytes { raw in
      var high: UInt8 = 0
      for byte in raw { high |= byte }
      return high < 0x80 || check(raw)
    }
  }

  private static func check(_ text: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index < text.count {
      let first = text[index]
      index += 1
      if first < 0x80 { continue }
      guard let (second, more) = following(first), index + more < text.count else { return false }
      guard second.contains(text[index]) else { return false }
      for place in index + 1..<index + 1 + more where text[place] & 0xC0 != 0x80 { return false }
      index += more + 1
    }
    return true
  }

  /// What may be the second byte after a first one, and how many come after that.
  private static func following(_ first: UInt8) -> (ClosedRange<UInt8>, Int)? {
    switch first {
    case 0xC2...0xDF: (0x80...0xBF, 0)
    case 0xE0: (0xA0...0xBF, 1)
    case 0xED: (0x80...0x9F, 1)
    case 0xE1...0xEF: (0x80...0xBF, 1)
    case 0xF0: (0x90...0xBF, 2)
    case 0xF1...0xF3: (0x80...0xBF, 2)
    case 0xF4: (0x80...0x8F, 2)
    default: nil
    }
  }
}
