internal import ActivityCore

/// The 32-bit hashes under which a subject index lists commits.
///
/// CRC-32C of one byte and the name: 0 to 4 for a handle's kind, 16 for an apns-id, 17 for a
/// device. A row is listed under each handle on it and each it lists; a row without handle under
/// its apns-id, else its device.
package enum SubjectHash {
  package static let apnsID: UInt8 = 16
  package static let device: UInt8 = 17

  package static func of(_ kind: UInt8, _ name: ArraySlice<UInt8>) -> UInt32 {
    CRC32C.of(name, seed: CRC32C.of([kind]))
  }
}

/// Hashes of a numbering's subjects, gathered commit by commit.
struct SubjectHashes {
  private var byOrdinal: [Entry] = []

  private enum Entry {
    case unknown
    case handle(UInt32)
    case device(UInt32)
    case app
  }

  mutating func add(_ subjects: SubjectTable, _ texts: TextTable) {
    for index in 0..<subjects.count {
      let ordinal = Int(subjects.ordinals[index])
      while byOrdinal.count <= ordinal { byOrdinal.append(.unknown) }
      let kind = subjects.kind[index]
      let code = Int(kind == .app ? subjects.device[index] : subjects.name[index])
      guard code >= 0 else {
        byOrdinal[ordinal] = kind == .app ? .app : .unknown
        continue
      }
      byOrdinal[ordinal] =
        kind == .app
        ? .device(SubjectHash.of(SubjectHash.device, texts[code]))
        : .handle(SubjectHash.of(kind.rawValue, texts[code]))
    }
  }

  /// What a batch is to be listed under; some may come twice.
  func hashes(of batch: EventColumns) -> [UInt32] {
    var found: [UInt32] = []
    var hasApps = false
    for ordinal in batch.usedOrdinals() where Int(ordinal) < byOrdinal.count {
      switch byOrdinal[Int(ordinal)] {
      case .handle(let hash): found.append(hash)
      case .app, .device: hasApps = true
      case .unknown: continue
      }
    }
    if hasApps { found += appHashes(of: batch) }
    return found
  }

  /// Rows without handle: by apns-id, else by device.
  private func appHashes(of batch: EventColumns) -> Set<UInt32> {
    let ids = batch[.apnsID]
    var found: Set<UInt32> = []
    for row in 0..<batch.count where Int(batch.subject[row]) < byOrdinal.count {
      var device: UInt32?
      switch byOrdinal[Int(batch.subject[row])] {
      case .handle, .unknown: continue
      case .device(let hash): device = hash
      case .app: device = nil
      }
      if !ids.isEmpty, ids[row] != EventColumns.absent {
        found.insert(SubjectHash.of(SubjectHash.apnsID, batch.texts[Int(ids[row])]))
      } else if let device {
        found.insert(device)
      }
    }
    return found
  }
}

/// A subject index in the making: pairs in one flat list, sorted once at the seal.
struct SubjectIndexBuilder {
  private var pairs: [UInt64] = []

  mutating func add(_ hashes: [UInt32], commit number: Int) {
    for hash in hashes { pairs.append(UInt64(hash) << 32 | UInt64(number)) }
  }

  /// The index of a segment with these encodings.
  func index(_ encodings: ColumnEncodings) -> SubjectIndex {
    SubjectIndex(pairs: pairs.sorted(), encodings)
  }
}
