internal import ActivityCore

/// Content in a few words, for tables and timelines.
enum ContentText {
  /// `status=brewing eta=18:20`: the members of an object with plain values, nested ones as `{…}`.
  static func brief(_ json: [UInt8], limit: Int = 60) -> String {
    guard let slice = JSONSlice(json) else { return "" }
    guard slice.type == .object else { return word(slice) }
    var text = ""
    for (name, value) in slice.members {
      let piece = (text.isEmpty ? "" : " ") + name + "=" + word(value)
      if text.count + piece.count > limit { return text + " …" }
      text += piece
    }
    return text
  }

  /// A value as a person says it; strings with spaces keep their quotes.
  static func word(_ value: JSONSlice) -> String {
    switch value.type {
    case .string:
      let text = value.string ?? ""
      return text.contains(" ") || text.isEmpty ? "\"\(text)\"" : text
    case .object: return value.members.isEmpty ? "{}" : "{…}"
    case .array: return value.elements.isEmpty ? "[]" : "[…]"
    case .number, .true, .false, .null: return value.spelling
    }
  }

  /// The title of an alert, whichever way it is spelled.
  static func title(ofAlert json: [UInt8]) -> String {
    guard let slice = JSONSlice(json) else { return "" }
    if let text = slice.string { return text }
    guard let title = slice["title"] else { return slice["title-loc-key"]?.string ?? "" }
    return title.string ?? title["loc-key"]?.string ?? ""
  }
}
