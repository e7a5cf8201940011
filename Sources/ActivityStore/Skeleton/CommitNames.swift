package import ActivityCore

/// The subjects that a commit's names section tells: those it introduces and, once more, those
/// the commit before it introduced, so that one lost section loses no name.
package struct CommitNames {
  /// Introduced ones first, then the repeated ones, each under its segment ordinal.
  package private(set) var subjects = SubjectTable()
  /// What the codes of `subjects` mean.
  package private(set) var texts = TextTable()
  package private(set) var introducedCount = 0
  /// What both blocks are written in.
  package private(set) var encodings = ColumnEncodings.first
  /// The introduced part as bytes: what the next commit repeats.
  package private(set) var introducedBlock: [UInt8] = []

  /// No subjects, which is no bytes.
  package init() {}

  /// Reads a raw section, whole or only the subjects it introduces.
  package init(reading bytes: [UInt8], introducedOnly: Bool = false) throws(MalformedCommit) {
    guard !bytes.isEmpty else { return }
    var reader = SectionReader(bytes, .names)
    guard bytes.count <= CommitBounds.namesBytesMax else { throw reader.malformed(.beyondLimit) }
    if bytes.starts(with: SubjectBlock.packedMark) {
      encodings = .packed
      try reader.skip(SubjectBlock.packedMark.count)
    }
    var introduced = try reader.part()
    introducedBlock = Array(bytes[introduced.offset..<introduced.end])
    try read(&introduced)
    introducedCount = subjects.count
    var repeated = try reader.part()
    try reader.finish()
    if !introducedOnly { try read(&repeated) }
  }

  /// The introduced subjects alone.
  package var introducedSubjects: SubjectTable {
    guard introducedCount < subjects.count else { return subjects }
    var table = SubjectTable()
    for index in 0..<introducedCount {
      table.append(
        ordinal: subjects.ordinals[index], kind: subjects.kind[index],
        name: subjects.name[index], environment: subjects.environment[index],
        bundle: subjects.bundle[index], device: subjects.device[index])
    }
    return table
  }

  /// Reads a whole block; no bytes are no subjects.
  private mutating func read(_ reader: inout SectionReader) throws(MalformedCommit) {
    guard reader.remaining > 0 else { return }
    let first = try reader.count(limit: CommitBounds.ordinalsMax)
    let count = try reader.count(limit: CommitBounds.listedMax)
    guard count > 0, first + count <= CommitBounds.ordinalsMax else {
      throw reader.malformed(.ordinalOutOfRange)
    }
    let textCount = try reader.count(limit: CommitBounds.listedMax)
    let textBase = texts.count
    try reader.texts(textCount, into: &texts)
    let scopeCount = try reader.count(limit: CommitBounds.listedMax)
    let environments = try reader.indices(scopeCount, below: textCount + 1)
    let bundles = try reader.indices(scopeCount, below: textCount + 1)
    let devices = try reader.indices(scopeCount, below: textCount + 1)
    let kinds = try reader.indices(count, below: 2 * SubjectBlock.unnamed)
    let named = kinds.count { $0 < SubjectBlock.unnamed }
    let scopes: [Int64]
    let names: [Int32]
    if encodings == .packed {
      scopes = try PackedSubjects.scopes(count, of: scopeCount, &reader)
      names = try PackedSubjects.names(named, &reader, into: &texts)
    } else {
      scopes = try reader.indices(count, below: scopeCount)
      let base = Int32(texts.count)
      try reader.texts(named, into: &texts)
      names = (0..<Int32(named)).map { base + $0 }
    }
    try reader.finish()
    func code(_ reference: Int64) -> Int32 {
      reference == 0 ? -1 : Int32(textBase + Int(reference) - 1)
    }
    var next = 0
    for index in 0..<count {
      let isNamed = kinds[index] < SubjectBlock.unnamed
      guard let kind = HandleKind(rawValue: UInt8(kinds[index] & 15)) else {
        throw reader.malformed(.unknownKind)
      }
      let scope = Int(scopes[index])
      subjects.append(
        ordinal: Int32(first + index), kind: kind, name: isNamed ? names[next] : -1,
        environment: code(environments[scope]), bundle: code(bundles[scope]),
        device: code(devices[scope]))
      if isNamed { next += 1 }
    }
  }
}

/// The bytes of the subjects that one commit introduces.
package enum SubjectBlock {
  /// Added to the number of a handle's kind when it has no name.
  package static let unnamed = 16

  /// What a section under packed encodings begins with: a length of 0 in two bytes, which nobody
  /// else writes.
  package static let packedMark: [UInt8] = [0x80, 0]

  /// Subjects of a batch, given as places in its table, under ordinals that count up from `first`.
  package static func bytes(
    _ places: [Int], of batch: EventColumns, first: Int32, _ encodings: ColumnEncodings
  ) throws(UnencodableBatch) -> [UInt8] {
    guard !places.isEmpty else { return [] }
    guard places.count <= CommitBounds.listedMax else { throw .tooManySubjects(places.count) }
    let subjects = batch.subjects
    let texts = batch.texts
    var scopes = ScopeTable(texts: texts.count)
    var kinds: [Int64] = []
    var scopeOf: [Int64] = []
    var names: [Int32] = []
    for place in places {
      let name = subjects.name[place]
      kinds.append(Int64(subjects.kind[place].rawValue) + (name < 0 ? Int64(unnamed) : 0))
      if name >= 0 { names.append(name) }
      scopeOf.append(
        scopes.place(
          Scope(
            environment: subjects.environment[place], bundle: subjects.bundle[place],
            device: subjects.device[place])))
    }
    guard scopes.texts.count <= CommitBounds.listedMax else {
      throw .tooManySubjects(scopes.texts.count)
    }
    var writer = SectionWriter()
    writer.varint(Int(first))
    writer.varint(places.count)
    writer.varint(scopes.texts.count)
    try writer.texts(scopes.texts, of: texts, encodings)
    writer.varint(scopes.environments.count)
    writer.integers(scopes.environments, encodings)
    writer.integers(scopes.bundles, encodings)
    writer.integers(scopes.devices, encodings)
    writer.integers(kinds, encodings)
    switch encodings {
    case .first:
      writer.integers(scopeOf, encodings)
      try writer.texts(names, of: texts, encodings)
    case .packed:
      PackedSubjects.write(scopes: scopeOf, count: scopes.environments.count, to: &writer)
      try PackedSubjects.write(names: names, of: texts, to: &writer)
    }
    guard writer.bytes.count <= CommitBounds.namesBlockBytesMax else {
      throw .namesTooLarge(bytes: writer.bytes.count)
    }
    return writer.bytes
  }

  /// A section from what a commit introduces and what the commit before it introduced.
  package static func section(
    introduced: [UInt8], repeated: [UInt8], _ encodings: ColumnEncodings
  ) -> [UInt8] {
    guard !introduced.isEmpty || !repeated.isEmpty else { return [] }
    var writer = SectionWriter()
    if encodings == .packed { writer.append(packedMark) }
    writer.varint(introduced.count)
    writer.append(introduced)
    writer.varint(repeated.count)
    writer.append(repeated)
    return writer.bytes
  }

  private struct Scope: Hashable {
    let environment: Int32
    let bundle: Int32
    let device: Int32
  }

  /// Distinct scopes in order of first use, their parts as places in `texts` + 1, 0 for absent.
  private struct ScopeTable {
    private(set) var texts: [Int32] = []
    private(set) var environments: [Int64] = []
    private(set) var bundles: [Int64] = []
    private(set) var devices: [Int64] = []
    private var places: [Scope: Int64] = [:]
    /// By code: the text's place among `texts` + 1, 0 for none yet.
    private var textPlaces: [Int32]
    private var last: (scope: Scope, place: Int64)?

    /// - Parameter texts: How many texts the codes are of.
    init(texts count: Int) { textPlaces = [Int32](repeating: 0, count: count) }

    mutating func place(_ scope: Scope) -> Int64 {
      if let last, last.scope == scope { return last.place }
      let place = find(scope)
      last = (scope, place)
      return place
    }

    private mutating func find(_ scope: Scope) -> Int64 {
      if let place = places[scope] { return place }
      environments.append(reference(scope.environment))
      bundles.append(reference(scope.bundle))
      devices.append(reference(scope.device))
      let place = Int64(places.count)
      places[scope] = place
      return place
    }

    private mutating func reference(_ code: Int32) -> Int64 {
      guard code >= 0 else { return 0 }
      if textPlaces[Int(code)] == 0 {
        texts.append(code)
        textPlaces[Int(code)] = Int32(truncatingIfNeeded: texts.count)
      }
      return Int64(textPlaces[Int(code)])
    }
  }
}
