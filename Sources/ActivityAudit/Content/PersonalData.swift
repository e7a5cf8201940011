internal import ActivityCore

/// Values that have no place in a log: addresses, phone and card numbers, raw tokens.
enum PersonalData {
  /// The first such value of a valid payload line, and where it stands, as a JSON Pointer (RFC
  /// 6901). Nesting needs no recursion; a line's depth is bounded where it is scanned.
  static func first(in line: UnsafeRawBufferPointer) -> (pointer: String, kind: String)? {
    guard PersonalDataGlance.mayHold(line) else { return nil }
    var stack: [Level] = []
    var expectsName = false
    var place = 0
    while place < line.count {
      switch line[place] {
      case UInt8(ascii: "{"):
        stack.append(Level(isObject: true))
        expectsName = true
      case UInt8(ascii: "["):
        stack.append(Level(isObject: false))
        expectsName = false
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = stack.popLast()
      case UInt8(ascii: ","):
        expectsName = stack.last?.isObject ?? false
        if !stack.isEmpty { stack[stack.count - 1].index += 1 }
      case UInt8(ascii: "\""):
        let (text, hasEscapes) = string(in: line, from: place + 1)
        if expectsName {
          if !stack.isEmpty { stack[stack.count - 1].name = text }
          expectsName = false
        } else if let kind = kind(of: text, hasEscapes, in: line, stack.last?.name) {
          return (pointer(stack, line), kind)
        }
        place = text.upperBound
      default: break
      }
      place += 1
    }
    return nil
  }

  /// An object or array around the present value.
  private struct Level {
    var isObject: Bool
    var index = 0
    var name = 0..<0
  }

  /// Longer texts are no number, address or token.
  private static let textMax = 512
  /// A pointer to a deeply hidden value is cut before the name that would exceed this.
  static let pointerMax = 256

  /// The inside of a string from behind its opening quote.
  private static func string(
    in line: UnsafeRawBufferPointer, from start: Int
  ) -> (text: Range<Int>, hasEscapes: Bool) {
    var place = start
    var hasEscapes = false
    while place < line.count, line[place] != UInt8(ascii: "\"") {
      let isEscape = line[place] == UInt8(ascii: "\\")
      hasEscapes = hasEscapes || isEscape
      place += isEscape ? 2 : 1
    }
    return (start..<min(place, line.count), hasEscapes)
  }

  private static func unescaped(
    _ text: Range<Int>, _ hasEscapes: Bool, _ line: UnsafeRawBufferPointer
  ) -> [UInt8] {
    guard hasEscapes else { return Array(line[text]) }
    var bytes: [UInt8] = []
    JSONText.unescape(line[text], into: &bytes)
    return bytes
  }

  private static func kind(
    of text: Range<Int>, _ hasEscapes: Bool, in line: UnsafeRawBufferPointer, _ name: Range<Int>?
  ) -> String? {
    guard text.count >= 6, text.count <= textMax else { return nil }
    guard let kind = kind(of: unescaped(text, hasEscapes, line)) else { return nil }
    // A digest is as long as a token and tells nobody anything.
    if kind == "token", let name, isDigest(line[name]) { return nil }
    return kind
  }

  private static func isDigest(_ name: Slice<UnsafeRawBufferPointer>) -> Bool {
    let name = String(decoding: name, as: UTF8.self).lowercased()
    return ["sha", "hash", "digest", "sum", "sig", "etag"].contains { name.contains($0) }
  }

  private static func pointer(_ stack: [Level], _ line: UnsafeRawBufferPointer) -> String {
    var pointer: [UInt8] = []
    for level in stack {
      var step = Array("/".utf8)
      if level.isObject {
        for byte in unescaped(level.name, true, line) {
          switch byte {
          case UInt8(ascii: "~"): step += "~0".utf8
          case UInt8(ascii: "/"): step += "~1".utf8
          default: step.append(byte)
          }
        }
      } else {
        step += String(level.index).utf8
      }
      guard pointer.count + step.count <= pointerMax else { break }
      pointer += step
    }
    return String(decoding: pointer, as: UTF8.self)
  }
}

extension PersonalData {
  /// What a text looks like; nil for an innocent one.
  static func kind(of text: [UInt8]) -> String? {
    if isAddress(text) { return "e-mail" }
    if text.count >= 64, text.count % 2 == 0, text.allSatisfy({ HexDigit.value($0) != nil }) {
      return "token"
    }
    guard let first = text.first, let last = text.last, isDigit(last) || last == 0x29 else {
      return nil
    }
    let digits = text.filter(isDigit)
    let isNumber = text.dropFirst().allSatisfy { isDigit($0) || separators.contains($0) }
    guard isNumber, first == UInt8(ascii: "+") || first == UInt8(ascii: "(") || isDigit(first)
    else { return nil }
    if first == UInt8(ascii: "+") { return (8...15).contains(digits.count) ? "phone" : nil }
    return isCard(digits, among: text.count) ? "card" : nil
  }

  private static let separators = Array(" -()".utf8)

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  private static func isAddress(_ text: [UInt8]) -> Bool {
    let parts = text.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !text.contains(where: { $0 <= 0x20 }) else {
      return false
    }
    let labels = parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    // Of `2@10.50` the last label is no top level domain.
    guard labels.count >= 2, let top = labels.last, top.count >= 2,
      top.allSatisfy({ ($0 | 0x20) &- UInt8(ascii: "a") < 26 || $0 >= 0x80 })
    else { return false }
    return labels.allSatisfy { !$0.isEmpty }
  }

  /// The beginnings and lengths that card networks use, and their check digit: order numbers look
  /// like cards, and rarely pass both.
  private static func isCard(_ digits: [UInt8], among count: Int) -> Bool {
    guard (13...19).contains(digits.count), digits.count + 4 >= count else { return false }
    let numbers = digits.map { Int($0 &- UInt8(ascii: "0")) }
    let two = numbers[0] * 10 + numbers[1]
    let four = two * 100 + numbers[2] * 10 + numbers[3]
    let isNetwork =
      switch digits.count {
      case 13, 19: numbers[0] == 4
      case 14: [30, 36, 38, 39].contains(two)
      case 15: two == 34 || two == 37
      case 16:
        numbers[0] == 4 || (51...55).contains(two) || (2221...2720).contains(four)
          || four == 6011 || two == 65 || two == 35
      default: false
      }
    guard isNetwork else { return false }
    var sum = 0
    for (place, digit) in numbers.reversed().enumerated() {
      let doubled = place % 2 == 1 ? digit * 2 : digit
      sum += doubled > 9 ? doubled - 9 : doubled
    }
    return sum % 10 == 0
  }
}
