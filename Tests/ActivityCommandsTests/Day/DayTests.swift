import Foundation
import Testing

@Suite("A synthetic day", .serialized)
struct DayTests {
  @Test("Of 2.4 million events and more, exactly what was planted is found")
  func planted() throws {
    let day = try ForgedDay(["--events", "2640000", "--seed", "11"])
    #expect(day.events >= 2_400_000)
    let planted = try day.truth().map(\.short)
    let found = try day.findings().map(\.short)
    #expect(planted.count > 4_000)
    let leaks = { (faults: [ForgedDay.Fault]) in Set(faults.filter { $0.rule == "never-ended" }) }
    #expect(leaks(planted).count > 900)
    #expect(leaks(found) == leaks(planted))
    #expect(Set(found) == Set(planted))
    #expect(found.count == planted.count)
  }

  @Test("A clean day gives no finding")
  func clean() throws {
    let day = try ForgedDay(["--events", "1000000", "--seed", "12", "--clean"])
    #expect(day.events > 900_000)
    #expect(try day.findings().map(\.words).isEmpty)
  }
}
