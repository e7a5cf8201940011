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

  /// The names in `repeated`, which new subjects' names may refer to.
  private var repeatedNames = TextTable()
  private var scopes = TextTable()
  private var names = TextTable()
  /// By code of `names`; −1 for one whose commit was refused.
  private var ordinals: [Int32] = []
  private var key: [UInt8] = []

  /// An empty segment's.
  package init(_ encodings: ColumnEncodings = .packed) { self.encodings = encodings }

  /// Takes over the next commit of a segment that a writer opens, in order from its first; empty
  /// names for a commit that has none.
  package mutating func restore(_ commit: CommitNames) {
    let subjects = commit.subjects
    switch encodings {
    case .first: repeated = commit.introducedBlock
    case .packed:
      // What was read once can be written again: nothing is thrown here.
      let block = try? block(
        Array(0..<commit.introducedCount), of: subjects, commit.texts,
        first: subjects.ordinals.first ?? 0)
      (repeated, repeatedNames) = block ?? ([], TextTable())
    }
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
    /// The same as the next commit repeats them, and the names in it.
    fileprivate var repeated: [UInt8] = []
    fileprivate var repeatedNames = TextTable()
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
      var known = repeatedNames
      assignment.introduced = try SubjectBlock.bytes(
        places, of: subjects, batch.texts, first: assignment.first, encodings, known: &known)
      switch encodings {
      case .first: assignment.repeated = assignment.introduced
      case .packed:
        (assignment.repeated, assignment.repeatedNames) = try block(
          places, of: subjects, batch.texts, first: assignment.first)
      }
    } catch {
      refuse(assignment)
      throw error
    }
    return assignment
  }

  /// The commit was encoded: its subjects are to be repeated by the next one.
  package mutating func commit(_ assignment: Assignment) {
    repeated = assignment.repeated
    repeatedNames = assignment.repeatedNames
  }

  /// Subjects as bytes that refer to nothing before them.
  private func block(
    _ places: [Int], of subjects: SubjectTable, _ texts: TextTable, first: Int32
  ) throws(UnencodableBatch) -> ([UInt8], TextTable) {
    var names = TextTable()
    let bytes = try SubjectBlock.bytes(
      places, of: subjects, texts, first: first, encodings, known: &names)
    return (bytes, names)
  }

  /// The commit came to nothing: its new subjects are new again.
  package mutating func refuse(_ assignment: Assignment) {
    for code in assignment.codes { ordinals[code] = -1 }
    next = assignment.first
  }

  private mutating func code(
    of place: Int, in subjects: SubjectTable, _ texts: TextTable
  ) -> Int {
    key.removeAll(keepingCapacity: true)
    for part in [subjects.environment[place], subjects.bundle[place], subjects.device[place]] {
      add(UInt32(part < 0 ? 0 : texts.kept(Int(part)).count + 1))
      if part >= 0 { texts.appendKept(Int(part), to: &key) }
    }
    let scope = key.withUnsafeBytes { scopes.intern($0) }
    key.removeAll(keepingCapacity: true)
    let name = subjects.name[place]
    key.append(subjects.kind[place].rawValue | (name < 0 ? 0x80 : 0))
    add(UInt32(scope))
    if name >= 0 { texts.appendKept(Int(name), to: &key) }
    let code = key.withUnsafeBytes { names.intern($0) }
    if code == ordinals.count { ordinals.append(-1) }
    return code
  }

  private mutating func add(_ number: UInt32) {
    for shift in [UInt32(0), 8, 16, 24] { key.append(UInt8(truncatingIfNeeded: number >> shift)) }
  }
}
