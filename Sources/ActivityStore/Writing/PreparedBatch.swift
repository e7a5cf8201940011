package import ActivityCore

/// What a commit needs of a batch that no log decides: made where the batch is made, on another
/// thread, so that the writer has less to do.
package struct PreparedBatch: Sendable {
  /// The payload as it is written; nil where it is not at hand.
  let payload: PackedBlock?
  /// What the commit is to be listed under, in the form that new segments have.
  private let listing: CommitListing

  /// Prepares a batch as it will be appended: whole, under stamps that the writer gives.
  package init(_ batch: EventColumns) {
    if case .lines(let bytes) = batch.payload {
      payload = LZ4.pack(bytes)
    } else {
      payload = nil
    }
    listing = CommitListing(batch, .packed)
  }

  /// What the commit is to be listed under; nil in a form that was not prepared.
  func listing(_ encodings: ColumnEncodings) -> CommitListing? {
    encodings == .packed ? listing : nil
  }
}
