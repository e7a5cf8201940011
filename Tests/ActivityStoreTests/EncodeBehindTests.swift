import ActivityCore
import ActivityStore
import ActivityTestSupport
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

  @Test("A batch that was prepared elsewhere becomes the same bytes")
  func prepared() throws {
    let (plain, ready) = (LogScript(), LogScript())
    let writers = (try plain.create(), try ready.create())
    for number in 0..<4 {
      let batch = LogScript.batch((0..<30).flatMap { LogScript.story(40 * number + $0) })
      _ = try writers.0.append(batch)
      _ = try writers.1.append(batch, prepared: PreparedBatch(batch))
    }
    try writers.0.seal()
    try writers.1.seal()
    let bytes = try #require(plain.files[Samples.first])
    #expect(bytes.count > 1_000)
    #expect(ready.files[Samples.first] == bytes)
  }

  @Test("Of a batch whose ids the log has in part, what was prepared is left")
  func preparedInVain() throws {
    let script = LogScript()
    let writer = try script.create()
    let line = { (id: Int) in #"{"event":"work","key":"K","id":"e\#(id)","n":\#(id)}"# }
    _ = try writer.append(LogScript.batch([line(1)]))
    let batch = LogScript.batch([line(1), line(2), line(3)])
    let receipt = try writer.append(batch, prepared: PreparedBatch(batch))
    #expect(receipt.rows == [.repeated(1), .appended(2), .appended(3)])
    let said = try script.lines().lines.map { $0?.contains(#""n":"#) }
    #expect(said == [true, true, true])
  }
}
