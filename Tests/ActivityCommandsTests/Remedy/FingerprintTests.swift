import ActivityCommands
import Foundation
import Testing

@Suite("fingerprint")
struct FingerprintTests {
  private static let base64 = Data(repeating: 0xAB, count: 32).base64EncodedString()

  @Test("Hex in any case, base64, base64url and a fingerprint are one token")
  func spellings() throws {
    let spelled = [
      Story.token, Story.token.uppercased(), Self.base64,
      Self.base64.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: ""),
      Story.fingerprint, "\"\(Story.token)\"",
    ]
    let outcome = try Workbench().run("fingerprint", input: spelled.joined(separator: "\r\n"))
    #expect(outcome.status == .fine)
    #expect(outcome.out == spelled.map { _ in Story.fingerprint })
  }

  @Test("What stands behind a token is kept; a raw token is never printed")
  func rest() throws {
    let lines = "\(Story.token)\tAlice\tphone 1\n\(Story.token),Bob, Eve\n\n\(Story.token)\t"
    let outcome = try Workbench().run("fingerprint", input: lines)
    #expect(
      outcome.out == [
        Story.fingerprint + "\tAlice\tphone 1", Story.fingerprint + "\tBob, Eve",
        Story.fingerprint + "\t",
      ])
    #expect(!says(outcome.out + outcome.err, Story.token))
  }

  @Test("A line that is no token is named by its number, never shown; the run ends with 3")
  func refused() throws {
    let lines = ["token,name", Story.token, "abcd", "", "secret-but-no-token"]
    let outcome = try Workbench().run("fingerprint", input: lines.joined(separator: "\n"))
    #expect(outcome.status == .damage)
    #expect(outcome.out == [Story.fingerprint])
    #expect(
      outcome.err == [1, 3, 5].map {
        "line \($0) is no token: neither hex nor base64 of 32 bytes or more"
      } + ["3 of 4 lines refused"])
    let long = String(repeating: "ab", count: 200_000)
    #expect(try Workbench().run("fingerprint", input: long).status == .damage)
  }

  @Test("With a log it says which cards they are and what was found of them")
  func findings() throws {
    var story = Story.card()
    story.push("end", "18:10:00", status: 403)
    story.later("18:40:00")
    let bench = try story.bench()
    let other = String(repeating: "ef", count: 32)
    let outcome = bench.run("fingerprint", "@log", input: "\(Story.token)\tAlice\n\(other)\tBob\n")
    #expect(outcome.status == .fine)
    #expect(outcome.out.first == Story.fingerprint + "\tK-1\tAAAA-1\tend-not-delivered\tAlice")
    #expect(outcome.out.last?.hasSuffix("\t-\t-\t-\tBob") == true)
    let line = bench.run("fingerprint", "@log", "-o", "jsonl", input: Story.token).out
    #expect(
      line == [
        #"{"schema":"activitylog.fingerprint/1","token":"\#(Story.fingerprint)","rest":null,"#
          + #""activities":[{"activity-id":"AAAA-1","name":"AAAA-1","key":"K-1","#
          + #""rules":["end-not-delivered"]}]}"#
      ])
    let early = bench.run("fingerprint", "@log", "--at", "18:05", input: Story.token)
    #expect(early.out == [Story.fingerprint + "\tK-1\tAAAA-1\t-"])
  }

  @Test("A time without a log is a usage error")
  func usage() throws {
    #expect(try Workbench().run("fingerprint", "--at", "18:00").status == .couldNotRun)
  }

  @Test("What is said of files of lines is refused without one")
  func sourceOptions() throws {
    let bench = try Workbench()
    for (name, value) in [
      ("format", "csv"), ("map", "m.json"), ("set", "device=d"), ("tz", "UTC"), ("patterns", "p"),
    ] {
      let run = bench.run("fingerprint", "--\(name)", value, input: Story.token)
      #expect(run.status == .couldNotRun)
      #expect(says(run.err, "--\(name) is said of a file of lines: LOG is missing"))
    }
  }
}
