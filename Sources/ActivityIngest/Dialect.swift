public import ActivityCore

/// A way in which others write down what happened to Live Activities.
///
/// A dialect turns one line of its input into rows; bytes, line ends, limits and counting are
/// `Ingestion`'s. A new one is its file in `Dialects` and a line in `Dialects.all`.
public protocol Dialect: Sendable {
  /// The name `--format` takes.
  static var name: String { get }

  /// - Parameter restoring: whether `seq` and `recorded-at` of the input are kept.
  init(restoring: Bool)

  /// Reads one line, without its line end, into the batch being built.
  ///
  /// - Parameter number: the line's number in its file, from 1 on.
  mutating func read(
    _ line: UnsafeRawBufferPointer, number: Int, into reader: inout LineReader
  ) -> DialectOutcome
}

/// What a dialect made of one line.
public enum DialectOutcome: Hashable, Sendable {
  case line(LineOutcome)
  /// Understood, and not about a Live Activity: counted, not refused.
  case skipped
}

/// Every dialect there is.
public enum Dialects {
  /// One line per file in `Dialects/`.
  public static let all: [any Dialect.Type] = [
    NativeLines.self
  ]

  /// The dialect of a name; nil when there is none.
  public static func named(_ name: String) -> (any Dialect.Type)? {
    all.first { $0.name == name }
  }
}
