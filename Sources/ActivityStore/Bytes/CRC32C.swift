internal import CActivityLog

/// CRC-32C (Castagnoli), by the processor's instruction where there is one.
package enum CRC32C {
  /// The checksum of a range of bytes, continued from `seed`.
  ///
  /// The C function wants an address; the pointer does not outlive the closure.
  package static func of(
    _ bytes: [UInt8], _ range: Range<Int>, seed: UInt32 = 0
  ) -> UInt32 {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= bytes.count, "The range lies in the bytes.")
    return bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else { return al_crc32c(seed, nil, 0) }
      return al_crc32c(seed, start + range.lowerBound, range.count)
    }
  }

  package static func of(_ bytes: [UInt8], seed: UInt32 = 0) -> UInt32 {
    of(bytes, 0..<bytes.count, seed: seed)
  }

  package static func of(_ bytes: ArraySlice<UInt8>, seed: UInt32 = 0) -> UInt32 {
    bytes.withUnsafeBytes { al_crc32c(seed, $0.baseAddress, $0.count) }
  }
}
