extension EventColumns {
  /// Some consecutive rows as a batch of their own, without content, that brings every subject and
  /// text they need and no other.
  ///
  /// - Parameter subject: who an ordinal stands for; nil for one whose name is lost.
  package func rows(
    _ range: Range<Int>, subject named: (Int32) -> SubjectDirectory.Subject?
  ) -> EventColumns {
    var picked = EventColumns()
    picked.firstSeq = firstSeq + Int64(range.lowerBound)
    picked.space = space
    picked.payload = .notRead
    picked.setRows(
      kind: Array(kind[range]), flags: Array(flags[range]), subject: Array(subject[range]),
      at: Array(at[range]), recordedAt: Array(recordedAt[range]))
    var ordinals = Set(subject[range])
    for member in Member.allCases where !self[member].isEmpty {
      var values = Array(self[member][range])
      guard values.contains(where: { $0 != EventColumns.absent }) else { continue }
      for index in values.indices where values[index] != EventColumns.absent {
        switch member.storage {
        case .word, .text: values[index] = Int64(picked.texts.intern(texts[Int(values[index])]))
        case .handle: ordinals.insert(Int32(truncatingIfNeeded: values[index]))
        case .seconds, .whole, .flag, .size: break
        }
      }
      picked.setColumn(member, values)
    }
    for entry in inventory where range.contains(Int(entry.row)) {
      ordinals.insert(entry.subject)
      picked.inventory.append(
        InventoryEntry(
          row: entry.row - Int32(range.lowerBound), subject: entry.subject,
          state: entry.state < 0 ? -1 : Int32(picked.texts.intern(texts[Int(entry.state)]))))
    }
    for ordinal in ordinals.sorted() {
      if let subject = named(ordinal) { picked.bring(subject, as: ordinal) }
    }
    return picked
  }

  private mutating func bring(_ subject: SubjectDirectory.Subject, as ordinal: Int32) {
    func code(_ text: String?) -> Int32 { text.map { Int32(texts.intern($0)) } ?? -1 }
    subjects.append(
      ordinal: ordinal, kind: subject.kind, name: code(subject.name),
      environment: code(subject.environment), bundle: code(subject.bundle),
      device: code(subject.device))
  }
}
