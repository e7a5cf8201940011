#if canImport(CryptoKit)
  internal import CryptoKit
#else
  internal import CSodium
#endif

/// SHA-256 of bytes that come in parts.
package struct RunningDigest {
  #if canImport(CryptoKit)
    private var state = SHA256()
  #else
    private var state = crypto_hash_sha256_state()
  #endif

  /// Of no bytes so far.
  package init() {
    #if !canImport(CryptoKit)
      crypto_hash_sha256_init(&state)
    #endif
  }

  /// Takes the next bytes.
  package mutating func update(_ bytes: [UInt8]) {
    #if canImport(CryptoKit)
      state.update(data: bytes)
    #else
      crypto_hash_sha256_update(&state, bytes, UInt64(bytes.count))
    #endif
  }

  /// The 32 bytes of everything taken.
  package consuming func finish() -> [UInt8] {
    #if canImport(CryptoKit)
      return Array(state.finalize())
    #else
      var digest = [UInt8](repeating: 0, count: 32)
      crypto_hash_sha256_final(&state, &digest)
      return digest
    #endif
  }
}
