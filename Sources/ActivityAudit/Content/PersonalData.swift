internal import ActivityCore

/// Values that have no place in a log: addresses, phone and card numbers, raw tokens.
enum PersonalData {
  /// The first such value of a payload line, and where it stands.
  static func first(in line: ArraySlice<UInt8>) -> (pointer: String, kind: String)? {
    guard mayHold(line) else { return nil }
    guard let object = JSONSlice(Array(line)) else { return nil }
    return first(in: object, at: "")
  }

  /// A quick look at the bytes: an `@`, or a run of digits that some number could be.
  private static func mayHold(_ line: ArraySlice<UInt8>) -> Bool {
    var digits = 0
    var hex = 0
    for byte in line {
      if byte == UInt8(ascii: "@") { return true }
      let isDigit = byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
      if isDigit {
        digits += 1
        if digits >= 8 { return true }
      } else if byte != UInt8(ascii: " "), byte != UInt8(ascii: "-") {
        digits = 0
      }
      let letter = byte | 0x20
      let isHex = isDigit || letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "f")
      hex = isHex ? hex + 1 : 0
      if hex >= 64 { return true }
    }
    return false
  }

  private static func first(
    in value: JSONSlice, at pointer: String
  ) -> (pointer: String, kind: String)? {
    switch value.type {
    case .object:
      for (name, part) in value.members {
        if let found = first(in: part, at: pointer + "/" + name) { return found }
      }
    case .array:
      for (index, part) in value.elements.enumerated() {
        if let found = first(in: part, at: pointer + "/\(index)") { return found }
      }
    case .string:
      return value.string.flatMap { kind(of: Array($0.utf8)) }.map { (pointer, $0) }
    case .number, .true, .false, .null: break
    }
    return nil
  }

  /// What a text looks like; nil for an innocent one.
  static func kind(of text: [UInt8]) -> String? {
    if isAddress(text) { return "e-mail" }
    if text.count >= 64, text.count % 2 == 0, text.allSatisfy({ HexDigit.value($0) != nil }) {
      return "token"
    }
    let digits = text.filter { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    let separators = Set(" -()".utf8)
    let isNumber = text.dropFirst().allSatisfy { digits.contains($0) || separators.contains($0) }
    guard isNumber, let first = text.first else { return nil }
    if first == UInt8(ascii: "+"), (8...15).contains(digits.count) { return "phone" }
    let isCard = (13...19).contains(digits.count) && digits.count + 4 >= text.count
    return isCard && (UInt8(ascii: "3")...UInt8(ascii: "6")).contains(first) && checks(digits)
      ? "card" : nil
  }

  private static func isAddress(_ text: [UInt8]) -> Bool {
    let parts = text.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !text.contains(UInt8(ascii: " ")) else {
      return false
    }
    let labels = parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.count >= 2 && labels.allSatisfy { !$0.isEmpty }
      && (labels.last?.count ?? 0) >= 2
  }

  /// The check digit of card numbers: order numbers look like them, and rarely pass.
  private static func checks(_ digits: [UInt8]) -> Bool {
    var sum = 0
    for (place, byte) in digits.reversed().enumerated() {
      let digit = Int(byte - UInt8(ascii: "0"))
      let doubled = place % 2 == 1 ? digit * 2 : digit
      sum += doubled > 9 ? doubled - 9 : doubled
    }
    return sum % 10 == 0
  }
}
