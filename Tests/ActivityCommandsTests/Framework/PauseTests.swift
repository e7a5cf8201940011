import ActivityCommands
import ActivityCore
import Testing

@Suite("Waiting")
struct PauseTests {
  @Test("A pause runs its length, and a signal ends every later one at once")
  func interrupted() async {
    await #expect(processExitsWith: .success) {
      let environment = Environment.live()
      #expect(environment.pause(.seconds(0)))
      #expect(environment.pause(Timestamp.Span(microseconds: 1_000)))
      interruptMyself()
      #expect(!environment.pause(.hours(24)))
      #expect(!environment.pause(.hours(24)))
    }
  }
}
