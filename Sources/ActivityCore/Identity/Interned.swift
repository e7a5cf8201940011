/// A small value that can be looked up by a hash of its own.
package protocol Mixable: Equatable, Sendable {
  /// A number that equal values share under one seed.
  func mixed(_ seed: UInt64) -> UInt64
}

/// A multiply-and-fold hash over words. Its seed differs from process to process, so that input
/// cannot choose collisions; no order of hashes ever reaches output.
package struct Mix {
  package static let seed = UInt64(bitPattern: Int64("activity-rows".hashValue)) | 1

  private(set) var value: UInt64

  init(_ seed: UInt64) { value = seed }

  @inline(__always) mutating func take(_ word: UInt64) {
    let product = (value ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    value = product.high ^ product.low
  }

  @inline(__always) mutating func take(_ one: Int32, _ other: Int32) {
    take(UInt64(UInt32(bitPattern: one)) << 32 | UInt64(UInt32(bitPattern: other)))
  }
}

/// Values behind small indexes; index 0 is the empty value.
package struct Interned<Value: Mixable>: Sendable {
  package private(set) var values: [Value]
  /// Open addressing over indexes + 1; 0 is free. Its count is a power of two.
  private var slots: [Int32]
  private var last: Int32 = 0
  private let seed = Mix.seed

  package init(empty: Value) {
    values = []
    slots = [Int32](repeating: 0, count: 16)
    _ = add(empty)
  }

  package mutating func index(of value: Value) -> Int32 {
    if values[Int(last)] == value { return last }
    if values[0] == value { return 0 }
    last = find(value) ?? add(value)
    return last
  }

  private func find(_ value: Value) -> Int32? {
    var slot = Int(truncatingIfNeeded: value.mixed(seed)) & (slots.count - 1)
    while slots[slot] != 0 {
      let index = slots[slot] - 1
      if values[Int(index)] == value { return index }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  private mutating func add(_ value: Value) -> Int32 {
    values.append(value)
    if values.count * 2 > slots.count {
      slots = [Int32](repeating: 0, count: slots.count * 2)
      for index in values.indices { place(Int32(index)) }
    } else {
      place(Int32(values.count - 1))
    }
    return Int32(values.count - 1)
  }

  private mutating func place(_ index: Int32) {
    var slot = Int(truncatingIfNeeded: values[Int(index)].mixed(seed)) & (slots.count - 1)
    while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = index + 1
  }

  @inlinable package subscript(index: Int32) -> Value { values[Int(index)] }
}
