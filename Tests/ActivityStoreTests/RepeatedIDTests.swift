import ActivityCore
import ActivityStore
import ActivityTestSupport
import Testing

@Suite("The id of an event")
struct RepeatedIDTests {
  private let script = LogScript()
  private let line = #"{"event":"start","activity-id":"A","id":"e1","attributes":{"n":1.0}}"#

  @Test("A repeat with equal content is a success under the seq it has, also after reopening")
  func repeated() throws {
    do {
      let writer = try script.create()
      let first = try writer.append(
        LogScript.batch([#"{"event":"end","activity-id":"B"}"#, line]))
      #expect(first.rows == [.appended(1), .appended(2)])
      #expect(try writer.append(LogScript.batch([line])).rows == [.repeated(2)])
      try writer.seal()
    }
    let writer = try script.open()
    let at = #"{"at":"2024-01-01T00:00:00Z","# + line.dropFirst()
    let again = try writer.append(
      LogScript.batch([at, #"{"event":"end","activity-id":"A","id":"e2"}"#]))
    #expect(again.rows == [.repeated(2), .appended(3)])
    #expect(try script.lines().lines.count == 3)
  }

  @Test("A repeat with other content is refused and told which seq has the id")
  func conflict() throws {
    let writer = try script.create()
    _ = try writer.append(LogScript.batch([line]))
    let other = #"{"event":"start","activity-id":"A","id":"e1","attributes":{"n":1}}"#
    let receipt = try writer.append(
      LogScript.batch([other, #"{"event":"end","activity-id":"A"}"#]))
    #expect(receipt.rows == [.conflict(1), .appended(2)])
    #expect(receipt.conflicts == 1)
    #expect(try script.lines().lines.count == 2)
  }

  @Test("One batch with the same id twice is not guessed about")
  func twice() throws {
    let writer = try script.create()
    #expect(throws: LogError.self) { try writer.append(LogScript.batch([line, line])) }
    #expect(writer.nextSeq == 1)
  }

  @Test("The keyed hash is SipHash-2-4 with 128 bits")
  func siphash() {
    // The reference implementation's first vectors: key 00…0f, messages of 0 and 1 bytes.
    let key = LogID(high: 0x0F0E_0D0C_0B0A_0908, low: 0x0706_0504_0302_0100)
    #expect(KeyedHashProbe.hex([], key) == "a3817f04ba25a8e66df67214c7550293")
    #expect(KeyedHashProbe.hex([0], key) == "da87c1d86b99af44347659119b22fc45")
  }
}
