import ActivityCommands
import Testing

@Suite("The console")
struct ConsoleTests {
  private let out = MemorySink()
  private let err = MemorySink()

  private func console(_ change: (inout Environment) -> Void = { _ in }) -> Console {
    var environment = Environment.still
    change(&environment)
    return Console(out: out, err: err, environment)
  }

  @Test("Lines wait in the buffer until it is full or flushed")
  func buffered() throws {
    let console = console()
    try console.line("one")
    #expect(out.bytes == [])
    try console.write([UInt8](repeating: 65, count: 64 * 1024))
    #expect(out.bytes.count == 64 * 1024 + 4)
    try console.line("two")
    try console.flush()
    #expect(out.text.hasSuffix("two\n"))
  }

  @Test("While following, or on a terminal, every line leaves at once")
  func lineByLine() throws {
    let following = console()
    following.flushesEachLine = true
    try following.line("one")
    #expect(out.lines == ["one"])
    try following.write(Array("half".utf8))
    #expect(out.lines == ["one"])
    try console { $0.outputIsTerminal = true }.line("two")
    #expect(out.lines == ["one", "two"])
  }

  @Test("Notes come after what was printed before them")
  func order() throws {
    let console = console()
    try console.line("result")
    console.note("3 events")
    #expect(out.lines == ["result"])
    #expect(err.lines == ["3 events"])
  }

  @Test("Content cannot command the terminal, on either stream")
  func harmless() throws {
    let console = console()
    try console.line("a\u{1B}[2Jb\r\nc\u{202E}d\u{9B}31m")
    console.note("x\u{7}y")
    try console.flush()
    #expect(out.lines == [#"a\u{1B}[2Jb\u{D}\u{A}c\u{202E}d\u{9B}31m"#])
    #expect(err.lines == [#"x\u{7}y"#])
  }

  @Test("Progress shows on a terminal only and is erased before other text")
  func progress() throws {
    console().progress("10 %")
    #expect(err.bytes == [])
    let console = console {
      $0.errorIsTerminal = true
      $0.terminalWidth = 8
    }
    console.progress("10 % of a long line")
    console.progress("20 %")
    console.note("done")
    #expect(err.text == "10 % of\r\u{1B}[K20 %\r\u{1B}[Kdone\n")
    console.endProgress()
    #expect(err.text.hasSuffix("done\n"))
  }

  @Test("A sink that takes a byte at a time gets every byte")
  func shortWrites() throws {
    let sink = MiserlySink()
    let console = Console(out: sink, err: err, .still)
    try console.line("hello")
    try console.flush()
    #expect(sink.bytes == Array("hello\n".utf8))
  }

  @Test("A failure met while noting is thrown by the next print")
  func latched() throws {
    let console = Console(out: FailingSink(.closedPipe), err: err, .still)
    try console.line("lost")
    console.note("still said")
    #expect(err.lines == ["still said"])
    #expect(throws: OutputError.closedPipe) { try console.line("more") }
    #expect(throws: OutputError.closedPipe) { try console.flush() }
  }

  @Test("The width is known on a terminal only")
  func width() {
    #expect(console().width == nil)
    #expect(
      console {
        $0.outputIsTerminal = true
        $0.terminalWidth = 132
      }.width == 132)
  }
}

/// A sink that takes one byte at a time.
private final class MiserlySink: OutputSink {
  var bytes: [UInt8] = []
  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    self.bytes += bytes.prefix(1)
    return 1
  }
}
