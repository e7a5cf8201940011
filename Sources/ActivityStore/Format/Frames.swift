/// The LZ4 frames a segment is made of. Stock tools skip ours and decode the data frames.
package enum Frames {
  /// Magic numbers of skippable frames, 0x184D2A50 to 0x184D2A5F.
  package static let segmentHeader: UInt32 = 0x184D_2A50
  package static let commit: UInt32 = 0x184D_2A51
  package static let footer: UInt32 = 0x184D_2A52
  package static let trailer: UInt32 = 0x184D_2A53
  /// Reserved for a stored checkpoint; nothing writes one.
  package static let checkpoint: UInt32 = 0x184D_2A54

  /// Magic and length in front of a skippable frame's content.
  package static let skippablePrefix = 8

  /// An LZ4 frame's start: magic 0x184D2204, version 1 with independent blocks and no checksums of
  /// its own, blocks of at most 4 MiB, and the check byte of these two.
  package static let dataStart: [UInt8] = [0x04, 0x22, 0x4D, 0x18, 0x60, 0x70, 0x73]
  /// Start, block length and end mark.
  package static let dataOverhead = 15
  /// Start and end mark: a frame without a block, for an empty payload.
  package static let emptyDataLength = 11
  /// Bit of the block length that says the block is stored, not compressed.
  package static let storedBit: UInt32 = 1 << 31

  /// How long a data frame with a block of so many bytes is.
  package static func dataLength(ofBlock stored: Int) -> Int {
    stored == 0 ? emptyDataLength : stored + dataOverhead
  }

  /// The whole data frame for a payload; no block when the payload is empty.
  package static func writeData(_ block: PackedBlock, to writer: inout ByteWriter) {
    writer.raw(dataStart)
    if !block.bytes.isEmpty {
      writer.u32(UInt32(block.bytes.count) | (block.codec == .stored ? storedBit : 0))
      writer.raw(block.bytes)
    }
    writer.u32(0)
  }

  /// The block inside a whole data frame whose length is already known to be right.
  package static func readData(
    _ bytes: [UInt8], _ range: Range<Int>
  ) throws(Damage) -> (codec: BlockCodec, block: Range<Int>) {
    var reader = ByteReader(bytes, range)
    guard try reader.raw(dataStart.count).elementsEqual(dataStart) else {
      throw Damage(.malformed, "the payload's frame does not begin as it should")
    }
    let word = try reader.u32()
    let length = Int(word & ~storedBit)
    if word == 0, reader.isAtEnd { return (.stored, reader.position..<reader.position) }
    guard length + 4 == reader.remaining else {
      throw Damage(.malformed, "the payload's block has another length than its header says")
    }
    let start = reader.position
    return (word & storedBit == 0 ? .lz4 : .stored, start..<(start + length))
  }
}
