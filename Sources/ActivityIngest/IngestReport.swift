public import ActivityCore

/// What an ingestion took and what it did not, as values.
public struct IngestReport: Sendable {
  /// How many refusals of one reason are kept as examples.
  public static let exampleLimit = 5

  /// Refusals of one reason.
  public struct Refused: Hashable, Sendable {
    /// `LineRefusal.Reason.code`.
    public var code: String
    public var count: Int
    /// The first five.
    public var examples: [LineRefusal]
  }

  /// Rows handed out or waiting in the present batch.
  public internal(set) var rows = 0
  /// Lines that hold nothing.
  public internal(set) var blank = 0
  /// Records that were understood and are not about a Live Activity.
  public internal(set) var skipped = 0
  /// The same, by what they are, in order of first appearance.
  public internal(set) var skippedBy: [(what: String, count: Int)] = []
  /// Input taken, in bytes.
  public internal(set) var bytes = 0
  /// Lines begun.
  public internal(set) var lines = 0
  /// By reason, in order of first appearance.
  public internal(set) var refused: [Refused] = []

  /// A report of nothing yet.
  public init() {}

  /// How many lines were refused.
  public var refusedCount: Int { refused.reduce(0) { $0 + $1.count } }

  mutating func skip(_ what: String) {
    skipped += 1
    if let index = skippedBy.firstIndex(where: { $0.what == what }) {
      skippedBy[index].count += 1
    } else {
      skippedBy.append((what, 1))
    }
  }

  mutating func add(_ refusal: LineRefusal) {
    let code = refusal.reason.code
    guard let index = refused.firstIndex(where: { $0.code == code }) else {
      return refused.append(Refused(code: code, count: 1, examples: [refusal]))
    }
    refused[index].count += 1
    if refused[index].examples.count < IngestReport.exampleLimit {
      refused[index].examples.append(refusal)
    }
  }
}
