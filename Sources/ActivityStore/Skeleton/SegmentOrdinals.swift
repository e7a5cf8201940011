package import ActivityCore

/// Which number each subject has in the segment being written: dense from 0, in order of first
/// appearance, equal by the bytes of kind, name and scope.
package struct SegmentOrdinals {
  /// The ordinal the next new subject gets.
  package private(set) var next: Int32 = 0
  /// What the last commit introduced, as bytes; the next commit repeats them.
  package private(set) var repeated: [UInt8] = []
  /// How the segment's columns and names are encoded.
  package let encodings: ColumnEncodings

  private var scopes = TextTable()
  private var names = TextTable()
  /// By code of `names`; −1 for one whose commit was refused.
  private var ordinals: [Int32] = []
  private var key: [UInt8] = []
  /// For the texts of the batch at hand.
  private var scopeCache = ScopeCache(texts: 0)

  /// An empty segment's.
  package init(_ encodings: ColumnEncodings = .packed) { self.encodings = encodings }

  /// Takes over the next commit of a segment that a writer opens, in order from its first; empty
  /// names for a commit that has none.
  package mutating func restore(_ commit: CommitNames) {
    let subjects = commit.subjects
    // Names in the encodings of other segments cannot be repeated in this one.
    repeated = commit.encodings == encodings ? commit.introducedBlock : []
    scopeCache = ScopeCache(texts: commit.texts.count)
    for place in 0..<subjects.count {
      let code = code(of: place, in: subjects, commit.texts)
      if ordinals[code] < 0 { ordinals[code] = subjects.ordinals[place] }
      next = max(next, subjects.ordinals[place] + 1)
    }
  }

  /// Leaves out ordinals below `ordinal`: rows of a commit whose names are lost use them.
  package mutating func reserve(below ordinal: Int32) { next = max(next, ordinal) }

  /// The subjects of a batch in this segment.
  package struct Assignment {
    /// Segment ordinals by the batch's own, −1 for a number the batch's subjects do not have.
    fileprivate(set) var ordinals: [Int32]
    /// Kinds by the batch's own ordinals.
    fileprivate(set) var kinds: [HandleKind]
    /// Bytes of those new to the segment.
    fileprivate(set) var introduced: [UInt8] = []
    fileprivate var codes: [Int] = []
    fileprivate let first: Int32
  }

  /// Numbers a batch's subjects. `commit` or `refuse` must follow.
  package mutating func assign(_ batch: EventColumns) throws(UnencodableBatch) -> Assignment {
    let subjects = batch.subjects
    guard subjects.count <= CommitBounds.ordinalsMax else { throw .tooManySubjects(subjects.count) }
    let most = subjects.ordinals.max() ?? -1
    guard most < CommitBounds.ordinalsMax else { throw .unnamedOrdinal(Int64(most)) }
    var assignment = Assignment(
      ordinals: [Int32](repeating: -1, count: Int(most) + 1),
      kinds: [HandleKind](repeating: .app, count: Int(most) + 1), first: next)
    var places: [Int] = []
    scopeCache = ScopeCache(texts: batch.texts.count)
    for place in 0..<subjects.count {
      let code = code(of: place, in: subjects, batch.texts)
      if ordinals[code] < 0 {
        ordinals[code] = next
        next += 1
        assignment.codes.append(code)
        places.append(place)
      }
      let own = Int(subjects.ordinals[place])
      guard own >= 0 else { continue }
      assignment.ordinals[own] = ordinals[code]
      assignment.kinds[own] = subjects.kind[place]
    }
    do throws(UnencodableBatch) {
      guard next <= CommitBounds.ordinalsMax else { throw .ordinalsExhausted }
      assignment.introduced = try SubjectBlock.bytes(
        places, of: batch, first: assignment.first, encodings)
    } catch {
      refuse(assignment)
      throw error
    }
    return assignment
  }

  /// The commit was encoded: its subjects are to be repeated by the next one.
  package mutating func commit(_ assignment: Assignment) { repeated = assignment.introduced }

  /// The commit came to nothing: its new subjects are new again.
  package mutating func refuse(_ assignment: Assignment) {
    for code in assignment.codes { ordinals[code] = -1 }
    next = assignment.first
  }

  private mutating func code(
    of place: Int, in subjects: SubjectTable, _ texts: TextTable
  ) -> Int {
    let scope = scope(of: place, in: subjects, texts)
    key.removeAll(keepingCapacity: true)
    let name = subjects.name[place]
    key.append(subjects.kind[place].rawValue | (name < 0 ? 0x80 : 0))
    add(UInt32(truncatingIfNeeded: scope))
    if name >= 0 { texts.appendKept(Int(name), to: &key) }
    let code = key.withUnsafeBytes { names.intern($0) }
    if code == ordinals.count { ordinals.append(-1) }
    return code
  }

  /// The number of a subject's scope. Those of one batch mostly differ in their device only, so
  /// that most are found without their bytes.
  private mutating func scope(
    of place: Int, in subjects: SubjectTable, _ texts: TextTable
  ) -> Int {
    let environment = subjects.environment[place]
    let bundle = subjects.bundle[place]
    let device = subjects.device[place]
    if let known = scopeCache[environment, bundle, device] { return known }
    key.removeAll(keepingCapacity: true)
    for part in [environment, bundle, device] {
      add(UInt32(part < 0 ? 0 : texts.kept(Int(part)).count + 1))
      if part >= 0 { texts.appendKept(Int(part), to: &key) }
    }
    let scope = key.withUnsafeBytes { scopes.intern($0) }
    scopeCache[environment, bundle, device] = scope
    return scope
  }

  private mutating func add(_ number: UInt32) {
    withUnsafeBytes(of: number.littleEndian) { key.append(contentsOf: $0) }
  }
}

/// Scopes already numbered, by codes of one batch's texts: for each device the one met last.
private struct ScopeCache {
  private struct Entry {
    var environment: Int32 = -1
    var bundle: Int32 = -1
    /// The scope + 1, 0 for one not known.
    var scope: Int32 = 0
  }

  /// By code of the device + 1.
  private var entries: [Entry]

  init(texts count: Int) { entries = [Entry](repeating: Entry(), count: count + 1) }

  subscript(environment: Int32, bundle: Int32, device: Int32) -> Int? {
    get {
      let entry = entries[Int(device) + 1]
      guard entry.scope > 0, entry.environment == environment, entry.bundle == bundle else {
        return nil
      }
      return Int(entry.scope) - 1
    }
    set {
      let scope = newValue.map { Int32(truncatingIfNeeded: $0 + 1) } ?? 0
      entries[Int(device) + 1] = Entry(environment: environment, bundle: bundle, scope: scope)
    }
  }
}
