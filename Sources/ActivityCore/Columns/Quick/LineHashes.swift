/// How texts of lines are hashed.
struct LineHashes: Sendable {
  /// Different in each process, so that input cannot choose texts that collide.
  private let seed = LineHashes.processSeed

  private static let processSeed = UInt64(bitPattern: Int64("line-texts".hashValue)) | 1
  private static let odd: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// The hash of a text of 1 to 16 bytes.
  @inline(__always)
  func hash(of word: QuickWord) -> UInt64 {
    LineHashes.fold(
      word.first ^ seed, word.last ^ LineHashes.odd ^ UInt64(truncatingIfNeeded: word.length))
  }

  /// The hash of a text of more than 16 bytes.
  @inline(__always)
  func hash(ofLong base: UnsafeRawPointer, _ length: Int) -> UInt64 {
    var hash = seed ^ UInt64(truncatingIfNeeded: length)
    var place = 0
    while place &+ 16 < length {
      hash = LineHashes.fold(
        hash ^ base.loadUnaligned(fromByteOffset: place, as: UInt64.self),
        seed ^ base.loadUnaligned(fromByteOffset: place &+ 8, as: UInt64.self))
      place &+= 16
    }
    return LineHashes.fold(
      hash ^ base.loadUnaligned(fromByteOffset: length &- 16, as: UInt64.self),
      LineHashes.odd ^ base.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self))
  }

  @inline(__always)
  private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }
}
