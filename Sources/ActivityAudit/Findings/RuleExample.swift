/// A small story that a rule finds something in, or nothing.
public struct RuleExample: Sendable {
  /// What happens, in a few words.
  public var title: String
  /// One event a line, as `RuleScript` reads it.
  public var script: String
  /// How sure the rule is of it; nil for a story without a finding.
  public var verdict: Verdict?
  /// Whether all recorded work counts as over.
  public var isComplete = false

  package init(
    _ title: String, _ script: String, finds verdict: Verdict? = nil, complete: Bool = false
  ) {
    self.title = title
    self.script = script
    self.verdict = verdict
    isComplete = complete
  }

  /// The story as event lines.
  public var lines: [String] { RuleScript.lines(script) }
}
