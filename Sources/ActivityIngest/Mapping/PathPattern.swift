internal import ActivityCore

/// Where values lie in a record: a JSON Pointer (RFC 6901) in which `*` inside a segment stands for
/// any text of one name, and a segment `**` for any number of levels, also none.
///
/// It leads through a text that holds a JSON object or array as if that stood there itself; many
/// servers write the payload they sent as a text.
struct PathPattern: Hashable, Sendable {
  private enum Segment: Hashable, Sendable {
    case name(String)
    case glob(TextGlob)
    case anyLevels
  }

  /// A value that lies there, the name it has there, and the names that lead to it.
  struct Found {
    var path: [String]
    var value: JSONSlice
    var name: String { path.last ?? "" }
  }

  /// How deep `**` looks.
  static let levelsMax = 32

  /// As it was written.
  let text: String
  private let segments: [Segment]

  /// - Throws: a sentence on what makes the text no such path.
  init(_ text: String) throws(PathProblem) {
    guard text.utf8.first == UInt8(ascii: "/"), text.utf8.count > 1 else {
      throw PathProblem(
        sentence: "must be a pointer that begins with a slash, such as /payload/aps or /order_id")
    }
    let escapes = text.split(separator: "~", omittingEmptySubsequences: false).dropFirst()
    guard escapes.allSatisfy({ $0.first == "0" || $0.first == "1" }) else {
      throw PathProblem(sentence: "has a lone ~; in a pointer ~ is spelled ~0 and a slash ~1")
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    segments = parts.map { part in
      guard part != "**" else { return .anyLevels }
      let name = part.replacing("~1", with: "/").replacing("~0", with: "~")
      return name.contains("*") ? .glob(TextGlob(String(name))) : .name(String(name))
    }
    guard segments.count(where: { $0 == .anyLevels }) <= 1, segments.last != .anyLevels else {
      throw PathProblem(sentence: "may hold ** once, with a name behind it, such as /**/aps/event")
    }
    self.text = text
  }

  /// What lies there, in the order of the record.
  func find(in record: [(name: String, value: JSONSlice)]) -> [Found] {
    var found: [Found] = []
    collect(0, record, [], levels: 0, into: &found)
    return found
  }

  /// The first that lies there and says something: neither null nor an empty text.
  func first(in record: [(name: String, value: JSONSlice)]) -> Found? {
    find(in: record).first { $0.value.saysSomething }
  }

  private func collect(
    _ index: Int, _ children: [(name: String, value: JSONSlice)], _ path: [String], levels: Int,
    into found: inout [Found]
  ) {
    let isLast = index == segments.count - 1
    func take(_ child: (name: String, value: JSONSlice)) {
      let path = path + [child.name]
      if isLast { return found.append(Found(path: path, value: child.value)) }
      collect(index + 1, child.value.children, path, levels: levels, into: &found)
    }
    switch segments[index] {
    case .name(let name):
      if let child = children.first(where: { $0.name == name }) { take(child) }
    case .glob(let glob):
      for child in children where glob.matches(child.name) { take(child) }
    case .anyLevels:
      collect(index + 1, children, path, levels: levels, into: &found)
      guard levels < PathPattern.levelsMax else { return }
      for child in children {
        collect(index, child.value.children, path + [child.name], levels: levels + 1, into: &found)
      }
    }
  }
}

/// Why a text is no path: the rest of a sentence that begins with it.
struct PathProblem: Error {
  var sentence: String
}

extension JSONSlice {
  /// Null and an empty text, as a field of a table may be, say nothing.
  var saysSomething: Bool {
    switch type {
    case .null: false
    case .string: text.count > 2
    case .object, .array, .number, .true, .false: true
    }
  }

  /// The object or array that a text holds; nil for any other text and any other type.
  var inside: JSONSlice? {
    guard type == .string, text.count > 3, let string else { return nil }
    guard let first = string.utf8.first(where: { $0 > 0x20 }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    else { return nil }
    return JSONSlice(Array(string.utf8))
  }

  /// What a path's next name chooses from: members, or elements under their numbers.
  var children: [(name: String, value: JSONSlice)] {
    switch type {
    case .object: return members
    case .array: return elements.enumerated().map { (String($0.offset), $0.element) }
    case .string: return inside?.children ?? []
    case .number, .true, .false, .null: return []
    }
  }

  /// A text as it is, anything else as it is spelled.
  var plain: String { string ?? spelling }
}
