internal import ActivityCore

/// The only writer to standard output and standard error.
///
/// Results go to standard output through a buffer; talk goes to standard error. Text is made
/// harmless on its way out (`Escape`); bytes given to `write` are the caller's promise.
package final class Console {
  /// Whether styles become terminal colours.
  package var showsColours: Bool
  /// Set while following: every line leaves at once.
  package var flushesEachLine: Bool
  /// Columns a line may fill, nil when standard output is no terminal.
  package let width: Int?

  private let out: any OutputSink
  private let err: any OutputSink
  private let errorIsTerminal: Bool
  private let errorWidth: Int
  private var buffer: [UInt8] = []
  private var progressIsShown = false
  private var failure: OutputError?

  private static let bufferBytesMax = 64 * 1024

  package init(out: any OutputSink, err: any OutputSink, _ environment: Environment) {
    self.out = out
    self.err = err
    self.showsColours = ColourChoice.auto.isOn(environment)
    self.flushesEachLine = environment.outputIsTerminal
    self.width = environment.outputIsTerminal ? environment.terminalWidth : nil
    self.errorIsTerminal = environment.errorIsTerminal
    self.errorWidth = environment.terminalWidth
  }

  /// Prints one line of text; control characters in it are shown, not obeyed.
  package func line(_ text: String = "") throws(OutputError) {
    try put(Escape.text(text))
  }

  /// Prints one styled line.
  package func line(_ text: Styled) throws(OutputError) {
    try put(text.rendered(colours: showsColours))
  }

  /// Prints bytes as they are: JSON whose strings are escaped, or an export.
  package func write(_ bytes: [UInt8]) throws(OutputError) {
    buffer += bytes
    try settle()
  }

  /// Hands everything printed so far to the system.
  package func flush() throws(OutputError) {
    if let failure { throw failure }
    guard !buffer.isEmpty else { return }
    eraseProgress()
    let pending = buffer
    buffer.removeAll(keepingCapacity: true)
    do {
      try Self.writeAll(pending, to: out)
    } catch {
      failure = error
      throw error
    }
  }

  /// Says one line on standard error, after everything printed so far.
  package func note(_ text: String) {
    flushQuietly()
    eraseProgress()
    say(Escape.text(text) + "\n")
  }

  /// Shows how far the work is, on a terminal only; the next text replaces it.
  package func progress(_ text: String) {
    guard errorIsTerminal else { return }
    flushQuietly()
    eraseProgress()
    say(String(Escape.text(text).prefix(max(1, errorWidth - 1))))
    progressIsShown = true
  }

  /// Takes the progress line away.
  package func endProgress() { eraseProgress() }

  private func put(_ harmless: String) throws(OutputError) {
    buffer += harmless.utf8
    buffer.append(UInt8(ascii: "\n"))
    try settle()
  }

  private func settle() throws(OutputError) {
    if let failure { throw failure }
    let isDue =
      buffer.count >= Self.bufferBytesMax
      || flushesEachLine && buffer.last == UInt8(ascii: "\n")
    if isDue { try flush() }
  }

  /// A failure here is kept and thrown by the next print or flush.
  private func flushQuietly() {
    do { try flush() } catch {}
  }

  private func eraseProgress() {
    guard progressIsShown else { return }
    progressIsShown = false
    say("\r\u{1B}[K")
  }

  /// Nobody can be told when standard error fails.
  private func say(_ text: String) {
    do { try Self.writeAll(Array(text.utf8), to: err) } catch {}
  }

  private static func writeAll(_ bytes: [UInt8], to sink: any OutputSink) throws(OutputError) {
    var written = 0
    while written < bytes.count {
      let result: Result<Int, OutputError> = bytes.withUnsafeBytes { all in
        let rest = UnsafeRawBufferPointer(rebasing: all[written...])
        return Result { () throws(OutputError) -> Int in try sink.write(rest) }
      }
      written += try result.get()
    }
  }
}
