package import ActivityCore

extension EventColumns {
  /// The same batch with only these rows, in this order; subjects no row uses are left out.
  package func selecting(_ rows: [Int]) -> EventColumns {
    guard rows != Array(0..<count) else { return self }
    var part = EventColumns()
    part.texts = texts
    part.space = space
    part.setRows(
      kind: rows.map { kind[$0] }, flags: rows.map { flags[$0] },
      subject: rows.map { subject[$0] }, at: rows.map { at[$0] },
      recordedAt: rows.map { recordedAt[$0] })
    for member in Member.allCases where !self[member].isEmpty {
      let column = self[member]
      part.setColumn(member, rows.map { column[$0] })
    }
    if !statedSeq.isEmpty { part.statedSeq = rows.map { statedSeq[$0] } }
    part.inventory = inventory(of: rows)
    part.payload = payload(of: rows)
    part.subjects = usedSubjects(by: part)
    return part
  }

  private func inventory(of rows: [Int]) -> [InventoryEntry] {
    guard !inventory.isEmpty else { return [] }
    let entries = Dictionary(grouping: inventory, by: { Int($0.row) })
    return rows.enumerated().flatMap { place, row in
      entries[row, default: []].map {
        InventoryEntry(row: Int32(place), subject: $0.subject, state: $0.state)
      }
    }
  }

  private func payload(of rows: [Int]) -> Payload {
    guard case .lines(let bytes) = payload else { return payload }
    let lines = PayloadLines(self)
    var kept: [UInt8] = []
    for row in rows {
      if let range = lines[row] { kept += bytes[range] }
      kept.append(0x0A)
    }
    return .lines(kept)
  }

  private func usedSubjects(by part: EventColumns) -> SubjectTable {
    let used = Set(part.usedOrdinals())
    var table = SubjectTable()
    for index in 0..<subjects.count where used.contains(subjects.ordinals[index]) {
      table.append(
        ordinal: subjects.ordinals[index], kind: subjects.kind[index],
        name: subjects.name[index], environment: subjects.environment[index],
        bundle: subjects.bundle[index], device: subjects.device[index])
    }
    return table
  }

  /// Every ordinal a row names, ascending, each once: its subject, its other handles, and what it
  /// lists.
  func usedOrdinals() -> [Int32] {
    var all = subject
    for member in Member.allCases where member.storage == .handle {
      for value in self[member] where value != EventColumns.absent {
        all.append(Int32(truncatingIfNeeded: value))
      }
    }
    for entry in inventory { all.append(entry.subject) }
    let most = Int(all.max() ?? -1)
    // Marks are quicker than sorting, unless few rows name large ordinals.
    guard most < 16 * all.count else { return Self.distinct(all.sorted()) }
    var marks = [Bool](repeating: false, count: most + 1)
    for ordinal in all where ordinal >= 0 { marks[Int(ordinal)] = true }
    return marks.indices.filter { marks[$0] }.map { Int32($0) }
  }

  private static func distinct(_ sorted: [Int32]) -> [Int32] {
    var kept: [Int32] = []
    for ordinal in sorted where ordinal >= 0 && ordinal != kept.last { kept.append(ordinal) }
    return kept
  }
}
