/// A recorder and what is wrong with what it sends, the scope of a sender's habits.
package struct RecorderAndReason: Hashable, Sendable {
  package var recorder: Entry.Word
  /// A member, a reason of APNs, or the rule's own word.
  package var reason: String

  package init(_ recorder: Entry.Word, _ reason: String) {
    self.recorder = recorder
    self.reason = reason
  }

  /// ` of push-1`, for messages; empty for lines without recorder.
  package func whose(_ log: AuditLog) -> String { log.text(recorder).map { " of \($0)" } ?? "" }
}

extension Finding {
  /// A finding about a recorder and a reason.
  package init(
    _ rule: RuleInfo, _ verdict: Verdict, tally: Tally, _ scope: RecorderAndReason,
    _ log: AuditLog, message: String, severity: Severity? = nil
  ) {
    self.init(
      rule, verdict, tally: tally, identity: [log.text(scope.recorder) ?? "", scope.reason],
      message: message, severity: severity)
  }
}
