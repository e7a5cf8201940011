package import ActivityCore

/// Texts in a row: their spellings, the lengths of raw ones, what belongs to numbered ones, then
/// all bytes.
extension SectionWriter {
  /// Texts of a table, given by their codes; 16 bytes each for UUIDs and fingerprints.
  package mutating func texts(
    _ codes: [Int32], of table: TextTable, _ encodings: ColumnEncodings
  ) throws(UnencodableBatch) {
    var spellings = codes.map { Int64(table.spelling(Int($0)).rawValue) }
    let numbered = encodings == .packed ? NumberedTexts(codes, of: table, &spellings) : nil
    var lengths: [Int64] = []
    var all: [UInt8] = []
    for (code, spelling) in zip(codes, spellings) {
      let kept = table.kept(Int(code))
      if spelling == 0 || spelling == NumberedTexts.spelling {
        guard UTF8Check.holds(kept) else { throw .notUTF8 }
      }
      if spelling == 0 { lengths.append(Int64(kept.count)) }
      if spelling != NumberedTexts.spelling { all.append(contentsOf: kept) }
    }
    integers(spellings, encodings)
    integers(lengths, encodings)
    if let numbered, !numbered.numbers.isEmpty { numbered.write(to: &self) }
    append(all)
  }
}

extension SectionReader {
  /// Reads texts written by `SectionWriter.texts` into a table, where they get the next codes.
  /// Distinct ones are interned, and must be new to the table.
  package mutating func texts(
    _ count: Int, into table: inout TextTable, distinct: Bool = false
  ) throws(MalformedCommit) {
    let spellings = try indices(count, below: Int(NumberedTexts.spelling) + 1)
    let lengths = try indices(spellings.count { $0 == 0 }, below: bytes.count + 1)
    let numberedCount = spellings.count { $0 == NumberedTexts.spelling }
    let numbered = try NumberedTexts(reading: &self, numberedCount)
    var kept = 16 * (count - lengths.count - numberedCount)
    for length in lengths { kept += Int(length) }
    let start = offset
    try skip(kept)
    table.reserve(texts: count, bytes: kept)
    if !distinct, let first = spellings.first, (1...3).contains(first),
      spellings.allSatisfy({ $0 == first })
    {
      let spelling = TextSpelling(rawValue: UInt8(first)) ?? .raw
      bytes.withUnsafeBytes {
        _ = table.append(packed: UnsafeRawBufferPointer(rebasing: $0[start..<offset]), spelling)
      }
      return
    }
    try add(spellings, lengths, numbered, from: start, into: &table, distinct)
  }

  /// Adds texts one by one; that their bytes are there has been checked.
  private func add(
    _ spellings: [Int64], _ lengths: [Int64], _ numbered: NumberedTexts, from start: Int,
    into table: inout TextTable, _ distinct: Bool
  ) throws(MalformedCommit) {
    var raw = 0
    var number = 0
    var place = start
    var scratch: [UInt8] = []
    for value in spellings {
      let expected = table.count
      let first = place
      let code: Int
      if let spelling = TextSpelling(rawValue: UInt8(value)), spelling != .raw {
        place += 16
        let text = packed(at: first, spelling)
        code = distinct ? table.intern(text) : table.append(text)
      } else if value == 0 {
        place += Int(lengths[raw])
        raw += 1
        let text = bytes[first..<place]
        guard UTF8Check.holds(text) else { throw malformed(.notUTF8) }
        code = distinct ? table.intern(text) : table.append(text)
      } else {
        numbered.spell(number, into: &scratch)
        number += 1
        code = distinct ? table.intern(scratch) : table.append(scratch)
      }
      guard code == expected else { throw malformed(.repeatedWord) }
    }
  }

  /// 16 bytes as a text; that they are there has been checked.
  private func packed(at place: Int, _ spelling: TextSpelling) -> PackedText {
    bytes.withUnsafeBytes { bytes in
      PackedText(
        high: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)),
        low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self)),
        spelling: spelling)
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
