package import ActivityCore

/// UUIDs of version 4 without the six bits that say so: 15 bytes and two bits.
///
/// Nearly every id that a library makes is one, and nothing else in it can be saved.
package enum RandomUUID {
  /// Added to the spelling of a UUID, upper or lower case, that is written so.
  package static let spelling: Int64 = 4
  package static let byteCount = 15

  /// Whether a text is one.
  @inline(__always)
  package static func holds(_ text: PackedText) -> Bool {
    (text.spelling == .upperUUID || text.spelling == .lowerUUID)
      && text.high & 0xF000 == 0x4000 && text.low >> 62 == 2
  }

  /// Adds the 15 bytes: 60 bits before the version and the variant, 60 behind; the two bits left
  /// over, those right behind the variant, are returned.
  package static func append(_ text: PackedText, to bytes: inout [UInt8]) -> Int64 {
    let first = (text.high >> 16) << 12 | text.high & 0xFFF
    let second = text.low & (1 << 60 - 1)
    withUnsafeBytes(of: (first << 4 | second >> 56).bigEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: second.bigEndian) {
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[1...]))
    }
    return Int64(text.low >> 60 & 3)
  }

  /// The halves of the UUID whose 15 bytes begin at a place, which the caller has checked.
  @inline(__always)
  package static func halves(
    _ bytes: UnsafeRawBufferPointer, at place: Int, _ rest: Int64
  ) -> (high: UInt64, low: UInt64) {
    let one = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
    let two = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: place + 7, as: UInt64.self))
    let first = one >> 4
    let second = (one & 15) << 56 | two & (1 << 56 - 1)
    return (
      (first >> 12) << 16 | 0x4000 | first & 0xFFF,
      1 << 63 | UInt64(truncatingIfNeeded: rest & 3) << 60 | second
    )
  }
}

extension SectionReader {
  /// So many UUIDs from a place on as 16 bytes each; that their bytes are there has been checked.
  func randomUUIDs(_ rests: [Int64], at start: Int) -> [UInt8] {
    bytes.withUnsafeBytes { source in
      [UInt8](unsafeUninitializedCapacity: rests.count * 16) { target, filled in
        let target = UnsafeMutableRawBufferPointer(target)
        var place = start
        for index in 0..<rests.count {
          let (high, low) = RandomUUID.halves(source, at: place, rests[index])
          target.storeBytes(of: high.bigEndian, toByteOffset: index &* 16, as: UInt64.self)
          target.storeBytes(of: low.bigEndian, toByteOffset: index &* 16 &+ 8, as: UInt64.self)
          place &+= RandomUUID.byteCount
        }
        filled = rests.count &* 16
      }
    }
  }
}
