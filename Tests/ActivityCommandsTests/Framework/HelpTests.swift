import ActivityCommands
import Testing

@Suite("Help")
struct HelpTests {
  @Test("The page of a command is its declaration")
  func page() {
    let expected = """
      usage: activitylog probe [OPTION]... LOG [FILE...]
      Print what was given.

        LOG                     A log
        FILE                    More of them, or - for standard input
        -f, --follow            Keep waiting for more
        -q, --quiet             Say less
        -n, --lines N           Start with the last N
        -w, --where NAME=VALUE  Only what matches; repeatable
        -o, --output text|json|ids  How to print
            --since TIME        From then on
            --idle-limit TIME   Longest wait
            --fail KIND         Fail that way
        -h, --help              This page (-h: shorter); --color auto|always|never

      examples:
        $ activitylog probe -f -n 5 orders
      """
    #expect(run("probe", "--help").out.joined(separator: "\n") == expected)
    #expect(run("help", "probe").out == run("probe", "--help").out)
    #expect(run("probe", "-q", "--help", "--bogus").status == .fine)
  }

  @Test("-h is the short form")
  func short() {
    #expect(
      run("probe", "-fh").out == [
        "usage: activitylog probe [OPTION]... LOG [FILE...]",
        "Print what was given.",
        "  $ activitylog probe -f -n 5 orders",
        "activitylog help probe lists its options",
      ])
  }

  @Test("The overview lists commands in groups")
  func overview() {
    #expect(
      run("--help").out[2...] == [
        "Look:",
        "  probe       Print what was given",
        "Shell:",
        "  completion  Print a completion script for a shell",
        "  man         Print the manual page in roff",
        "activitylog help COMMAND says what it takes; --version says which this is",
      ])
    #expect(run("help").out == run("-h").out)
    #expect(run("help", "prob").err.last == "try: activitylog probe")
  }

  @Test("Every command's page fits 80 columns, has an example, and 24 lines or an option a line")
  func pagesFit() {
    for command in Commands.all + Commands.builtIn {
      let page = Help.page(of: command, .full)
      #expect(
        page.count <= max(24, command.arguments.count + 17),
        "\(command.name) takes \(page.count) lines")
      for line in page { #expect(line.count <= 80, "\(command.name): \(line)") }
      #expect(command.examples.contains { $0.contains("activitylog \(command.name)") })
      #expect(command.summary.count <= 60 && command.summary.last != ".")
    }
    let overview = Help.overview(Commands.all + Commands.builtIn)
    #expect(overview.count <= 24 + CommandGroup.allCases.count)
    #expect(overview.allSatisfy { $0.count <= 80 })
  }

  @Test("No command declares a name twice or takes one of the shared ones")
  func namesAreUnique() {
    for command in Commands.all + Commands.builtIn + [Probe.self] {
      var names = ["--help", "-h", "--color"]
      for argument in command.arguments {
        switch argument {
        case .operand(let operand): names.append(operand.name)
        case .option(let option):
          names += ["--\(option.name)"] + (option.short.map { ["-\($0)"] } ?? [])
        case .flag(let flag):
          names += ["--\(flag.name)"] + (flag.short.map { ["-\($0)"] } ?? [])
        }
      }
      #expect(Set(names).count == names.count, "\(command.name): \(names)")
    }
    let verbs = (Commands.all + Commands.builtIn).map { $0.name } + ["help"]
    #expect(Set(verbs).count == verbs.count)
  }

  @Test("Completion offers the words that were declared", arguments: Completion.Shell.allCases)
  func completion(_ shell: Completion.Shell) {
    let script = Completion.script(for: shell, [Probe.self]).joined(separator: "\n")
    for word in ["probe", "follow", "lines", "text json ids", "auto always never"] {
      #expect(script.contains(word), "\(shell) lacks \(word)")
    }
  }

  @Test("The manual page has every option and every status")
  func manual() {
    let page = Manual.page([Probe.self])
    #expect(page.contains(#".B \-n, \-\-lines N"#))
    #expect(page.contains("$ activitylog probe \\-f \\-n 5 orders"))
    for status in ExitStatus.allCases where status != .closedPipe {
      #expect(page.contains(".B \(status.rawValue)"))
    }
  }
}
