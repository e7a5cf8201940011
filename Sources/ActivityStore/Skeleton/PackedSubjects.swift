package import ActivityCore

/// What a block of subjects has under packed encodings instead of plain scopes and names.
///
/// Most subjects of a block have the one scope without a device, or bring a scope of their own, or
/// follow closely behind the one that brought theirs; and most names come twice, with a device and
/// without. So scopes are told by how far back they came, and a name that stands before in the
/// block is told by its distance instead of its 16 bytes.
package enum PackedSubjects {
  // MARK: Writing

  /// Varint commonest scope, then numbers: 0 for that one, 1 for a new one, else 1 and how far
  /// back.
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

  /// Numbers: 1 for each name that came before, else 0; how many new names back each of those came;
  /// then the new names as texts.
  package static func write(
    names: [Int32], of texts: TextTable, to writer: inout SectionWriter
  ) throws(UnencodableBatch) {
    // By code: place among the new names + 1, 0 for none yet.
    var places = [Int32](repeating: 0, count: texts.count)
    var isKnown: [Int64] = []
    var back: [Int64] = []
    var new: [Int32] = []
    isKnown.reserveCapacity(names.count)
    for name in names {
      let place = Int(places[Int(name)])
      isKnown.append(place == 0 ? 0 : 1)
      if place == 0 {
        new.append(name)
        places[Int(name)] = Int32(truncatingIfNeeded: new.count)
      } else {
        back.append(Int64(new.count - place))
      }
    }
    writer.integers(isKnown, .packed)
    writer.integers(back, .packed)
    try writer.texts(new, of: texts, .packed)
  }

  // MARK: Reading

  /// The scope of each of `count` subjects, one of `limit`.
  package static func scopes(
    _ count: Int, of limit: Int, _ reader: inout SectionReader
  ) throws(MalformedCommit) -> [Int64] {
    guard limit > 0 else { throw reader.malformed(.codeOutOfRange) }
    let common = Int64(try reader.count(limit: limit - 1))
    let codes = try reader.indices(count, below: limit + 2)
    var next: Int64 = 0
    var scopes: [Int64] = []
    scopes.reserveCapacity(count)
    for code in codes {
      if next == common { next += 1 }
      let scope = code == 0 ? common : next - code + 1
      if code == 1 { next += 1 }
      guard scope >= 0, scope < Int64(limit) else { throw reader.malformed(.codeOutOfRange) }
      scopes.append(scope)
    }
    return scopes
  }

  /// The names of `count` subjects, as codes of the texts they are read into.
  package static func names(
    _ count: Int, _ reader: inout SectionReader, into texts: inout TextTable
  ) throws(MalformedCommit) -> [Int32] {
    let isKnown = try reader.indices(count, below: 2)
    let backCount = isKnown.count { $0 == 1 }
    let back = try reader.indices(backCount, below: count)
    let first = texts.count
    try reader.texts(count - backCount, into: &texts)
    var new = first
    var nextBack = 0
    var codes: [Int32] = []
    codes.reserveCapacity(count)
    for flag in isKnown {
      if flag == 0 {
        codes.append(Int32(new))
        new += 1
        continue
      }
      let distance = Int(back[nextBack]) + 1
      nextBack += 1
      guard distance <= new - first else { throw reader.malformed(.codeOutOfRange) }
      codes.append(Int32(new - distance))
    }
    return codes
  }
}
