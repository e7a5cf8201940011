internal import ActivityCore

/// The 32-bit hashes under which a subject index lists commits.
///
/// CRC-32C of one byte and the name: 0 to 4 for a handle's kind, 16 for an apns-id, 17 for a
/// device. A row is listed under each handle on it and each it lists; a row without handle under
/// its apns-id, else its device. Where push filters list the apns-ids, such a row is listed under
/// its device only, an inventory and an authorization always are, and no device is an empty name.
package enum SubjectHash {
  package static let apnsID: UInt8 = 16
  package static let device: UInt8 = 17

  package static func of(_ kind: UInt8, _ name: ArraySlice<UInt8>) -> UInt32 {
    CRC32C.of(name, seed: CRC32C.of([kind]))
  }
}

/// Hashes of a numbering's subjects, gathered commit by commit.
struct SubjectHashes {
  /// Whether push filters list the apns-ids.
  fileprivate let listsPushes: Bool
  private var byOrdinal: [Entry] = []
  /// By ordinal: the hash of its device, or of none.
  private var devices: [UInt32] = []

  private enum Entry {
    case unknown
    case handle(UInt32)
    case device(UInt32)
    case app
  }

  init(_ encodings: ColumnEncodings) {
    listsPushes = encodings == .packed
  }

  private static let noDevice = SubjectHash.of(SubjectHash.device, [])

  mutating func add(_ subjects: SubjectTable, _ texts: TextTable) {
    // Neighbours are often of one device.
    var last: (code: Int32, hash: UInt32) = (-1, Self.noDevice)
    for index in 0..<subjects.count {
      let ordinal = Int(subjects.ordinals[index])
      while byOrdinal.count <= ordinal {
        byOrdinal.append(.unknown)
        devices.append(Self.noDevice)
      }
      let device = subjects.device[index]
      if device != last.code {
        let hash =
          device < 0 ? Self.noDevice : SubjectHash.of(SubjectHash.device, texts[Int(device)])
        last = (device, hash)
      }
      devices[ordinal] = last.hash
      let kind = subjects.kind[index]
      let name = Int(subjects.name[index])
      if kind == .app {
        byOrdinal[ordinal] = device < 0 ? .app : .device(last.hash)
      } else {
        byOrdinal[ordinal] =
          name < 0 ? .unknown : .handle(SubjectHash.of(kind.rawValue, texts[name]))
      }
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
    if listsPushes {
      found += deviceHashes(of: batch)
    } else if hasApps {
      found += appHashes(of: batch)
    }
    return found
  }

  /// Inventories, authorizations, and rows with neither handle nor apns-id: by device.
  private func deviceHashes(of batch: EventColumns) -> Set<UInt32> {
    let ids = batch[.apnsID]
    var found: Set<UInt32> = []
    for row in 0..<batch.count {
      let ordinal = Int(batch.subject[row])
      guard ordinal >= 0, ordinal < byOrdinal.count else { continue }
      if batch.kind[row] == .inventory || batch.kind[row] == .authorization {
        found.insert(devices[ordinal])
        continue
      }
      switch byOrdinal[ordinal] {
      case .handle, .unknown: continue
      case .app, .device:
        if ids.isEmpty || ids[row] == EventColumns.absent { found.insert(devices[ordinal]) }
      }
    }
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

/// What one commit is to be listed under.
struct CommitListing: Sendable {
  fileprivate let hashes: [UInt32]
  /// Over its apns-ids; only where push filters list those.
  fileprivate let filter: [UInt8]

  /// Lists rows of a numbering whose subjects are known.
  init(_ batch: EventColumns, _ subjects: SubjectHashes) {
    hashes = subjects.hashes(of: batch)
    filter = subjects.listsPushes ? PushFilters.filter(of: batch) : []
  }

  /// Lists a commit whose subjects are all its own.
  init(_ batch: EventColumns, _ encodings: ColumnEncodings) {
    var own = SubjectHashes(encodings)
    own.add(batch.subjects, batch.texts)
    self.init(batch, own)
  }
}

/// A subject index in the making: pairs in one flat list, sorted once at the seal.
struct SubjectIndexBuilder {
  private var pairs: [UInt64] = []
  /// Only of packed encodings.
  private var filters: PushFilters?

  /// - Parameter encodings: Of the segment; packed ones list apns-ids by filters.
  init(_ encodings: ColumnEncodings) {
    filters = encodings == .packed ? PushFilters() : nil
  }

  /// Lists a commit, in the same encodings; numbers ascend.
  mutating func add(_ listing: CommitListing, commit number: Int) {
    for hash in listing.hashes { pairs.append(UInt64(hash) << 32 | UInt64(number)) }
    filters?.add(listing.filter, commit: number)
  }

  var index: SubjectIndex { SubjectIndex(pairs: pairs.sorted(), packedWith: filters) }
}
