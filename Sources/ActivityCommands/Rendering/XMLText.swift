/// Text inside XML 1.0: markup is spelled as entities, and characters that XML or a terminal cannot
/// bear as `\u{…}`.
enum XMLText {
  static func escaped(_ text: String) -> String {
    var spelled = ""
    for scalar in Escape.text(text).unicodeScalars {
      switch scalar {
      case "&": spelled += "&amp;"
      case "<": spelled += "&lt;"
      case ">": spelled += "&gt;"
      case "\"": spelled += "&quot;"
      case "'": spelled += "&apos;"
      default:
        if isForbidden(scalar) {
          spelled += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        } else {
          spelled.unicodeScalars.append(scalar)
        }
      }
    }
    return spelled
  }

  /// Not a Char of XML 1.0, or one of the noncharacters it discourages; controls are gone already.
  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar.value)
  }
}
