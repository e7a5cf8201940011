/// A piece of JSON text with the bytes it is a slice of: what people-facing code and rules that
/// need content look into. Nothing is parsed until it is asked for.
public struct JSONSlice: Sendable {
  private let bytes: [UInt8]
  /// Where the value lies in the bytes it was cut from.
  public let range: Range<Int>
  public let type: JSONType

  package init(bytes: [UInt8], range: Range<Int>, type: JSONType) {
    self.bytes = bytes
    self.range = range
    self.type = type
  }

  /// A whole document; nil when it is not JSON.
  public init?(_ bytes: [UInt8]) {
    var members: [JSONMember] = []
    let result = bytes.withUnsafeBytes { JSONScanner.members(of: $0, into: &members) }
    guard case .success(let type) = result else { return nil }
    let isInk = { (byte: UInt8) in byte > 0x20 }
    guard let first = bytes.firstIndex(where: isInk), let last = bytes.lastIndex(where: isInk)
    else { return nil }
    self.init(bytes: bytes, range: first..<(last + 1), type: type)
  }

  /// The exact bytes of the value.
  public var text: ArraySlice<UInt8> { bytes[range] }

  /// The exact spelling of the value.
  public var spelling: String { String(decoding: text, as: UTF8.self) }

  /// The text a string stands for, nil for any other type.
  public var string: String? {
    guard type == .string else { return nil }
    return unescaped((range.lowerBound + 1)..<(range.upperBound - 1))
  }

  /// An object's members in their order, names unescaped; empty for any other type.
  public var members: [(name: String, value: JSONSlice)] {
    guard type == .object else { return [] }
    var places: [JSONMember] = []
    let slice = text
    let result = slice.withUnsafeBytes { JSONScanner.members(of: $0, into: &places) }
    guard case .success(.object) = result else { return [] }
    return places.map { place in
      (unescaped(moved(place.name)), nested(place.value))
    }
  }

  /// The text that bytes between quotes stand for.
  private func unescaped(_ place: Range<Int>) -> String {
    let spelled = bytes[place]
    guard spelled.contains(UInt8(ascii: "\\")) else {
      return String(decoding: spelled, as: UTF8.self)
    }
    var text: [UInt8] = []
    text.reserveCapacity(spelled.count)
    JSONText.unescape(spelled, into: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// An array's elements; empty for any other type.
  public var elements: [JSONSlice] {
    guard type == .array else { return [] }
    var places: [JSONPlace] = []
    let slice = text
    let result = slice.withUnsafeBytes { JSONScanner.elements(of: $0, into: &places) }
    guard case .success(.array) = result else { return [] }
    return places.map(nested)
  }

  /// The first member of this name, nil when there is none or this is no object.
  public subscript(name: String) -> JSONSlice? {
    guard type == .object else { return nil }
    var places: [JSONMember] = []
    let slice = text
    let result = slice.withUnsafeBytes { JSONScanner.members(of: $0, into: &places) }
    guard case .success(.object) = result else { return nil }
    let found = places.first { place in
      place.nameHasEscapes
        ? unescaped(moved(place.name)) == name : bytes[moved(place.name)].elementsEqual(name.utf8)
    }
    return found.map { nested($0.value) }
  }

  /// What a JSON Pointer (RFC 6901) such as `/content-state/status` leads to.
  public subscript(pointer pointer: String) -> JSONSlice? {
    guard !pointer.isEmpty else { return self }
    guard pointer.utf8.first == UInt8(ascii: "/") else { return nil }
    var value: JSONSlice? = self
    for part in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      let name = JSONSlice.unescapePointer(part)
      guard let present = value else { return nil }
      switch present.type {
      case .object: value = present[name]
      case .array:
        let elements = present.elements
        guard let index = Int(name), String(index) == name, elements.indices.contains(index)
        else { return nil }
        value = elements[index]
      case .string, .number, .true, .false, .null: return nil
      }
    }
    return value
  }

  /// `~1` is a slash and `~0` a tilde, in one pass, so that `~01` is `~1`.
  static func unescapePointer(_ part: Substring) -> String {
    guard part.utf8.contains(UInt8(ascii: "~")) else { return String(part) }
    var name = ""
    var rest = part[...]
    while let tilde = rest.firstIndex(of: "~") {
      name += rest[..<tilde]
      rest = rest[rest.index(after: tilde)...]
      switch rest.first {
      case "0": name += "~"
      case "1": name += "/"
      default:
        name += "~"
        continue
      }
      rest = rest.dropFirst()
    }
    return name + rest
  }

  private func nested(_ place: JSONPlace) -> JSONSlice {
    JSONSlice(bytes: bytes, range: moved(place.range), type: place.type)
  }

  private func moved(_ place: Range<Int>) -> Range<Int> {
    (place.lowerBound + range.lowerBound)..<(place.upperBound + range.lowerBound)
  }
}
