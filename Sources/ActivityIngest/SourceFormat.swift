/// What a source is written in, and what its caller said about it.
public struct SourceFormat: Sendable {
  /// Who understands its records.
  public var dialect: any Dialect.Type
  /// How it falls into records.
  public var framing: Framing
  /// What its caller says beside its bytes.
  public var settings: SourceSettings

  /// - Parameter framing: how the source is laid out; nil for what the dialect usually has.
  public init(
    _ dialect: any Dialect.Type, framing: Framing? = nil, settings: SourceSettings = .init()
  ) {
    self.dialect = dialect
    self.framing = framing ?? dialect.framing
    self.settings = settings
  }

  /// Event lines of our own, one a line.
  public static var ndjson: SourceFormat { SourceFormat(NativeLines.self) }

  /// Whether a source left in the middle can be gone on with there, without what came before.
  public var canResume: Bool {
    let remembers = dialect.remembers && settings.map?.clauses.isEmpty != false
    return framing == .lines || !remembers && framing != .csv
  }
}
