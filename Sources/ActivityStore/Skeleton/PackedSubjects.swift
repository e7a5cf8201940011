package import ActivityCore

/// A block of subjects under packed encodings.
///
/// Most subjects of a block have the one scope without a device, or bring a scope of their own, or
/// follow closely behind the one that brought theirs; and most names come twice, with a device and
/// without. So scopes are told by how far back they came, and a name that stands before in the
/// section is told by its place.
package struct PackedSubjects {
  private var table = SubjectTable()

  // MARK: Writing

  /// Varint commonest scope, then numbers: 0 for that one, 1 for a new one, else 1 and how far back.
  package static func write(scopes: [Int64], count: Int, to writer: inout SectionWriter) {
    var uses = [Int](repeating: 0, count: count)
    for scope in scopes { uses[Int(scope)] += 1 }
    let common = uses.indices.max { (uses[$0], $1) < (uses[$1], $0) } ?? 0
    var next = 0
    var codes: [Int64] = []
    codes.reserveCapacity(scopes.count)
    for scope in scopes {
      if next == common { next += 1 }
      if scope == Int64(common) {
        codes.append(0)
      } else if scope == Int64(next) {
        codes.append(1)
        next += 1
      } else {
        codes.append(Int64(next) - scope + 1)
      }
    }
    writer.varint(common)
    writer.integers(codes, .packed)
  }

  /// Numbers: 1 for each name that is in `known`, else 0; how far back each of those is; then the
  /// new names as texts. `known` gets them.
  package static func write(
    names: [Int32], of texts: TextTable, known: inout TextTable, to writer: inout SectionWriter
  ) throws(UnencodableBatch) {
    var isKnown: [Int64] = []
    var back: [Int64] = []
    var new: [Int32] = []
    for name in names {
      let count = known.count
      let place = known.intern(from: texts, Int(name))
      isKnown.append(place < count ? 1 : 0)
      if place < count { back.append(Int64(count - place)) } else { new.append(name) }
    }
    writer.integers(isKnown, .packed)
    writer.integers(back, .packed)
    try writer.texts(new, of: texts, .packed)
  }

  // MARK: Reading

  /// Reads a whole block; no bytes are no subjects. `names` are the codes of the names that stand
  /// before it in the section, and get its own.
  package init(
    reading reader: inout SectionReader, into texts: inout TextTable, _ names: inout [Int32]
  ) throws(MalformedCommit) {
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
    let scopes = try PackedSubjects.scopes(count, of: scopeCount, &reader)
    let named = kinds.count { $0 < SubjectBlock.unnamed }
    let codes = try PackedSubjects.names(named, &reader, into: &texts, &names)
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
      let scope = scopes[index]
      table.append(
        ordinal: Int32(first + index), kind: kind, name: isNamed ? codes[next] : -1,
        environment: code(environments[scope]), bundle: code(bundles[scope]),
        device: code(devices[scope]))
      if isNamed { next += 1 }
    }
  }

  private static func scopes(
    _ count: Int, of limit: Int, _ reader: inout SectionReader
  ) throws(MalformedCommit) -> [Int] {
    guard limit > 0 else { throw reader.malformed(.codeOutOfRange) }
    let common = try reader.count(limit: limit - 1)
    let codes = try reader.indices(count, below: limit + 1)
    var next = 0
    var scopes: [Int] = []
    scopes.reserveCapacity(count)
    for code in codes {
      if next == common { next += 1 }
      let scope = code == 0 ? common : next - Int(code) + 1
      if code == 1 { next += 1 }
      guard scope >= 0, scope < limit else { throw reader.malformed(.codeOutOfRange) }
      scopes.append(scope)
    }
    return scopes
  }

  private static func names(
    _ count: Int, _ reader: inout SectionReader, into texts: inout TextTable,
    _ names: inout [Int32]
  ) throws(MalformedCommit) -> [Int32] {
    let isKnown = try reader.indices(count, below: 2)
    let backCount = isKnown.count { $0 == 1 }
    let back = try reader.indices(backCount, below: names.count + count)
    let first = texts.count
    try reader.texts(count - backCount, into: &texts)
    var new = Int32(first)
    var nextBack = 0
    var codes: [Int32] = []
    codes.reserveCapacity(count)
    for flag in isKnown {
      if flag == 0 {
        names.append(new)
        codes.append(new)
        new += 1
        continue
      }
      let distance = Int(back[nextBack])
      nextBack += 1
      guard distance > 0, distance <= names.count else { throw reader.malformed(.codeOutOfRange) }
      codes.append(names[names.count - distance])
    }
    return codes
  }

  /// Adds the subjects, whose codes are of the texts they were read into.
  package func add(to subjects: inout SubjectTable) {
    for index in 0..<table.count {
      subjects.append(
        ordinal: table.ordinals[index], kind: table.kind[index], name: table.name[index],
        environment: table.environment[index], bundle: table.bundle[index],
        device: table.device[index])
    }
  }
}
