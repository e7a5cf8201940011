/// One event line under construction, with its instant to sort by.
struct Row {
  let at: Int64
  private(set) var text: String

  init(_ event: String, at: Int64, recorder: String) {
    self.at = at
    text = "{\"event\":\"\(event)\",\"at\":\"\(UTC.text(at))\",\"recorder\":\"\(recorder)\""
  }

  var line: String { text + "}" }

  /// A text member; callers pass only text that JSON spells as it is. Nil leaves it out.
  mutating func add(_ name: String, _ value: String?) {
    if let value { text += ",\"\(name)\":\"\(value)\"" }
  }

  /// A number, an object, a list: JSON as it stands.
  mutating func add(_ name: String, json value: String?) {
    if let value { text += ",\"\(name)\":\(value)" }
  }

  /// An instant as APNs spells it, in whole Unix seconds.
  mutating func add(_ name: String, unix instant: Int64?) {
    if let instant { text += ",\"\(name)\":\(instant / UTC.second)" }
  }
}
