internal import ActivityCore

/// Who the ordinals of one segment stand for, and the ordinals of a handle.
struct SegmentNames: Sendable {
  private var tables: [CommitNames] = []
  /// By table: a hash of each introduced subject's name, 0 for one without. Looking for a name is a
  /// run over numbers.
  private var hashes: [[UInt64]] = []
  /// By ordinal: its table and place there, −1 for one whose name was not read.
  private var places: [(table: Int32, index: Int32)] = []

  /// How many commits' names were taken, from the segment's first on.
  var commits: Int { tables.count }

  /// Takes the subjects that the next commit introduces.
  mutating func add(_ names: CommitNames) {
    let table = Int32(tables.count)
    var own: [UInt64] = []
    own.reserveCapacity(names.introducedCount)
    for index in 0..<names.introducedCount {
      let ordinal = Int(names.subjects.ordinals[index])
      while places.count <= ordinal { places.append((-1, -1)) }
      places[ordinal] = (table, Int32(index))
      let name = Int(names.subjects.name[index])
      own.append(name < 0 ? 0 : names.texts.hash(name))
    }
    tables.append(names)
    hashes.append(own)
  }

  /// Every ordinal of a handle: one for each scope it was recorded in.
  func ordinals(of handle: LogHandle) -> [Int32] {
    guard let (kind, name) = handle.named else { return [] }
    var wanted = TextTable()
    let code = wanted.intern(name)
    let hash = wanted.hash(code)
    var found: [Int32] = []
    for (names, own) in zip(tables, hashes) {
      for index in own.indices where own[index] == hash {
        let candidate = Int(names.subjects.name[index])
        if names.subjects.kind[index] == kind, candidate >= 0,
          names.texts.isEqual(candidate, wanted, code)
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

  /// Subjects that have a name and are meant, given what they are and their device.
  func subjects(
    where isMeant: (HandleKind, _ name: String, _ device: String?) -> Bool
  ) -> [SubjectDirectory.Subject] {
    var found: [SubjectDirectory.Subject] = []
    for names in tables {
      // Neighbours are often of one device.
      var device: (code: Int32, text: String?) = (-1, nil)
      for index in 0..<names.introducedCount where names.subjects.name[index] >= 0 {
        if names.subjects.device[index] != device.code {
          device.code = names.subjects.device[index]
          device.text = device.code < 0 ? nil : names.texts.string(Int(device.code))
        }
        let name = names.texts.string(Int(names.subjects.name[index]))
        guard isMeant(names.subjects.kind[index], name, device.text),
          let subject = self[names.subjects.ordinals[index]]
        else { continue }
        found.append(subject)
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
