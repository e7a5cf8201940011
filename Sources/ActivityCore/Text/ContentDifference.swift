/// One place where two contents differ.
///
/// Objects are compared member by member whatever their order, arrays of the same length element
/// by element, everything else as a whole. Strings are equal when they stand for the same text;
/// numbers only when they are spelled the same: 20 and 20.0 are different facts.
package struct ContentDifference: Sendable, Equatable {
  /// A JSON Pointer (RFC 6901) to the value; empty for the whole content.
  package let pointer: String
  /// The exact text of what stood there first; nil when nothing did.
  package let before: [UInt8]?
  /// The exact text of what stands there now; nil when nothing does.
  package let after: [UInt8]?

  /// Every place where two contents differ, in the order of the first, then of what the second
  /// adds. A content that is missing has no places: the other is added or removed as a whole.
  package static func between(
    _ before: JSONSlice?, _ after: JSONSlice?
  ) -> [ContentDifference] {
    var found: [ContentDifference] = []
    compare(before, after, at: "", into: &found)
    return found
  }

  private static func compare(
    _ before: JSONSlice?, _ after: JSONSlice?, at pointer: String,
    into found: inout [ContentDifference]
  ) {
    if let before, let after {
      if before.text == after.text { return }
      if compareInside(before, after, at: pointer, into: &found) { return }
      if isSame(before, after) { return }
    } else if before == nil, after == nil {
      return
    }
    found.append(
      ContentDifference(
        pointer: pointer, before: before.map { Array($0.text) }, after: after.map { Array($0.text) }
      ))
  }

  /// Compares what two values hold; false when they have to be compared as wholes.
  private static func compareInside(
    _ before: JSONSlice, _ after: JSONSlice, at pointer: String,
    into found: inout [ContentDifference]
  ) -> Bool {
    guard before.type == after.type else { return false }
    switch before.type {
    case .object: return compareMembers(before, after, at: pointer, into: &found)
    case .array:
      let (first, second) = (before.elements, after.elements)
      guard first.count == second.count else { return false }
      for index in first.indices {
        compare(first[index], second[index], at: "\(pointer)/\(index)", into: &found)
      }
      return true
    case .string, .number, .true, .false, .null: return false
    }
  }

  /// A name that an object has twice names no place, so such objects are compared as wholes.
  private static func compareMembers(
    _ before: JSONSlice, _ after: JSONSlice, at pointer: String,
    into found: inout [ContentDifference]
  ) -> Bool {
    let (first, second) = (before.members, after.members)
    var later: [String: JSONSlice] = [:]
    for (name, value) in second { later[name] = value }
    let known = Set(first.map(\.name))
    guard later.count == second.count, known.count == first.count else { return false }
    for (name, value) in first {
      compare(value, later[name], at: pointer + "/" + escaped(name), into: &found)
    }
    for (name, value) in second where !known.contains(name) {
      compare(nil, value, at: pointer + "/" + escaped(name), into: &found)
    }
    return true
  }

  private static func isSame(_ before: JSONSlice, _ after: JSONSlice) -> Bool {
    guard let text = before.string else { return false }
    return text == after.string && Array(text.utf8) == Array((after.string ?? "").utf8)
  }

  private static func escaped(_ name: String) -> String {
    guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
      return name
    }
    var text = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "~": text += "~0"
      case "/": text += "~1"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
