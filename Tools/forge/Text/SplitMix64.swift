/// The generator of Steele, Lea and Flood: one add and one mix a number, the same everywhere.
struct SplitMix64 {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mix(state)
  }

  /// A number in 0..<bound; the bias is below bound / 2^64.
  mutating func below(_ bound: Int64) -> Int64 {
    Int64(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  mutating func within(_ range: Range<Int64>) -> Int64 {
    range.lowerBound + below(range.upperBound - range.lowerBound)
  }

  mutating func chance(_ perMille: Int64) -> Bool { below(1000) < perMille }

  static func mix(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
