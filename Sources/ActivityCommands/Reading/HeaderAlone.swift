/// A table of which there is only the header: an export of nothing.
enum HeaderAlone {
  /// Whether that is all there is: one line of three names or more, apart by one of the signs that
  /// tables use.
  static func isAll(of text: [UInt8]) -> Bool {
    let lines = text.split(separator: UInt8(ascii: "\n")).filter { $0.contains { $0 > 0x20 } }
    guard lines.count == 1, lines[0].count <= 4_096 else { return false }
    return [",", ";", "\t"].contains { separator in
      let names = String(decoding: lines[0], as: UTF8.self).split(
        separator: separator, omittingEmptySubsequences: false)
      return names.count >= 3 && names.allSatisfy { isName($0) }
    }
  }

  private static func isName(_ field: Substring) -> Bool {
    let name = field.filter { $0 != "\"" && !$0.isWhitespace }
    return name.first?.isLetter == true
      && name.allSatisfy { $0.isLetter || $0.isNumber || "_-./".contains($0) }
  }
}
