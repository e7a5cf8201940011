/// Bytes on their way to a file descriptor, gathered in one buffer of a mebibyte.
///
/// `room` is asked for once per line; the appending calls after it check nothing.
final class ByteSink {
  static let lineBytesMax = 4096
  private static let capacity = 1 << 20

  private let descriptor: Int32
  private let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
  private var count = 0

  init(descriptor: Int32) { self.descriptor = descriptor }

  convenience init(path: String) { self.init(descriptor: System.create(path)) }

  deinit { bytes.deallocate() }

  /// Makes room for one line of at most `lineBytesMax` bytes.
  func room() {
    if count + Self.lineBytesMax > Self.capacity { flush() }
  }

  func flush() {
    System.put(bytes, count, to: descriptor)
    count = 0
  }

  func text(_ literal: StaticString) {
    System.copy(literal.utf8Start, literal.utf8CodeUnitCount, to: bytes + count)
    count += literal.utf8CodeUnitCount
  }

  func byte(_ value: UInt8) {
    bytes[count] = value
    count += 1
  }

  /// One whole line, however long.
  func line(_ line: String) {
    for byte in line.utf8 {
      if count == Self.capacity { flush() }
      self.byte(byte)
    }
    if count == Self.capacity { flush() }
    byte(0x0A)
  }

  func decimal(_ value: Int64) {
    if value < 0 { byte(0x2D) }
    var rest = value.magnitude
    var width = 1
    var bound: UInt64 = 10
    while width < 19 && rest >= bound {
      width += 1
      bound *= 10
    }
    for place in stride(from: width - 1, through: 0, by: -1) {
      bytes[count + place] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
      rest /= 10
    }
    count += width
  }

  /// `width` digits, zeros in front.
  func padded(_ value: Int64, _ width: Int) {
    var rest = value
    for place in stride(from: width - 1, through: 0, by: -1) {
      bytes[count + place] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
      rest /= 10
    }
    count += width
  }

  /// The low `digits` hex digits of `value`, lower case unless `upper`.
  func hex(_ value: UInt64, _ digits: Int, upper: Bool = false) {
    let letter: UInt8 = upper ? 0x37 : 0x57
    for place in 0..<digits {
      let nibble = UInt8(truncatingIfNeeded: (value >> UInt64(4 * (digits - 1 - place))) & 15)
      bytes[count + place] = nibble + (nibble < 10 ? 0x30 : letter)
    }
    count += digits
  }
}
