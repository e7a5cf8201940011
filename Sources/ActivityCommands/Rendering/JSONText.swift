/// JSON written member by member, in the order given, on one line.
///
///     var json = JSONText()
///     json.object {
///       $0.member("seq", 3)
///       $0.member("attributes", raw: bytes)
///       $0.array("evidence") { $0.value(1) }
///     }
///
/// Every string is escaped so that the text is safe to print; nothing but spelling is lost.
package struct JSONText {
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false

  package init() {}

  /// What was written as text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Ends the line and begins the next value.
  package mutating func newline() {
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  /// Forgets what was written, keeps the room for it.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

  // MARK: Values

  package mutating func value(_ text: String) {
    separate()
    quote(text)
  }

  package mutating func value(_ number: some BinaryInteger) {
    separate()
    bytes += String(number).utf8
  }

  /// A number that JSON has no spelling for becomes null.
  package mutating func value(_ number: Double) {
    separate()
    bytes += (number.isFinite ? "\(number)" : "null").utf8
  }

  package mutating func value(_ flag: Bool) {
    separate()
    bytes += (flag ? "true" : "false").utf8
  }

  package mutating func null() {
    separate()
    bytes += "null".utf8
  }

  /// A value that is valid JSON already; hazards in its strings are spelled as escapes, line ends
  /// between its tokens as spaces, all other bytes stay.
  package mutating func value(raw json: some Collection<UInt8>) {
    separate()
    guard Escape.mayHoldHazard(json) else {
      bytes += json
      return
    }
    for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\n", "\r", "\t": bytes.append(UInt8(ascii: " "))
      default: put(scalar)
      }
    }
  }

  package mutating func object(_ members: (inout JSONText) throws -> Void) rethrows {
    try nest("{", "}", members)
  }

  package mutating func array(_ values: (inout JSONText) throws -> Void) rethrows {
    try nest("[", "]", values)
  }

  // MARK: Members

  /// Writes the name; the next value belongs to it.
  package mutating func name(_ name: String) {
    separate()
    quote(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Nil becomes null.
  package mutating func member(_ name: String, _ value: String?) {
    self.name(name)
    if let value { self.value(value) } else { null() }
  }

  /// Nil becomes null.
  package mutating func member<Number: BinaryInteger>(_ name: String, _ value: Number?) {
    self.name(name)
    if let value { self.value(value) } else { null() }
  }

  /// Nil becomes null.
  package mutating func member(_ name: String, _ value: Double?) {
    self.name(name)
    if let value { self.value(value) } else { null() }
  }

  /// Nil becomes null.
  package mutating func member(_ name: String, _ value: Bool?) {
    self.name(name)
    if let value { self.value(value) } else { null() }
  }

  /// Nil becomes null.
  package mutating func member<JSON: Collection<UInt8>>(_ name: String, raw value: JSON?) {
    self.name(name)
    if let value { self.value(raw: value) } else { null() }
  }

  package mutating func array(
    _ name: String, _ values: (inout JSONText) throws -> Void
  ) rethrows {
    self.name(name)
    try array(values)
  }

  package mutating func object(
    _ name: String, _ members: (inout JSONText) throws -> Void
  ) rethrows {
    self.name(name)
    try object(members)
  }

  // MARK: Bytes

  private mutating func nest(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar,
    _ inside: (inout JSONText) throws -> Void
  ) rethrows {
    separate()
    bytes.append(UInt8(ascii: open))
    needsComma = false
    try inside(&self)
    bytes.append(UInt8(ascii: close))
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": bytes += "\\\"".utf8
      case "\\": bytes += "\\\\".utf8
      case "\n": bytes += "\\n".utf8
      case "\r": bytes += "\\r".utf8
      case "\t": bytes += "\\t".utf8
      default: put(scalar)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// A hazard as one or two `\uXXXX`, anything else as itself.
  private mutating func put(_ scalar: Unicode.Scalar) {
    guard Escape.isHazard(scalar) else {
      bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      return
    }
    for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
      let hex = String(unit, radix: 16)
      bytes += "\\u\(String(repeating: "0", count: 4 - hex.count))\(hex)".utf8
    }
  }
}
