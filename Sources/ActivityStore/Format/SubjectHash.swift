internal import ActivityCore

/// The 32-bit hashes under which a subject index lists commits.
///
/// CRC-32C of one byte and the name: 0 to 4 for a handle's kind, 16 for an apns-id, 17 for a device.
/// A row is listed under each handle on it and each it lists; a row without handle under its
/// apns-id, else its device.
package enum SubjectHash {
  package static let apnsID: UInt8 = 16
  package static let device: UInt8 = 17

  package static func of(_ kind: UInt8, _ name: [UInt8]) -> UInt32 {
    CRC32C.of(name, seed: CRC32C.of([kind]))
  }
}

/// Hashes of a numbering's subjects, gathered commit by commit.
struct SubjectHashes {
  private var byOrdinal: [Int32: Entry] = [:]

  private struct Entry {
    var isApp: Bool
    /// Of the handle; for an app of its device, nil without one.
    var hash: UInt32?
  }

  mutating func add(_ subjects: SubjectTable, _ texts: TextTable) {
    for index in 0..<subjects.count {
      let kind = subjects.kind[index]
      let code = kind == .app ? subjects.device[index] : subjects.name[index]
      let number = kind == .app ? SubjectHash.device : kind.rawValue
      byOrdinal[subjects.ordinals[index]] = Entry(
        isApp: kind == .app,
        hash: code < 0 ? nil : SubjectHash.of(number, [UInt8](texts[Int(code)])))
    }
  }

  /// What a batch is to be listed under, ascending, each once.
  func hashes(of batch: EventColumns) -> [UInt32] {
    var found: Set<UInt32> = []
    for ordinal in batch.usedOrdinals() {
      guard let entry = byOrdinal[ordinal], !entry.isApp, let hash = entry.hash else { continue }
      found.insert(hash)
    }
    let ids = batch[.apnsID]
    for row in 0..<batch.count {
      guard let entry = byOrdinal[batch.subject[row]], entry.isApp else { continue }
      if !ids.isEmpty, ids[row] != EventColumns.absent {
        let id = batch.texts[Int(ids[row])]
        found.insert(SubjectHash.of(SubjectHash.apnsID, [UInt8](id)))
      } else if let hash = entry.hash {
        found.insert(hash)
      }
    }
    return found.sorted()
  }
}

/// A subject index in the making.
struct SubjectIndexBuilder {
  private var commits: [UInt32: [UInt32]] = [:]

  mutating func add(_ hashes: [UInt32], commit number: Int) {
    for hash in hashes { commits[hash, default: []].append(UInt32(number)) }
  }

  var index: SubjectIndex { SubjectIndex(commits) }
}
