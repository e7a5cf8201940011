internal import ActivityCore

/// Every subject of one segment under its ordinal, each text kept once.
struct SubjectCatalogue {
  /// A subject as codes of the catalogue's texts, −1 for absent.
  struct Entry: Equatable {
    var kind: HandleKind
    var name: Int32
    var environment: Int32
    var bundle: Int32
    var device: Int32
  }

  private(set) var texts = TextTable()
  private var entries: [Entry?] = []

  /// One more than the largest ordinal that has a subject.
  var end: Int32 { Int32(entries.count) }

  subscript(ordinal: Int32) -> Entry? {
    entries.indices.contains(Int(ordinal)) ? entries[Int(ordinal)] : nil
  }

  /// Takes what a batch brings.
  mutating func take(_ batch: EventColumns) {
    let subjects = batch.subjects
    for index in 0..<subjects.count {
      let entry = entry(of: index, in: subjects, batch.texts)
      let ordinal = Int(subjects.ordinals[index])
      while entries.count <= ordinal { entries.append(nil) }
      entries[ordinal] = entry
    }
  }

  /// Subjects as a batch brings them, their texts among the batch's own; nil where one is unknown.
  func table(of ordinals: [Int32], texts own: inout TextTable) -> SubjectTable? {
    var codes: [Int32: Int32] = [:]
    func code(_ code: Int32) -> Int32 {
      guard code >= 0 else { return -1 }
      if let known = codes[code] { return known }
      let new = Int32(own.intern(from: texts, Int(code)))
      codes[code] = new
      return new
    }
    var table = SubjectTable()
    for ordinal in ordinals {
      guard let entry = self[ordinal] else { return nil }
      table.append(
        ordinal: ordinal, kind: entry.kind, name: code(entry.name),
        environment: code(entry.environment), bundle: code(entry.bundle),
        device: code(entry.device))
    }
    return table
  }

  private mutating func entry(
    of index: Int, in subjects: SubjectTable, _ batch: TextTable
  ) -> Entry {
    func own(_ code: Int32) -> Int32 { code < 0 ? -1 : Int32(texts.intern(from: batch, Int(code))) }
    return Entry(
      kind: subjects.kind[index], name: own(subjects.name[index]),
      environment: own(subjects.environment[index]), bundle: own(subjects.bundle[index]),
      device: own(subjects.device[index]))
  }
}
