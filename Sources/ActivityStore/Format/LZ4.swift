#if canImport(Compression)
  internal import Compression
#else
  internal import CLZ4
#endif

/// How a section's bytes are kept; the number is its codec byte on disk.
package enum BlockCodec: UInt8, Sendable {
  case stored = 0
  case lz4 = 1
}

/// A section as it is written.
package struct PackedBlock: Sendable, Equatable {
  package var codec: BlockCodec
  package var bytes: [UInt8]
}

/// Raw LZ4 blocks, by liblz4 or by Apple's Compression: each reads what the other wrote.
package enum LZ4 {
  /// The block, or the bytes themselves where compression gains nothing.
  ///
  /// Apple's encoder returns 0 for "no room" and writes more than it reads at worst, hence the
  /// room; both libraries want addresses, and no pointer outlives its closure. Apple's has one
  /// level.
  package static func pack(
    _ raw: [UInt8], level: CommitEncoding.Level = .fast
  ) -> PackedBlock {
    guard !raw.isEmpty else { return PackedBlock(codec: .stored, bytes: []) }
    let room = raw.count + raw.count / 255 + 256
    let packed = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      count = raw.withUnsafeBytes {
        encode($0, into: UnsafeMutableRawBufferPointer(buffer), level)
      }
    }
    guard !packed.isEmpty, packed.count < raw.count else {
      return PackedBlock(codec: .stored, bytes: raw)
    }
    return PackedBlock(codec: .lz4, bytes: packed)
  }

  /// Exactly `rawLength` bytes from the block in `range`; the caller has checked `rawLength`
  /// against its limit.
  ///
  /// Apple's decoder stops silently when its output is full, so there is room for one byte more,
  /// and a block that uses it is damaged.
  package static func unpack(
    _ bytes: [UInt8], _ range: Range<Int>, codec: BlockCodec, rawLength: Int
  ) throws(Damage) -> [UInt8] {
    switch codec {
    case .stored:
      guard range.count == rawLength else { throw Damage(.length, "a stored section") }
      return [UInt8](bytes[range])
    case .lz4:
      guard range.lowerBound >= 0, range.upperBound <= bytes.count else {
        throw Damage(.truncated)
      }
      let raw = [UInt8](unsafeUninitializedCapacity: rawLength + 1) { buffer, count in
        count = bytes.withUnsafeBytes {
          decode(
            UnsafeRawBufferPointer(rebasing: $0[range]),
            into: UnsafeMutableRawBufferPointer(buffer))
        }
      }
      guard raw.count == rawLength else { throw Damage(.decompression) }
      return raw
    }
  }

  #if canImport(Compression)
    private static func encode(
      _ raw: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer,
      _: CommitEncoding.Level
    ) -> Int {
      guard
        let source = raw.bindMemory(to: UInt8.self).baseAddress,
        let target = room.bindMemory(to: UInt8.self).baseAddress
      else { return 0 }
      return compression_encode_buffer(
        target, room.count, source, raw.count, nil, COMPRESSION_LZ4_RAW)
    }

    private static func decode(
      _ block: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
    ) -> Int {
      guard
        let source = block.bindMemory(to: UInt8.self).baseAddress,
        let target = room.bindMemory(to: UInt8.self).baseAddress
      else { return 0 }
      return compression_decode_buffer(
        target, room.count, source, block.count, nil, COMPRESSION_LZ4_RAW)
    }
  #else
    private static func encode(
      _ raw: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer,
      _ level: CommitEncoding.Level
    ) -> Int {
      let source = raw.bindMemory(to: CChar.self).baseAddress
      let target = room.bindMemory(to: CChar.self).baseAddress
      let (length, limit) = (Int32(raw.count), Int32(room.count))
      let written =
        switch level {
        case .fast: LZ4_compress_default(source, target, length, limit)
        case .high: LZ4_compress_HC(source, target, length, limit, LZ4HC_CLEVEL_MAX)
        }
      return Int(max(0, written))
    }

    private static func decode(
      _ block: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
    ) -> Int {
      Int(
        max(
          0,
          LZ4_decompress_safe(
            block.bindMemory(to: CChar.self).baseAddress,
            room.bindMemory(to: CChar.self).baseAddress, Int32(block.count), Int32(room.count))))
    }
  #endif
}
