/// An error that says in one line what happened, what to try, and how the run ends.
///
/// Errors of other modules conform in an extension beside the command that meets them; whatever
/// does not conform is described by Swift and ends the run with `couldNotRun`.
package protocol ExplainedError: Error {
  /// One line without a full stop: the file and line or offset, then what is wrong with it.
  var message: String { get }
  /// What reads well after "try: ", or nil.
  var hint: String? { get }
  /// How a run that meets this error ends.
  var status: ExitStatus { get }
}

extension ExplainedError {
  package var hint: String? { nil }
  package var status: ExitStatus { .couldNotRun }
}

/// The error a command throws when nothing more specific exists.
package struct CommandError: ExplainedError, Equatable {
  package let message: String
  package let hint: String?
  package let status: ExitStatus

  package init(_ message: String, hint: String? = nil, status: ExitStatus = .couldNotRun) {
    self.message = message
    self.hint = hint
    self.status = status
  }
}
