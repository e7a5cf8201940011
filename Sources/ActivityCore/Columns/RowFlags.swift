/// What a row has, beyond its columns.
public struct RowFlags: OptionSet, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// It carries an `alert` member that is not null.
  public static let alert = RowFlags(rawValue: 1)
  /// It carries `content-state`.
  public static let content = RowFlags(rawValue: 2)
  /// It carries `attributes`.
  public static let attributes = RowFlags(rawValue: 4)
}
