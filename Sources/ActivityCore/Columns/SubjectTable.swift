/// What a subject's name is.
public enum HandleKind: UInt8, CaseIterable, Sendable {
  /// No handle: a row about an app, known by its scope alone.
  case app = 0
  case activity = 1
  case token = 2
  case channel = 3
  case key = 4
}

/// Subjects a batch brings with it, as columns: each a handle in a scope, as recorded.
///
/// Storage never merges subjects; which activity one is, is resolved before the fold. `ordinals`
/// say under which number a row names the subject: dense from 0 in a batch made from lines, and
/// segment-wide numbers in a batch read from a log. All codes are codes of the batch's texts, −1
/// for absent.
public struct SubjectTable: Sendable {
  /// One entry a subject: its number, what it is, and the codes of its name and scope.
  public private(set) var ordinals: [Int32] = []
  public private(set) var kind: [HandleKind] = []
  public private(set) var name: [Int32] = []
  public private(set) var environment: [Int32] = []
  public private(set) var bundle: [Int32] = []
  public private(set) var device: [Int32] = []

  /// How many subjects there are.
  public var count: Int { ordinals.count }

  /// A table without subjects.
  public init() {}

  /// Adds a subject under an ordinal; codes are of the batch's texts, −1 for absent.
  public mutating func append(
    ordinal: Int32, kind: HandleKind, name: Int32, environment: Int32, bundle: Int32, device: Int32
  ) {
    ordinals.append(ordinal)
    self.kind.append(kind)
    self.name.append(name)
    self.environment.append(environment)
    self.bundle.append(bundle)
    self.device.append(device)
  }

  /// Gives subject `index` another ordinal.
  public mutating func renumber(_ index: Int, to ordinal: Int32) { ordinals[index] = ordinal }
}
