/// What suppressions and baselines hang on: 16 hex digits of FNV-1a/64, the same in every process.
///
/// Made of the rule and of what the finding is about, never of a `seq`, so that importing the same
/// lines again, or in another order, gives the same digits.
package enum Fingerprint {
  /// The digits of a rule and the parts that say what it is about.
  package static func of(_ rule: String, _ parts: [String]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for part in [rule] + parts {
      for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      // A byte that is in no UTF-8 text keeps ["a", "b"] and ["ab"] apart.
      hash = (hash ^ 0xFF) &* 0x100_0000_01B3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
