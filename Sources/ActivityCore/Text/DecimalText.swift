/// Numbers as JSON spells them, read into whole numbers without passing through a Double.
package enum DecimalText {
  /// A number times a power of ten, floored.
  package struct Scaled: Equatable {
    package var value: Int64
    /// False when the floor cut something off.
    package var isExact: Bool
  }

  /// Reads a validated JSON number times ten to `power`.
  ///
  /// - Returns: the floor, or nil when it does not fit in an `Int64`.
  package static func read(_ bytes: UnsafeRawBufferPointer, power: Int) -> Scaled? {
    let isNegative = bytes.first == UInt8(ascii: "-")
    var digitsEnd = bytes.count
    var exponent = 0
    if let mark = bytes.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
      digitsEnd = mark
      exponent = readExponent(bytes[(mark + 1)...])
    }
    let digits = bytes[(isNegative ? 1 : 0)..<digitsEnd]
    let wholeDigits = digits.prefix { $0 != UInt8(ascii: ".") }.count
    // The value is 0.DIGITS times ten to `wanted`: that many digits are whole, the others are cut.
    var wanted = wholeDigits + exponent + power
    var magnitude: UInt64 = 0
    var isExact = true
    for byte in digits where byte != UInt8(ascii: ".") {
      let digit = UInt64(byte &- UInt8(ascii: "0"))
      if wanted > 0 {
        guard let next = shifted(magnitude, adding: digit) else { return nil }
        magnitude = next
      } else if digit != 0 {
        isExact = false
      }
      wanted -= 1
    }
    while wanted > 0, magnitude != 0 {
      guard let next = shifted(magnitude, adding: 0) else { return nil }
      magnitude = next
      wanted -= 1
    }
    guard let value = Int64(exactly: magnitude) else { return nil }
    guard isNegative else { return Scaled(value: value, isExact: isExact) }
    return Scaled(value: isExact ? -value : -value - 1, isExact: isExact)
  }

  private static func shifted(_ magnitude: UInt64, adding digit: UInt64) -> UInt64? {
    let (tenfold, overflow) = magnitude.multipliedReportingOverflow(by: 10)
    let (sum, carry) = tenfold.addingReportingOverflow(digit)
    return overflow || carry ? nil : sum
  }

  /// An exponent, cut at a million either way: beyond it nothing but zero can be spelled.
  private static func readExponent(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
    var exponent = 0
    for byte in bytes where byte >= UInt8(ascii: "0") {
      exponent = min(exponent * 10 + Int(byte &- UInt8(ascii: "0")), 1_000_000_000)
    }
    return bytes.first == UInt8(ascii: "-") ? -exponent : exponent
  }

  /// Adds a whole number in its canonical spelling: digits, no leading zero, no plus.
  package static func append(_ value: Int64, to line: inout [UInt8]) {
    if value < 0 { line.append(UInt8(ascii: "-")) }
    append(value.magnitude, digits: 1, to: &line)
  }

  /// Adds a number with at least so many digits, zeros in front.
  package static func append(_ value: UInt64, digits: Int, to line: inout [UInt8]) {
    let start = line.count
    var rest = value
    while rest > 0 || line.count - start < digits {
      line.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    }
    line[start...].reverse()
  }

  /// Adds microseconds as seconds in their canonical spelling: a whole number when it is one, else
  /// with the fraction's trailing zeros cut.
  package static func appendSeconds(_ microseconds: Int64, to line: inout [UInt8]) {
    if microseconds < 0 { line.append(UInt8(ascii: "-")) }
    let (seconds, fraction) = microseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
    append(seconds, digits: 1, to: &line)
    guard fraction > 0 else { return }
    line.append(UInt8(ascii: "."))
    append(fraction, digits: 6, to: &line)
    while line.last == UInt8(ascii: "0") { line.removeLast() }
  }

  /// Whether a validated number is spelled as `appendSeconds` or `append` would spell its value.
  package static func isCanonical(
    _ bytes: UnsafeRawBufferPointer, seconds microseconds: Int64
  ) -> Bool {
    if isPlain(bytes) { return true }
    var spelled: [UInt8] = []
    appendSeconds(microseconds, to: &spelled)
    return spelled.elementsEqual(bytes)
  }

  /// Whether a validated number is spelled with digits alone, as `append` would.
  package static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let digits = bytes.first == UInt8(ascii: "-") ? bytes[1...] : bytes[...]
    guard digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else { return false }
    return digits.count == bytes.count || digits.first != UInt8(ascii: "0")
  }
}
