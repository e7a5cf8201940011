/// One event line of a story, its members in the order they were set.
struct StoryRow {
  /// Members by name; a later one of the same name takes the place of the former.
  typealias Members = KeyValuePairs<String, StoryValue>

  let at: Int64
  private var members: [(name: String, json: String)]

  init(_ event: String, at: Int64, recorder: String, _ more: Members = [:]) {
    self.at = at
    members = [
      ("event", "\"\(event)\""), ("at", "\"\(UTC.text(at))\""), ("recorder", "\"\(recorder)\""),
    ]
    set(more)
  }

  /// Sets members; `nil` takes one away.
  mutating func set(_ more: Members) {
    for (name, value) in more {
      let place = members.firstIndex { $0.name == name }
      switch (place, value.json) {
      case (let place?, let json?): members[place].json = json
      case (let place?, nil): members.remove(at: place)
      case (nil, let json?): members.append((name, json))
      case (nil, nil): break
      }
    }
  }

  /// A text member as it was set, without its quotes.
  func text(_ name: String) -> String? {
    members.first { $0.name == name }.map { String($0.json.dropFirst().dropLast()) }
  }

  var line: String {
    "{" + members.map { "\"\($0.name)\":\($0.json)" }.joined(separator: ",") + "}"
  }
}

/// What a member of a story's line says, as JSON; nil leaves the member out.
struct StoryValue {
  let json: String?

  /// JSON as it stands.
  static func raw(_ json: String) -> Self { Self(json: json) }

  /// An instant as APNs spells it, in whole Unix seconds.
  static func unix(_ instant: Int64) -> Self { Self(json: String(instant / UTC.second)) }

  static func number(_ value: Int64) -> Self { Self(json: String(value)) }
}

extension StoryValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  init(stringLiteral text: String) { json = "\"\(text)\"" }
  init(integerLiteral value: Int64) { json = String(value) }
  init(booleanLiteral value: Bool) { json = String(value) }
  init(nilLiteral: ()) { json = nil }
}

extension Int {
  /// Microseconds.
  var seconds: Int64 { Int64(self) * UTC.second }
  var minutes: Int64 { Int64(self) * UTC.minute }
  var hours: Int64 { Int64(self) * UTC.hour }
}
