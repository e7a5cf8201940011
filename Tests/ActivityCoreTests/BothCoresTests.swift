import ActivityCore
import Testing

@Suite("Work that two cores share")
struct BothCoresTests {
  /// Adds up what it makes, to show that both copies are used as they are.
  private struct Worker: Sendable {
    var made = 0

    mutating func piece(_ number: Int) -> (number: Int, made: Int) {
      made += 1
      return (number, made)
    }
  }

  @Test("Every piece comes once, in order", arguments: [0, 1, 2, 3, 7, 8, 9, 100, 1000])
  func order(_ count: Int) {
    var taken: [Int] = []
    BothCores.forEach(count, Worker()) { worker, number in
      worker.piece(number)
    } take: { piece in
      taken.append(piece.number)
    }
    #expect(taken == Array(0..<count))
  }

  @Test("A worker is used for one piece after the other, and each piece is made by one")
  func workers() {
    var ofCaller = 0
    var lasts: [Int] = []
    BothCores.forEach(500, Worker()) { worker, number in
      worker.piece(number)
    } take: { piece in
      ofCaller += 1
      lasts.append(piece.made)
    }
    #expect(ofCaller == 500)
    // What two workers made counts up from 1 in each: no number comes more than twice.
    let times = Dictionary(grouping: lasts, by: { $0 }).mapValues(\.count)
    #expect(times.values.allSatisfy { $0 <= 2 })
    #expect(times[1] != nil)
  }

  @Test("Slow and quick pieces do not change places")
  func uneven() {
    var taken: [UInt64] = []
    BothCores.forEach(64, UInt64(1)) { _, number in
      // Every third piece takes much longer than the others.
      var value = UInt64(number)
      for _ in 0..<(number % 3 == 0 ? 200_000 : 10) {
        value = value &* 6_364_136_223_846_793_005 &+ 1
      }
      return value
    } take: { value in
      taken.append(value)
    }
    let expected = (0..<64).map { number in
      var value = UInt64(number)
      for _ in 0..<(number % 3 == 0 ? 200_000 : 10) {
        value = value &* 6_364_136_223_846_793_005 &+ 1
      }
      return value
    }
    #expect(taken == expected)
  }

  @Test("Two things done together give both results, and what was lent is free again")
  func together() {
    for round in 0..<200 {
      var lent = [Int](repeating: round, count: 100)
      let (sum, own) = BothCores.together(lent) { numbers in
        numbers.reduce(0, +)
      } own: {
        round * 2
      }
      #expect(sum == round * 100)
      #expect(own == round * 2)
      lent[0] += 1
      #expect(lent[0] == round + 1)
    }
  }
}
