/// Makes content from a log harmless: a character that could move a cursor, change a colour or
/// turn text around is shown as `\u{1B}`, never obeyed.
package enum Escape {
  /// Controls, line separators, and the marks that reorder or hide text.
  package static func isHazard(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F: true
    case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F: true
    case 0xFEFF, 0xFFF9...0xFFFB, 0xE0001: true
    default: false
    }
  }

  /// The text on one line with every hazard spelled out.
  package static func text(_ text: String) -> String {
    guard mayHoldHazard(text.utf8) else { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      if isHazard(scalar) {
        shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  /// Whether any byte can begin a hazard; cheap, and right most of the time.
  static func mayHoldHazard(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.contains { byte in
      switch byte {
      case 0x00...0x1F, 0x7F, 0xC2, 0xD8, 0xE2, 0xEF, 0xF3: true
      default: false
      }
    }
  }
}
