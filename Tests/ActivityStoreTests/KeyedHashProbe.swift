import ActivityStore

/// The keyed hash as the reference implementation prints it: 16 bytes, low half first.
enum KeyedHashProbe {
  static func hex(_ bytes: [UInt8], _ key: LogID) -> String {
    let hash = KeyedHash(ArraySlice(bytes), key: key)
    return [hash.low, hash.high].map { word in
      (0..<8).map { index in
        let byte = UInt8(truncatingIfNeeded: word >> (8 * UInt64(index)))
        return (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }.joined()
    }.joined()
  }
}
