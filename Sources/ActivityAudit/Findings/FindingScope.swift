/// What one finding is about: one cause in one scope is one finding, however often it happened.
public enum FindingScope: String, Sendable, CaseIterable {
  case activity
  case typeAndBuild = "type-and-build"
  case recorder
  case deviceAndType = "device-and-type"
  case channel
  case recorderPair = "recorder-pair"
  /// A span of time.
  case window

  /// What `name` is of a finding that is about no single activity.
  public static let unnamed = "-"
}
