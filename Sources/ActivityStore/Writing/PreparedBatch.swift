package import ActivityCore

/// What a commit needs of a batch that no log decides: made where the batch is made, on another
/// thread, so that the writer has less to do.
package struct PreparedBatch: Sendable {
  /// The payload as it is written; nil where it is not at hand.
  let payload: PackedBlock?
  /// What the commit is to be listed under.
  let hashes: [UInt32]

  /// Prepares a batch as it will be appended: whole, under stamps that the writer gives.
  package init(_ batch: EventColumns) {
    if case .lines(let bytes) = batch.payload {
      payload = LZ4.pack(bytes)
    } else {
      payload = nil
    }
    hashes = PreparedBatch.hashes(of: batch)
  }

  static func hashes(of batch: EventColumns) -> [UInt32] {
    var own = SubjectHashes()
    own.add(batch.subjects, batch.texts)
    return own.hashes(of: batch)
  }
}
