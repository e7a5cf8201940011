/// A JSON value of a log line, with the length of its text: sizes are facts (F1 `too-big`).
struct ModelNode {
  enum Value {
    case object([String: ModelNode])
    case array([ModelNode])
    case string(String)
    /// The digits as written: no binary fraction stands between a line and its microseconds.
    case number(String)
    case bool(Bool)
    case null
  }

  var value: Value
  /// Length of the value's own text in bytes.
  var bytes: Int
}

/// What is wrong with a line, in words, for the message of a failing test.
public struct ModelRowError: Error, CustomStringConvertible {
  public let description: String
}

/// A plain recursive reader of one JSON text. It believes its input: it is for tests.
struct ModelJSONReader {
  private let bytes: [UInt8]
  private var index = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// Reads the whole text as one value.
  mutating func read() throws -> ModelNode {
    let node = try value()
    skipSpace()
    guard index == bytes.count else { throw broken("text after the value") }
    return node
  }

  private func broken(_ what: String) -> ModelRowError {
    ModelRowError(description: "\(what) at byte \(index)")
  }

  private mutating func skipSpace() {
    while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
  }

  /// Whether the next byte that is no space is `character`; it is consumed if so.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func value() throws -> ModelNode {
    skipSpace()
    let start = index
    let value: ModelNode.Value
    if take("{") {
      value = .object(try object())
    } else if take("[") {
      value = .array(try array())
    } else if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
      value = .string(try string())
    } else {
      value = try word()
    }
    return ModelNode(value: value, bytes: index - start)
  }

  private mutating func object() throws -> [String: ModelNode] {
    var members: [String: ModelNode] = [:]
    if take("}") { return members }
    repeat {
      skipSpace()
      let name = try string()
      guard take(":") else { throw broken("no colon") }
      members[name] = try value()
    } while take(",")
    guard take("}") else { throw broken("object not closed") }
    return members
  }

  private mutating func array() throws -> [ModelNode] {
    var items: [ModelNode] = []
    if take("]") { return items }
    repeat {
      items.append(try value())
    } while take(",")
    guard take("]") else { throw broken("array not closed") }
    return items
  }

  /// Numbers and the three words: everything up to the next separator.
  private mutating func word() throws -> ModelNode.Value {
    let start = index
    let ends = Array(",]} \t\r\n".utf8)
    while index < bytes.count, !ends.contains(bytes[index]) { index += 1 }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    switch text {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    default:
      guard text.utf8.allSatisfy({ "+-.eE0123456789".utf8.contains($0) }), !text.isEmpty else {
        throw broken("not a value: \(text)")
      }
      return .number(text)
    }
  }

  private mutating func string() throws -> String {
    guard take("\"") else { throw broken("no string") }
    var units: [UInt16] = []
    var plain = index
    func flush(to end: Int) {
      units.append(contentsOf: String(decoding: bytes[plain..<end], as: UTF8.self).utf16)
    }
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") {
        flush(to: index)
        index += 1
        return String(decoding: units, as: UTF16.self)
      }
      index += 1
      guard byte == UInt8(ascii: "\\") else { continue }
      flush(to: index - 1)
      units.append(try escape())
      plain = index
    }
    throw broken("string not closed")
  }

  /// The UTF-16 unit behind a backslash.
  private mutating func escape() throws -> UInt16 {
    guard index < bytes.count else { throw broken("escape not finished") }
    let byte = bytes[index]
    index += 1
    switch Unicode.Scalar(byte) {
    case "n": return 0x0A
    case "t": return 0x09
    case "r": return 0x0D
    case "b": return 0x08
    case "f": return 0x0C
    case "u":
      let digits = String(decoding: bytes[index..<min(index + 4, bytes.count)], as: UTF8.self)
      guard let unit = UInt16(digits, radix: 16) else { throw broken("not four hex digits") }
      index += 4
      return unit
    default: return UInt16(byte)
    }
  }
}
