/// SipHash-2-4 with 128 bits of output: the hash of an `id`, keyed by the log, so that nobody who
/// chooses ids can choose collisions in somebody else's log.
package struct KeyedHash: Hashable, Sendable {
  package let high: UInt64
  package let low: UInt64

  package init(_ bytes: ArraySlice<UInt8>, key: LogID) {
    var state = State(key)
    var word: UInt64 = 0
    var filled: UInt64 = 0
    for byte in bytes {
      word |= UInt64(byte) << (8 * filled)
      filled += 1
      guard filled == 8 else { continue }
      state.absorb(word)
      word = 0
      filled = 0
    }
    state.absorb(word | UInt64(truncatingIfNeeded: bytes.count) << 56)
    state.v2 ^= 0xEE
    low = state.squeeze()
    state.v1 ^= 0xDD
    high = state.squeeze()
  }

  private struct State {
    var v0: UInt64
    var v1: UInt64
    var v2: UInt64
    var v3: UInt64

    init(_ key: LogID) {
      v0 = key.low ^ 0x736F_6D65_7073_6575
      v1 = key.high ^ 0x646F_7261_6E64_6F6D ^ 0xEE
      v2 = key.low ^ 0x6C79_6765_6E65_7261
      v3 = key.high ^ 0x7465_6462_7974_6573
    }

    mutating func absorb(_ word: UInt64) {
      v3 ^= word
      round()
      round()
      v0 ^= word
    }

    mutating func squeeze() -> UInt64 {
      for _ in 0..<4 { round() }
      return v0 ^ v1 ^ v2 ^ v3
    }

    private mutating func round() {
      v0 &+= v1
      v2 &+= v3
      v1 = State.turn(v1, 13) ^ v0
      v3 = State.turn(v3, 16) ^ v2
      v0 = State.turn(v0, 32)
      v2 &+= v1
      v0 &+= v3
      v1 = State.turn(v1, 17) ^ v2
      v3 = State.turn(v3, 21) ^ v0
      v2 = State.turn(v2, 32)
    }

    private static func turn(_ value: UInt64, _ bits: UInt64) -> UInt64 {
      value << bits | value >> (64 - bits)
    }
  }
}
