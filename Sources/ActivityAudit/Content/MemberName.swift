/// A member's name as it reads without escapes.
struct MemberName {
  private let raw: UnsafeRawBufferPointer
  private let unescaped: [UInt8]?

  init(bytes: UnsafeRawBufferPointer, unescaped: [UInt8]?) {
    raw = bytes
    self.unescaped = unescaped
  }

  /// Its bytes; copied, so only for the few names that are kept.
  var bytes: [UInt8] { unescaped ?? Array(raw) }

  var count: Int { unescaped?.count ?? raw.count }

  func isSpelled(_ word: StaticString) -> Bool {
    guard count == word.utf8CodeUnitCount else { return false }
    return isSpelled(UnsafeBufferPointer(start: word.utf8Start, count: count))
  }

  func isSpelled(_ word: some Collection<UInt8>) -> Bool {
    unescaped?.elementsEqual(word) ?? raw.elementsEqual(word)
  }

  /// Whether it is written as no member of ours is.
  var isForeign: Bool {
    let isOdd = { (byte: UInt8) in
      byte == UInt8(ascii: "_") || byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
    }
    return isSpelled("events") || (unescaped?.contains(where: isOdd) ?? raw.contains(where: isOdd))
  }
}
