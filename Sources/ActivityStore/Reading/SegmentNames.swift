internal import ActivityCore

/// Who the ordinals of one segment stand for, and the ordinals of a handle.
struct SegmentNames: Sendable {
  private var tables: [CommitNames] = []
  /// By table: the hash of each introduced subject that has a name. Looking for one is a run over
  /// numbers, where comparing texts would be a call for each.
  private var hashes: [[UInt32]] = []
  /// By ordinal: its table and place there, −1 for one whose name was not read.
  private var places: [(table: Int32, index: Int32)] = []

  /// How many commits' names were taken, from the segment's first on.
  var commits: Int { tables.count }

  /// Takes the subjects that the next commit introduces.
  mutating func add(_ names: CommitNames) {
    let table = Int32(tables.count)
    var own: [UInt32] = []
    own.reserveCapacity(names.introducedCount)
    for index in 0..<names.introducedCount {
      let ordinal = Int(names.subjects.ordinals[index])
      while places.count <= ordinal { places.append((-1, -1)) }
      places[ordinal] = (table, Int32(index))
      let name = Int(names.subjects.name[index])
      own.append(
        name < 0 ? 0 : SubjectHash.of(names.subjects.kind[index].rawValue, names.texts[name]))
    }
    tables.append(names)
    hashes.append(own)
  }

  /// Every ordinal of a handle: one for each scope it was recorded in.
  func ordinals(of handle: LogHandle) -> [Int32] {
    guard let (kind, name) = handle.named else { return [] }
    let hash = handle.hash
    var found: [Int32] = []
    for (names, own) in zip(tables, hashes) {
      for index in own.indices where own[index] == hash {
        let code = Int(names.subjects.name[index])
        if names.subjects.kind[index] == kind, code >= 0,
          names.texts[code].elementsEqual(name.utf8)
        {
          found.append(names.subjects.ordinals[index])
        }
      }
    }
    return found
  }

  /// Who an ordinal stands for; nil when its name was not read.
  subscript(ordinal: Int32) -> SubjectDirectory.Subject? {
    guard let (names, index) = place(ordinal) else { return nil }
    func text(_ code: Int32) -> String? { code < 0 ? nil : names.texts.string(Int(code)) }
    let subjects = names.subjects
    return SubjectDirectory.Subject(
      kind: subjects.kind[index], name: text(subjects.name[index]),
      environment: text(subjects.environment[index]), bundle: text(subjects.bundle[index]),
      device: text(subjects.device[index]))
  }

  /// What kind of handle an ordinal is; nil when its name was not read.
  func kind(_ ordinal: Int32) -> HandleKind? {
    place(ordinal).map { $0.names.subjects.kind[$0.index] }
  }

  /// Names of activities that begin so in any case, and handles on some device.
  func handles(where isMeant: (SubjectDirectory.Subject) -> Bool) -> [SubjectDirectory.Subject] {
    var found: [SubjectDirectory.Subject] = []
    for names in tables {
      for ordinal in names.subjects.ordinals[..<names.introducedCount] {
        if let subject = self[ordinal], isMeant(subject) { found.append(subject) }
      }
    }
    return found
  }

  private func place(_ ordinal: Int32) -> (names: CommitNames, index: Int)? {
    guard ordinal >= 0, Int(ordinal) < places.count else { return nil }
    let place = places[Int(ordinal)]
    return place.table < 0 ? nil : (tables[Int(place.table)], Int(place.index))
  }
}
