package import ActivityCore

/// Texts that end in a number, such as `A-100042`: a few prefixes, and numbers that often count up.
package struct NumberedTexts {
  /// Prefixes and their texts' lengths are short, and so few that looking for them costs nothing.
  package static let prefixesMax = 64
  package static let prefixBytesMax = 48
  /// One more than the largest number.
  package static let numberLimit = 1_000_000_000_000_000_000
  /// How 18 digits at most are told from the other spellings on disk.
  package static let spelling: Int64 = 4
  /// With fewer of them the prefixes cost more than they save.
  private static let textsMin = 8

  private(set) var prefixes: [[UInt8]] = []
  private(set) var places: [Int64] = []
  private(set) var numbers: [Int64] = []

  /// The texts of `codes` that end in a number; `spellings` becomes theirs.
  package init(_ codes: [Int32], of table: TextTable, _ spellings: inout [Int64]) {
    var candidate = spellings
    for (index, code) in codes.enumerated() where spellings[index] == 0 {
      let text = table.kept(Int(code))
      guard let (length, number) = NumberedTexts.split(text) else { continue }
      let prefix = text.prefix(length)
      var place = prefixes.lastIndex { $0.elementsEqual(prefix) }
      if place == nil, prefixes.count < NumberedTexts.prefixesMax {
        prefixes.append(Array(prefix))
        place = prefixes.count - 1
      }
      guard let place else { continue }
      places.append(Int64(place))
      numbers.append(number)
      candidate[index] = NumberedTexts.spelling
    }
    guard numbers.count >= NumberedTexts.textsMin, numbers.count >= prefixes.count * 4 else {
      prefixes = []
      places = []
      numbers = []
      return
    }
    spellings = candidate
  }

  /// How long the prefix is and what number follows; nil for a text without one. The number has no
  /// leading zero, so that it is spelled in one way.
  private static func split(_ text: ArraySlice<UInt8>) -> (length: Int, number: Int64)? {
    guard text.count <= prefixBytesMax else { return nil }
    var first = text.endIndex
    while first > text.startIndex, text.endIndex - first < 18,
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[first - 1])
    {
      first -= 1
    }
    guard first < text.endIndex else { return nil }
    while first < text.endIndex - 1, text[first] == UInt8(ascii: "0") { first += 1 }
    var number: Int64 = 0
    for digit in text[first...] { number = number * 10 + Int64(digit - UInt8(ascii: "0")) }
    return (first - text.startIndex, number)
  }

  /// Varint prefixes, each with its varint length; numbers: the prefix of each text, its number.
  package func write(to writer: inout SectionWriter) {
    writer.varint(prefixes.count)
    for prefix in prefixes {
      writer.varint(prefix.count)
      writer.append(prefix)
    }
    writer.integers(places, .packed)
    writer.integers(numbers, .packed)
  }

  /// Reads what belongs to `count` texts.
  package init(reading reader: inout SectionReader, _ count: Int) throws(MalformedCommit) {
    guard count > 0 else { return }
    for _ in 0..<(try reader.count(limit: NumberedTexts.prefixesMax)) {
      let length = try reader.count(limit: NumberedTexts.prefixBytesMax)
      let start = reader.offset
      try reader.skip(length)
      let prefix = reader.bytes[start..<start + length]
      guard UTF8Check.holds(prefix) else { throw reader.malformed(.notUTF8) }
      prefixes.append(Array(prefix))
    }
    places = try reader.indices(count, below: prefixes.count)
    numbers = try reader.indices(count, below: NumberedTexts.numberLimit)
  }

  /// Replaces `text` by the text at a place.
  package func spell(_ index: Int, into text: inout [UInt8]) {
    text.removeAll(keepingCapacity: true)
    text.append(contentsOf: prefixes[Int(places[index])])
    DecimalText.append(numbers[index], to: &text)
  }
}
