/// Who the ordinals of a numbering stand for, gathered from one batch after another.
public struct SubjectDirectory: Sendable {
  /// A handle in its scope, as recorded.
  public struct Subject: Hashable, Sendable {
    /// What the name is.
    public var kind: HandleKind
    /// nil for a row about an app, which is known by its scope alone.
    public var name: String?
    public var environment: String?
    public var bundle: String?
    public var device: String?

    package init(
      kind: HandleKind, name: String?, environment: String?, bundle: String?, device: String?
    ) {
      self.kind = kind
      self.name = name
      self.environment = environment
      self.bundle = bundle
      self.device = device
    }
  }

  /// A subject as codes of `texts`, −1 for absent.
  struct Entry: Sendable {
    var kind: HandleKind
    var name: Int32
    var environment: Int32
    var bundle: Int32
    var device: Int32
  }

  private var space: Int?
  private var entries: [Int32: Entry] = [:]
  private(set) var texts = TextTable()

  /// A directory without names.
  public init() {}

  /// Learns a batch's subjects; those of another numbering are forgotten first.
  public mutating func take(_ batch: EventColumns) {
    if space != batch.space {
      entries.removeAll(keepingCapacity: true)
      texts = TextTable()
      space = batch.space
    }
    let table = batch.subjects
    for index in 0..<table.count {
      entries[table.ordinals[index]] = Entry(
        kind: table.kind[index], name: own(table.name[index], batch),
        environment: own(table.environment[index], batch),
        bundle: own(table.bundle[index], batch), device: own(table.device[index], batch))
    }
  }

  private mutating func own(_ code: Int32, _ batch: EventColumns) -> Int32 {
    code < 0 ? -1 : Int32(texts.intern(from: batch.texts, Int(code)))
  }

  /// Who an ordinal stands for; nil when its name was not read or did not survive.
  public subscript(ordinal: Int32) -> Subject? {
    entries[ordinal].map { entry in
      Subject(
        kind: entry.kind, name: text(entry.name), environment: text(entry.environment),
        bundle: text(entry.bundle), device: text(entry.device))
    }
  }

  func entry(_ ordinal: Int32) -> Entry? { entries[ordinal] }

  private func text(_ code: Int32) -> String? { code < 0 ? nil : texts.string(Int(code)) }
}
