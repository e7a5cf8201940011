import ActivityStore
import Testing

@Suite("Encoding behind")
struct EncodeBehindTests {
  @Test("Outcomes come in the order of the jobs, each with the state the one before it left")
  func order() {
    let sums = EncodeBehind<Int, Int, Int>(0) { sum, job in
      sum += job
      return sum
    }
    for job in 1...5 { sums.give(job) }
    #expect(sums.waiting == 5)
    #expect((1...5).compactMap { _ in sums.take() } == [1, 3, 6, 10, 15])
    #expect(sums.take() == nil)
    sums.give(6)
    #expect(sums.take() == 21)
  }

  @Test("Jobs that nobody waits for are dropped without harm")
  func dropped() {
    for _ in 0..<20 {
      let work = EncodeBehind<Int, Int, Int>(0) { _, job in job }
      for job in 0..<10 { work.give(job) }
      #expect(work.take() == 0)
    }
  }
}
