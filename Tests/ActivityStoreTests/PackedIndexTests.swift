import ActivityStore
import Testing

@Suite("The subject index of packed encodings")
struct PackedIndexTests {
  /// Lists of every look: one commit, neighbours, far ones, many.
  private func lists(_ count: Int, _ dice: inout Dice) -> [UInt32: [UInt32]] {
    var lists: [UInt32: [UInt32]] = [:]
    for _ in 0..<count {
      let first = dice.below(100)
      let more: [Int] =
        switch dice.below(5) {
        case 0: []
        case 1: (1...(1 + dice.below(20))).map { first + $0 }
        case 2: [first + 1, first + 8, first + 9]
        case 3: [first + 7_000, 16_383]
        default: [first + 1 + dice.below(3_000)]
        }
      lists[UInt32(truncatingIfNeeded: dice.next())] = ([first] + more).map { UInt32($0) }
    }
    return lists
  }

  @Test("finds what is listed, and seldom anything else", arguments: [0, 1, 40, 5_000])
  func finds(count: Int) throws {
    var dice = Dice(UInt64(count) + 1)
    let lists = lists(count, &dice)
    let index = SubjectIndex(lists, .packed)
    var shared = 0
    for (hash, commits) in lists {
      let found = try index.commits(of: hash)
      #expect(zip(found, found.dropFirst()).allSatisfy { $0 < $1 })
      #expect(Set(found).isSuperset(of: commits.map { Int($0) }))
      if found != commits.map({ Int($0) }) { shared += 1 }
    }
    #expect(shared * 50 <= count)
    var wrong = 0
    for _ in 0..<2_000 {
      let hash = UInt32(truncatingIfNeeded: dice.next())
      if lists[hash] == nil, try !index.commits(of: hash).isEmpty { wrong += 1 }
    }
    #expect(wrong <= 40)
    if count == 5_000 { #expect(index.bytes.count < SubjectIndex(lists).bytes.count * 3 / 4) }
  }

  @Test("Every flipped bit and every prefix gives commits that may be, or is damage")
  func hostile() throws {
    var dice = Dice(77)
    let lists = lists(60, &dice)
    let hashes = Array(lists.keys.sorted().prefix(12)) + [0, .max]
    let bytes = SubjectIndex(lists, .packed).bytes
    func look(_ bytes: [UInt8]) {
      let index = SubjectIndex(encoded: bytes)
      for hash in hashes {
        do throws(Damage) {
          let found = try index.commits(of: hash)
          #expect(found.allSatisfy { $0 >= 0 && $0 < Limits.segmentCommits })
        } catch {
          continue
        }
      }
    }
    for bit in 0..<8 * bytes.count {
      var flipped = bytes
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      look(flipped)
    }
    for length in 0..<bytes.count { look(Array(bytes.prefix(length))) }
    // More kept bits than a hash has, and fewer than number the buckets.
    look([0x80, 33, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    look([0x81, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    look([0x80, 32, 1, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 1, 0xFF, 0xFF])
  }
}
