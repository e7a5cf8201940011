import Testing

@Suite("The README")
struct ReadmeTests {
  @Test("Every command of the tour runs, and prints what the page shows")
  func tour() throws {
    guard Repository.exists("README.md") else { return }
    let tour = Tour(page: try Repository.text("README.md"))
    #expect(!tour.steps.isEmpty, "README.md has no tour with console blocks")
    let shell = try #require(try Shell(), "activitylog is not built beside the tests")
    defer { shell.remove() }
    for step in tour.steps {
      let result = try shell.run(step.command)
      #expect(result.status == 0, "\(step.command)\n\(result.output)")
      guard step.isExact else { continue }
      #expect(Tour.matches(step.shown, result.output), "\(step.command)\n\(result.output)")
    }
  }

  @Test("A tour is the console blocks under its heading, commands apart from output")
  func reading() {
    let page = """
      # Activity Log
      ```console
      $ not this
      ```
      ## Five-minute tour
      ```console exact
      $ one
      > more
      shown
      $ two
      ```
      ### A part of it
      ```swift
      $ nor this
      ```
      ```console
      $ three # not a heading
      # a comment printed
      ```
      ## After
      ```console
      $ nor that
      ```
      """
    #expect(
      Tour(page: page).steps == [
        Tour.Step(command: "one\nmore", shown: ["shown"], isExact: true),
        Tour.Step(command: "two", isExact: true),
        Tour.Step(
          command: "three # not a heading", shown: ["# a comment printed"], isExact: false),
      ])
    #expect(Tour.matches(["a", "b…"], "a\nbcd\ne\n"))
    #expect(!Tour.matches(["a", "b"], "a\nbcd\n"))
    #expect(!Tour.matches(["a", "b", "c"], "a\nb"))
  }
}
