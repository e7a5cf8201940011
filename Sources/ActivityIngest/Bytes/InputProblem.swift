/// Why the bytes of an input cannot be read, or cannot be read on.
package struct InputProblem: Error, Hashable, Sendable {
  package enum Code: String, Sendable {
    /// A form that something else turns into text; the hint says what.
    case otherForm = "other-form"
    /// NUL bytes at the start, in no form that is known.
    case binary
    /// Packed data ends before its own end.
    case truncated
    /// Packed data contradicts itself.
    case damaged
    /// Packed data is followed by bytes that are not.
    case trailing
    /// The system gave no memory to unpack with.
    case noMemory = "no-memory"
  }

  package let code: Code
  /// What is wrong, in one sentence without a full stop.
  package let message: String
  /// What to do, often a command, with FILE for the input and LOG for the log.
  package let hint: String?

  package init(_ code: Code, _ message: String, hint: String?) {
    self.code = code
    self.message = message
    self.hint = hint
  }
}

extension InputProblem {
  static func truncated(_ packing: InputKind.Packing) -> InputProblem {
    InputProblem(
      .truncated, "the \(packing.rawValue) data ends before its own end",
      hint: "the text before the break is read; copy the file again, or wait for its writer")
  }

  /// - Parameter detail: what the library that unpacks says.
  static func damaged(_ packing: InputKind.Packing, _ detail: String) -> InputProblem {
    InputProblem(
      .damaged, "the \(packing.rawValue) data is damaged: \(detail)",
      hint: "the text before the damage is read; take the file from its source again")
  }

  static func trailing(_ packing: InputKind.Packing) -> InputProblem {
    let name = packing.rawValue
    return InputProblem(
      .trailing, "after the \(name) data come bytes that are no \(name)",
      hint: "the text before them is read; if text was appended to the packed file, give it apart")
  }

  static func noMemory(_ packing: InputKind.Packing) -> InputProblem {
    InputProblem(.noMemory, "there is no memory to unpack \(packing.rawValue)", hint: nil)
  }

  /// What is said of a form that is not read here.
  ///
  /// - Parameter packing: what it was found in.
  static func refused(_ form: InputForm, in packing: InputKind.Packing) -> InputProblem {
    if form == .binary {
      return InputProblem(
        .binary, "the input is binary, and nothing that is known",
        hint: "events are read from text: JSON lines, CSV, or a log's text; of text with NUL bytes "
          + "in it: tr -d '\\000' < FILE | activitylog ingest LOG -")
    }
    guard let unpack = packing.command else {
      return InputProblem(
        .otherForm, "the input is \(form.name), which is not read", hint: form.remedy)
    }
    let inner =
      form.isStream
      ? "\(unpack) FILE | \(form.streamCommand) | activitylog ingest LOG -"
      : "\(unpack) FILE > INNER, then for INNER as FILE: \(form.remedy)"
    return InputProblem(
      .otherForm, "the input is \(form.name) inside \(packing.rawValue), which is not read",
      hint: form == .tar && packing == .gzip ? form.remedy : inner)
  }
}

extension InputKind.Packing {
  /// The command that unpacks a file to its standard output; nil when nothing is packed.
  fileprivate var command: String? {
    switch self {
    case .plain: nil
    case .gzip: "gzip -dc"
    case .lz4: "lz4 -dc"
    }
  }
}
