/// A JSON pointer (RFC 6901) to where the business key of an app's activities lies, such as
/// `/attributes/orderNumber`.
public struct KeyPointer: Sendable, Hashable {
  /// As it was typed, and as a log keeps it.
  public let pointer: String
  /// The top-level member it leads through.
  let member: [UInt8]
  /// What remains inside that member's value; empty for the value itself.
  let inner: String

  /// What a log's metadata calls it.
  public static let metadataKey = "key-path"

  /// Nil for a text that is no pointer to a member.
  public init?(_ pointer: String) {
    guard pointer.utf8.first == UInt8(ascii: "/"), pointer.utf8.count <= 1_024 else { return nil }
    let escapes = pointer.split(separator: "~", omittingEmptySubsequences: false).dropFirst()
    guard escapes.allSatisfy({ $0.first == "0" || $0.first == "1" }) else { return nil }
    let rest = pointer.dropFirst()
    let end = rest.firstIndex(of: "/") ?? rest.endIndex
    guard rest.startIndex < end else { return nil }
    self.pointer = pointer
    member = Array(JSONSlice.unescapePointer(rest[..<end]).utf8)
    inner = String(rest[end...])
  }
}

/// Keys that a line holds deeper down.
extension LineReader {
  /// Takes the key from where the key path says, when the line names none itself: a text as it is,
  /// a number as it is spelled.
  mutating func takeKey(at path: KeyPointer, _ line: UnsafeRawBufferPointer) {
    guard let index = members.firstIndex(where: { isNamed($0, path.member, line) }) else { return }
    let place = members[index].value
    let value = JSONSlice(
      bytes: Array(line[place.range]), range: 0..<place.range.count, type: place.type)
    guard let found = value[pointer: path.inner] else { return }
    let text: [UInt8]
    switch found.type {
    case .string: text = Array((found.string ?? "").utf8)
    case .number: text = Array(found.text)
    case .object, .array, .true, .false, .null: return
    }
    guard !text.isEmpty, text.count <= LineReader.textLimit else { return }
    let start = facts.scratch.count
    facts.scratch.append(contentsOf: text)
    facts.key = LineFacts.Text(range: start..<facts.scratch.count, isInScratch: true)
  }

  private func isNamed(
    _ member: JSONMember, _ name: [UInt8], _ line: UnsafeRawBufferPointer
  ) -> Bool {
    guard member.nameHasEscapes else { return line[member.name].elementsEqual(name) }
    var spelled: [UInt8] = []
    JSONText.unescape(line[member.name], into: &spelled)
    return spelled == name
  }
}
