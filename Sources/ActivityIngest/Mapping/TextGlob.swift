/// A text in which `*` stands for any text, also none; every other character for itself.
struct TextGlob: Hashable, Sendable {
  private let pattern: [UInt8]
  private let ignoresCase: Bool

  /// - Parameter ignoresCase: whether capital and small letters are one, as in words that people
  ///   write (`DELIVERED`), and never in names.
  init(_ text: String, ignoresCase: Bool = false) {
    pattern = Array((ignoresCase ? text.lowercased() : text).utf8)
    self.ignoresCase = ignoresCase
  }

  /// Whether it holds a `*`.
  var isPattern: Bool { pattern.contains(UInt8(ascii: "*")) }

  /// Whether a whole text is meant. Takes at most the product of both lengths in steps: after a
  /// mismatch only the latest `*` takes one more byte.
  func matches(_ text: String) -> Bool {
    let bytes = Array((ignoresCase ? text.lowercased() : text).utf8)
    var place = 0
    var next = 0
    var star: (next: Int, place: Int)?
    while place < bytes.count {
      if next < pattern.count, pattern[next] == UInt8(ascii: "*") {
        star = (next + 1, place)
        next += 1
      } else if next < pattern.count, pattern[next] == bytes[place] {
        next += 1
        place += 1
      } else if let last = star {
        star = (last.next, last.place + 1)
        next = last.next
        place = last.place + 1
      } else {
        return false
      }
    }
    return pattern[next...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
