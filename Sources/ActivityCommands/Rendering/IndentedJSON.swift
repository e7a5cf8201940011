/// JSON of one line spread over many, two spaces a level; empty objects and arrays stay together,
/// and so do arrays that hold no object.
enum IndentedJSON {
  /// - Parameter json: valid JSON without white space between its tokens.
  static func spread(_ json: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    var depth = 0
    /// Arrays written on one line: their depth, nil outside of one.
    var flat: Int?
    var inString = false
    var isEscaped = false
    func newline() {
      text.append(UInt8(ascii: "\n"))
      text += repeatElement(UInt8(ascii: " "), count: 2 * depth)
    }
    for (place, byte) in json.enumerated() {
      if inString {
        text.append(byte)
        inString = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        text.append(byte)
        depth += 1
        if flat == nil, isFlat(json, from: place) { flat = depth }
        if flat == nil { newline() }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if let start = flat {
          if depth < start { flat = nil }
        } else {
          newline()
        }
        text.append(byte)
      case UInt8(ascii: ","):
        text.append(byte)
        if flat == nil { newline() } else { text.append(UInt8(ascii: " ")) }
      case UInt8(ascii: ":"): text += [byte, UInt8(ascii: " ")]
      default:
        inString = byte == UInt8(ascii: "\"")
        text.append(byte)
      }
    }
    return text
  }

  /// Whether the object or array that opens at `place` is an empty one, or an array without an
  /// object or array in it.
  private static func isFlat(_ json: [UInt8], from place: Int) -> Bool {
    let rest = json[(place + 1)...]
    guard json[place] == UInt8(ascii: "[") else { return rest.first == UInt8(ascii: "}") }
    var inString = false
    var isEscaped = false
    for byte in rest {
      if inString {
        inString = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: "]"): return true
      case UInt8(ascii: "{"), UInt8(ascii: "["): return false
      default: inString = byte == UInt8(ascii: "\"")
      }
    }
    return true
  }
}
