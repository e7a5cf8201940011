internal import ActivityCore
internal import ActivityStore

/// The rows of a batch whose content is lost to damage, with everything they need by themselves: no
/// line spells them, but the fold goes on over their columns.
struct BareRows {
  /// Without subjects and without what inventories list.
  private var batch: EventColumns
  /// By ordinal, every subject that rows name, as codes of the batch's texts; nil for one whose
  /// name is lost.
  private var subjects: [Int32: Subject?] = [:]
  private var listed: [Int: [EventColumns.InventoryEntry]] = [:]
  /// Rows of whom every name survives.
  private(set) var named: [Int] = []

  private struct Subject {
    var kind: HandleKind
    var name: Int32
    var environment: Int32
    var bundle: Int32
    var device: Int32
  }

  /// - Parameter names: who the batch's ordinals stand for.
  init(_ batch: EventColumns, names: SubjectDirectory) {
    self.batch = batch
    self.batch.subjects = SubjectTable()
    self.batch.inventory = []
    self.batch.statedSeq = []
    for entry in batch.inventory { listed[Int(entry.row), default: []].append(entry) }
    for row in 0..<batch.count {
      var isNamed = true
      for ordinal in ordinals(of: row) where !learn(ordinal, names) { isNamed = false }
      if isNamed { named.append(row) }
    }
  }

  /// Some of its rows as a batch that numbers its subjects by itself.
  func batch(of rows: [Int], firstSeq: Int64) -> EventColumns {
    var part = batch.selecting(rows)
    part.firstSeq = firstSeq
    var numbers: [Int32: Int32] = [:]
    for ordinal in rows.flatMap(ordinals) where numbers[ordinal] == nil {
      guard case let subject?? = subjects[ordinal] else { continue }
      let number = Int32(numbers.count)
      numbers[ordinal] = number
      part.subjects.append(
        ordinal: number, kind: subject.kind, name: subject.name, environment: subject.environment,
        bundle: subject.bundle, device: subject.device)
    }
    part.subject = part.subject.map { numbers[$0] ?? $0 }
    for member in Member.allCases where member.storage == .handle && !part[member].isEmpty {
      let column = part[member].map { value in
        Int32(exactly: value).flatMap { numbers[$0] }.map { Int64($0) } ?? value
      }
      part.setColumn(member, column)
    }
    for (place, row) in rows.enumerated() {
      for entry in listed[row] ?? [] {
        let subject = numbers[entry.subject] ?? entry.subject
        part.inventory.append(
          EventColumns.InventoryEntry(row: Int32(place), subject: subject, state: entry.state))
      }
    }
    return part
  }

  private func ordinals(of row: Int) -> [Int32] {
    var ordinals = [batch.subject[row]]
    for member in Member.allCases where member.storage == .handle {
      if let value = batch.value(member, row) { ordinals.append(Int32(truncatingIfNeeded: value)) }
    }
    return ordinals + (listed[row] ?? []).map(\.subject)
  }

  /// Whether somebody is known to have an ordinal.
  private mutating func learn(_ ordinal: Int32, _ names: SubjectDirectory) -> Bool {
    if let known = subjects[ordinal] { return known != nil }
    guard let subject = names[ordinal] else {
      subjects.updateValue(nil, forKey: ordinal)
      return false
    }
    subjects[ordinal] = Subject(
      kind: subject.kind, name: code(subject.name), environment: code(subject.environment),
      bundle: code(subject.bundle), device: code(subject.device))
    return true
  }

  private mutating func code(_ text: String?) -> Int32 {
    text.map { Int32(batch.texts.intern($0)) } ?? -1
  }
}
