package import ActivityCore

/// A batch as the raw sections of a commit, before they are compressed, and what its header says.
package struct EncodedCommit: Equatable {
  package var names: [UInt8]
  package var skeleton: [UInt8]
  package var payload: [UInt8]
  package var summary: CommitSummary
}

/// Batches to sections and back. Every batch that encodes decodes to the same rows; every bytes
/// decode to a well-formed batch or to an error.
package enum CommitCoding {
  /// Encodes a stamped batch, whose handles are its own subjects' ordinals, as the segment's next
  /// commit. When it throws, `ordinals` means what it meant before.
  package static func encode(
    _ batch: EventColumns, ordinals: inout SegmentOrdinals
  ) throws(UnencodableBatch) -> EncodedCommit {
    guard batch.count <= CommitBounds.rowsMax else { throw .tooManyRows(batch.count) }
    let payload = try payload(of: batch)
    let repeated = ordinals.repeated
    let assignment = try ordinals.assign(batch)
    do {
      var encoding = SkeletonEncoding(
        batch, ordinals: assignment.ordinals, ordinals.encodings)
      let skeleton = try encoding.bytes()
      ordinals.commit(assignment)
      return EncodedCommit(
        names: SubjectBlock.section(
          introduced: assignment.introduced, repeated: repeated, ordinals.encodings),
        skeleton: skeleton, payload: payload,
        summary: CommitSummary(batch, subjectKinds: assignment.kinds))
    } catch {
      ordinals.refuse(assignment)
      throw error
    }
  }

  private static func payload(of batch: EventColumns) throws(UnencodableBatch) -> [UInt8] {
    guard case .lines(let payload) = batch.payload else { throw .payloadMissing }
    guard payload.count <= CommitBounds.payloadBytesMax else {
      throw .payloadTooLarge(bytes: payload.count)
    }
    let lines = payload.count { $0 == UInt8(ascii: "\n") }
    guard lines == batch.count, payload.isEmpty || payload.last == UInt8(ascii: "\n") else {
      throw .payloadLines(lines, rows: batch.count)
    }
    return payload
  }

  /// Reads a raw names section; no bytes are no names.
  ///
  /// - Parameter introducedOnly: Whether what the commit before introduced is left unread.
  package static func decodeNames(
    _ bytes: [UInt8], introducedOnly: Bool = false
  ) throws(MalformedCommit) -> CommitNames {
    try CommitNames(reading: bytes, introducedOnly: introducedOnly)
  }

  /// What a decoded batch brings besides its skeleton.
  package struct Context {
    package var firstSeq: Int64
    /// Which numbering of subjects the segment has.
    package var space: Int
    /// nil when the section is lost or nobody needs names.
    package var names: CommitNames?
    /// Whether `subjects` has the repeated ones too: after a commit whose names are lost.
    package var withRepeated = false
    package var payload = EventColumns.Payload.notRead
    /// Columns of other members are left empty, as if no row had them.
    package var wanted = MemberSelection.all

    package init(
      firstSeq: Int64, space: Int, names: CommitNames? = nil, withRepeated: Bool = false,
      payload: EventColumns.Payload = .notRead, wanted: MemberSelection = .all
    ) {
      self.firstSeq = firstSeq
      self.space = space
      self.names = names
      self.withRepeated = withRepeated
      self.payload = payload
      self.wanted = wanted
    }
  }

  /// Reads a raw skeleton of `count` rows, a number from the commit's header. Handles in the result
  /// are segment ordinals below `CommitBounds.ordinalsMax`, with or without a name.
  package static func decode(
    skeleton: [UInt8], count: Int, _ context: Context
  ) throws(MalformedCommit) -> EventColumns {
    var batch = EventColumns()
    if let names = context.names {
      batch.texts = names.texts
      batch.subjects = context.withRepeated ? names.subjects : names.introducedSubjects
    }
    var decoding = SkeletonDecoding(
      skeleton, count: count, wanted: context.wanted, into: batch)
    try decoding.run()
    batch = decoding.batch
    batch.firstSeq = context.firstSeq
    batch.space = context.space
    batch.payload = context.payload
    return batch
  }
}
