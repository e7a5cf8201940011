package import ActivityCore

/// Texts in a row: their spellings, the lengths of raw ones, then all bytes.
extension SectionWriter {
  package mutating func texts(_ texts: [ArraySlice<UInt8>]) throws(UnencodableBatch) {
    var spellings: [Int64] = []
    var lengths: [Int64] = []
    var all: [UInt8] = []
    spellings.reserveCapacity(texts.count)
    for text in texts {
      let spelling = NameSpelling.recognise(text, appendingTo: &all)
      spellings.append(Int64(spelling.rawValue))
      guard spelling == .raw else { continue }
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
  /// Reads texts written by `SectionWriter.texts` into a table, where they get the next codes.
  /// Distinct ones are interned, and must be new to the table.
  package mutating func texts(
    _ count: Int, into table: inout TextTable, distinct: Bool = false
  ) throws(MalformedCommit) {
    let spellings = try indices(count, below: 4).each { NameSpelling(rawValue: UInt8($0)) ?? .raw }
    let lengths = try indices(spellings.count { $0 == .raw }, below: bytes.count + 1)
    var packed = 0
    for length in lengths { packed += Int(length) }
    var spelled = packed
    for spelling in spellings {
      guard let length = spelling.length else { continue }
      packed += 16
      spelled += length
    }
    let start = offset
    try skip(packed)
    let all = spell(spellings, lengths, from: start, count: spelled)
    var raw = 0
    var end = 0
    for spelling in spellings {
      let first = end
      end += spelling.length ?? Int(lengths[raw])
      let text = all[first..<end]
      if spelling == .raw {
        raw += 1
        guard UTF8Check.holds(text) else { throw malformed(.notUTF8) }
      }
      let expected = table.count
      let code = distinct ? table.intern(text) : table.append(text)
      guard code == expected else { throw malformed(.repeatedWord) }
    }
  }

  /// All texts one after the other; that their bytes are there has been checked.
  private func spell(
    _ spellings: [NameSpelling], _ lengths: [Int64], from start: Int, count: Int
  ) -> [UInt8] {
    guard count > 0 else { return [] }
    return bytes.withUnsafeBufferPointer { source in
      [UInt8](unsafeUninitializedCapacity: count) { target, filled in
        guard var from = source.baseAddress?.advanced(by: start), var to = target.baseAddress
        else { return }
        var raw = 0
        for spelling in spellings {
          if let length = spelling.length {
            spelling.spell(from, to: to)
            from += 16
            to += length
          } else {
            let length = Int(lengths[raw])
            raw += 1
            to.update(from: from, count: length)
            from += length
            to += length
          }
        }
        filled = count
      }
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
