internal import ActivityCore

/// Texts in a row: their spellings, the lengths of raw ones, then all bytes.
extension SectionWriter {
  mutating func texts(_ texts: [ArraySlice<UInt8>]) throws(UnencodableBatch) {
    var spellings: [Int64] = []
    var lengths: [Int64] = []
    var all: [UInt8] = []
    spellings.reserveCapacity(texts.count)
    for text in texts {
      let (spelling, packed) = NameSpelling.recognise(text)
      spellings.append(Int64(spelling.rawValue))
      guard spelling == .raw else {
        all.append(contentsOf: packed)
        continue
      }
      guard UTF8Check.holds(text) else { throw .notUTF8 }
      lengths.append(Int64(text.count))
      all.append(contentsOf: text)
    }
    integers(spellings)
    integers(lengths)
    append(all)
  }
}

extension SectionReader {
  /// Reads texts written by `SectionWriter.texts`, giving each to `take`.
  mutating func texts(
    _ count: Int, into table: inout TextTable, distinct: Bool = false
  ) throws(MalformedCommit) {
    let spellings = try indices(count, below: 4)
    let rawCount = spellings.count { $0 == 0 }
    let lengths = try indices(rawCount, below: bytes.count + 1)
    var raw = 0
    var text: [UInt8] = []
    text.reserveCapacity(40)
    for spelling in spellings {
      guard let spelling = NameSpelling(rawValue: UInt8(spelling)) else {
        throw malformed(.unknownEncoding)
      }
      let start = offset
      let code = table.count
      if spelling == .raw {
        try skip(Int(lengths[raw]))
        raw += 1
        guard UTF8Check.holds(bytes[start..<offset]) else { throw malformed(.notUTF8) }
        let added = bytes[start..<offset]
        let given = distinct ? table.intern(added) : table.append(added)
        guard given == code else { throw malformed(.repeatedWord) }
      } else {
        try skip(16)
        spelling.spell(bytes[start..<offset], into: &text)
        let given = distinct ? table.intern(text) : table.append(text)
        guard given == code else { throw malformed(.repeatedWord) }
      }
    }
  }
}

/// Whether bytes are UTF-8; the standard library's own check needs a newer platform.
enum UTF8Check {
  static func holds(_ text: ArraySlice<UInt8>) -> Bool {
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
