/// Short words that are known, found by their length and their first and last eight bytes.
struct QuickWords<Value: Sendable>: Sendable {
  struct Entry: Sendable {
    var first: UInt64
    var last: UInt64
    /// 0 for a free entry.
    var length: Int
    var value: Value
  }

  /// Open addressing; most of them free.
  let entries: [Entry]

  /// Takes words of at most `QuickWord.longest` bytes.
  init(_ words: [(String, Value)], free: Value) {
    let none = Entry(first: 0, last: 0, length: 0, value: free)
    var entries = [Entry](repeating: none, count: QuickWord.tableSize)
    for (spelling, value) in words {
      let word = QuickWord(Array(spelling.utf8))
      precondition(word.length <= QuickWord.longest, "A longer word has unseen bytes.")
      var slot = word.slot
      while entries[slot].length != 0 || slot == QuickWord.unnamed {
        slot = (slot + 1) & (QuickWord.tableSize - 1)
      }
      entries[slot] = Entry(
        first: word.first, last: word.last, length: word.length, value: value)
    }
    self.entries = entries
  }

  /// A view of the entries, for whoever keeps them in place.
  typealias Table = UnsafePointer<Entry>

  /// What a word of at least one byte means; nil when it is not known.
  @inline(__always)
  static func value(of word: QuickWord, in table: Table) -> Value? {
    let slot = slot(of: word, in: table)
    return table[slot].length != 0 ? table[slot].value : nil
  }

  /// Where a word of at least one byte is, or the free entry where it would be.
  @inline(__always)
  static func slot(of word: QuickWord, in table: Table) -> Int {
    var slot = word.slot
    while table[slot].length != 0 || slot == QuickWord.unnamed {
      if table[slot].first == word.first, table[slot].last == word.last,
        table[slot].length == word.length
      {
        return slot
      }
      slot = (slot &+ 1) & (QuickWord.tableSize &- 1)
    }
    return slot
  }
}

/// A short text as numbers.
struct QuickWord {
  /// A longer one has bytes that are in neither eight.
  static let longest = 16
  static let tableSize = 256
  /// An entry that stays free, for names that are not looked up.
  static let unnamed = tableSize - 1

  let length: Int
  /// The first up to eight bytes, the first lowest.
  let first: UInt64
  /// The last eight bytes; 0 where `first` has all.
  let last: UInt64

  @inline(__always)
  init(length: Int, first: UInt64, last: UInt64) {
    self.length = length
    self.first = first
    self.last = last
  }

  init(_ bytes: [UInt8]) {
    length = bytes.count
    first = bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    last = bytes.count > 8 ? bytes.suffix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) } : 0
  }

  @inline(__always)
  var slot: Int {
    let mixed = (first ^ (last &<< 3)) &* 0x9E37_79B9_7F4A_7C15
    return (Int(truncatingIfNeeded: mixed &>> 52) &+ length) & (QuickWord.tableSize &- 1)
  }
}

extension QuickScanner {
  /// The text of 1 to 16 bytes at `place`.
  @inline(__always)
  func shortWord(_ place: Int, _ length: Int) -> QuickWord {
    guard length < 8 else {
      return QuickWord(
        length: length, first: word(place), last: length > 8 ? word(place &+ length &- 8) : 0)
    }
    let kept = (1 as UInt64) &<< UInt64(truncatingIfNeeded: length &* 8) &- 1
    return QuickWord(length: length, first: word(place) & kept, last: 0)
  }
}
