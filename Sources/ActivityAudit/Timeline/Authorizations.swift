package import ActivityCore

/// What people allow on their devices, as the latest `authorization` before an instant says.
package struct Authorizations: Sendable {
  private struct Said {
    var at: Timestamp
    var seq: Int64
    var bundle: Entry.Word
    var isDisabled: Bool
    /// Nil when it says nothing of frequent pushes.
    var isFrequent: Bool?
  }

  /// By device, in order.
  private var said: [Entry.Word: [Said]] = [:]

  package init(_ log: AuditLog) {
    log.forEachRow(of: .authorization) { entry in
      let device = log.device(of: entry)
      guard !device.isAbsent else { return }
      let marks = log.content(of: entry)?.marks ?? []
      var isFrequent: Bool?
      if marks.contains(.frequent) { isFrequent = true }
      if marks.contains(.infrequent) { isFrequent = false }
      said[device, default: []].append(
        Said(
          at: entry.at, seq: entry.seq, bundle: log.bundle(of: entry),
          isDisabled: entry.speaksForAll, isFrequent: isFrequent))
    }
  }

  package var isEmpty: Bool { said.isEmpty }

  /// The row that says Live Activities are switched off for an app, when it is the latest at an
  /// instant.
  package func disabled(
    on device: Entry.Word, bundle: Entry.Word, at: Timestamp
  ) -> (at: Timestamp, seq: Int64)? {
    let last = latest(on: device, bundle: bundle, at: at) { _ in true }
    return last.flatMap { $0.isDisabled ? ($0.at, $0.seq) : nil }
  }

  /// The row that says frequent pushes are off, when it is the latest that speaks of them.
  package func infrequent(
    on device: Entry.Word, bundle: Entry.Word, at: Timestamp
  ) -> (at: Timestamp, seq: Int64)? {
    let last = latest(on: device, bundle: bundle, at: at) { $0.isFrequent != nil }
    return last.flatMap { $0.isFrequent == false ? ($0.at, $0.seq) : nil }
  }

  private func latest(
    on device: Entry.Word, bundle: Entry.Word, at: Timestamp, where isMeant: (Said) -> Bool
  ) -> Said? {
    said[device]?.last { row in
      let isOfApp = row.bundle.isAbsent || bundle.isAbsent || row.bundle == bundle
      return row.at <= at && isOfApp && isMeant(row)
    }
  }
}
