import Testing

@Suite("The program as a process")
struct ProgramTests {
  private func run(_ line: String) throws -> Shell.Result {
    let shell = try #require(try Shell(), "activitylog is not built beside the tests")
    defer { shell.remove() }
    return try shell.run(line)
  }

  @Test("It says its version and refuses what it does not know")
  func basics() throws {
    let version = try run("activitylog --version")
    #expect(version.status == 0)
    #expect(version.output.hasPrefix("activitylog "))
    let unknown = try run("activitylog --nonsense")
    #expect(unknown.status == 2)
    #expect(
      unknown.output
        == "activitylog: unknown option '--nonsense'\ntry: activitylog --help\n")
  }

  @Test("A reader that has gone ends it quietly, as the shell reports a closed pipe")
  func closedPipe() throws {
    let line = "mkfifo f; exec 3<>f 4>f; exec 3>&-; activitylog man >&4"
    let result = try run(line)
    #expect(result.status == 141)
    #expect(result.output == "")
  }

  @Test("The completion script for bash is one that bash takes")
  func completion() throws {
    let line = """
      source <(activitylog completion bash)
      COMP_WORDS=(activitylog completion z); COMP_CWORD=2; _activitylog; echo "${COMPREPLY[@]}"
      COMP_WORDS=(activitylog comp); COMP_CWORD=1; _activitylog; echo "${COMPREPLY[@]}"
      COMP_WORDS=(activitylog man --color a); COMP_CWORD=3; _activitylog; echo "${COMPREPLY[@]}"
      """
    let result = try run(line)
    #expect(result.status == 0)
    #expect(result.output == "zsh\ncompletion\nauto always\n")
  }

  #if os(Linux)
    @Test("A full disk under its output is an error it reports")
    func fullDisk() throws {
      let result = try run("activitylog man >/dev/full")
      #expect(result.status == 2)
      #expect(result.output.hasPrefix("activitylog: cannot write standard output: No space"))
    }
  #endif
}
