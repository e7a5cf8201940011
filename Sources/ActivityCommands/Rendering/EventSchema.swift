internal import ActivityCore

/// The JSON Schema of an event's line, made from what the kinds declare.
///
/// It takes what the reader takes, as far as a schema can say: one that sees values cannot see a
/// member that stands twice, bytes instead of characters, or a day that its month does not have.
enum EventSchema {
  /// Changes when what it says of a member does.
  static let id = "urn:activitylog:schema:event:1"

  /// The whole schema on one line.
  static var json: JSONText {
    var json = JSONText()
    json.object { schema in
      schema.member("$schema", "https://json-schema.org/draft/2020-12/schema")
      schema.member("$id", id)
      schema.member("title", "An event of Activity Log")
      schema.member("description", about)
      schema.member("type", "object")
      schema.array("required") { $0.value("event") }
      schema.object("properties") { properties in
        properties.object("event") { write(event: &$0) }
        for member in LineMember.ofEveryKind { write(member, &properties) }
      }
      schema.array("allOf") { branches in
        for kind in kinds { branches.object { write(branch: kind, &$0) } }
      }
      schema.object("$defs") { defs in
        for kind in kinds { defs.object(kind.word) { write(kind, &$0) } }
        write(forms: &defs)
      }
    }
    return json
  }

  private static let about =
    "One event, one JSON object, one line. A member that is null is as good as absent. Members and "
    + "kinds that are not listed are allowed, kept and written back. Where a log has a key path, "
    + "the key may stand there instead."

  private static let kinds = EventKind.allCases.filter { $0 != .unknown }

  private static func write(event json: inout JSONText) {
    json.member("description", "The kind: what happened.")
    json.member("type", "string")
    json.member("minLength", 1)
    json.member("maxLength", LineReader.longestText)
    json.array("examples") { for kind in kinds { $0.value(kind.word) } }
  }

  /// `if` the line is of a kind, `then` the kind's own definition holds.
  private static func write(branch kind: EventKind, _ json: inout JSONText) {
    json.object("if") {
      $0.object("properties") { $0.object("event") { $0.member("const", kind.word) } }
      $0.array("required") { $0.value("event") }
    }
    json.object("then") { $0.member("$ref", "#/$defs/\(kind.word)") }
  }

  private static func write(_ kind: EventKind, _ json: inout JSONText) {
    json.member("description", kind.about)
    json.object("properties") {
      for member in LineMember.own(of: kind) { write(member, &$0) }
    }
    let required = kind.requiredAny
    guard !required.isEmpty else { return }
    json.array("anyOf") { choices in
      for name in required {
        choices.object {
          $0.array("required") { $0.value(name) }
          $0.object("properties") { $0.object(name) { $0.member("type", "string") } }
        }
      }
    }
  }

  private static func write(_ member: LineMember, _ json: inout JSONText) {
    json.object(member.name) {
      $0.member("description", member.about)
      if let form = name(of: member.form) { $0.member("$ref", "#/$defs/\(form)") }
      let examples = member.words ?? member.examples
      if member.words != nil { $0.member("$comment", "Other words are kept and mean nothing.") }
      if !examples.isEmpty { $0.array("examples") { for word in examples { $0.value(word) } } }
    }
  }
}

/// What the reader demands of values, each once.
extension EventSchema {
  /// The definition of a form; nil for one that demands nothing. No kind is called like one.
  private static func name(of form: LineMember.Form) -> String? {
    switch form {
    case .seconds: "a-time"
    case .instant: "an-instant"
    case .whole: "a-whole-number"
    case .number: "a-count"
    case .flag: "a-flag"
    case .text: "a-text"
    case .textOrAnything: "a-text-or-anything"
    case .state: "a-state"
    case .activities: "a-list-of-activities"
    case .anything: nil
    }
  }

  private static let forms: [LineMember.Form] = [
    .seconds, .instant, .whole, .number, .flag, .text, .textOrAnything, .state, .activities,
  ]

  private static func write(forms json: inout JSONText) {
    for form in forms {
      guard let name = name(of: form) else { continue }
      json.object(name) { write(form, &$0) }
    }
  }

  private static func write(_ form: LineMember.Form, _ json: inout JSONText) {
    switch form {
    case .seconds:
      let limit = Timestamp.secondsLimit
      write(time: "Unix seconds or RFC 3339 text.", &json) {
        $0.member("minimum", -limit)
        $0.member("maximum", limit)
      }
    case .instant:
      write(time: "Unix seconds or RFC 3339 text, in the years 0001 to 9999.", &json) {
        $0.member("minimum", Timestamp.earliestText.wholeSeconds)
        $0.member("exclusiveMaximum", Timestamp.latestText.wholeSeconds + 1)
      }
    case .whole:
      write(types: ["integer", "null"], "A whole number of at most 18 digits.", &json)
      json.member("minimum", -largestWhole)
      json.member("maximum", largestWhole)
    case .number:
      write(types: ["integer", "null"], "A whole number from 1 on.", &json)
      json.member("minimum", 1)
      json.member("maximum", largestWhole)
    case .flag: write(types: ["boolean", "null"], "True or false.", &json)
    case .text:
      write(types: ["string", "null"], "A text of 1 to 4096 bytes.", &json)
      write(lengths: &json)
    case .textOrAnything:
      json.member("description", "Anything; a text has 1 to 4096 bytes.")
      write(lengths: &json)
    case .state: write(state: &json)
    case .activities: write(activities: &json)
    case .anything: break
    }
  }

  private static let largestWhole: Int64 = 999_999_999_999_999_999

  private static func write(types: [String], _ about: String, _ json: inout JSONText) {
    json.member("description", about)
    json.array("type") { for type in types { $0.value(type) } }
  }

  private static func write(lengths json: inout JSONText) {
    json.member("minLength", 1)
    json.member("maxLength", LineReader.longestText)
  }

  private static func write(
    time about: String, _ json: inout JSONText, _ limits: (inout JSONText) -> Void
  ) {
    write(types: ["number", "string", "null"], about, &json)
    limits(&json)
    json.member("pattern", timePattern)
  }

  /// RFC 3339 as the reader takes it: a space for `T`, small letters, a fraction of any length.
  private static let timePattern =
    "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt ]"
    + "([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]+)?"
    + "([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$"

  private static func write(state json: inout JSONText) {
    write(types: ["string", "object", "null"], "A word, or an object with it as only name.", &json)
    write(lengths: &json)
    json.member("minProperties", 1)
    json.member("maxProperties", 1)
    json.object("propertyNames") { write(lengths: &$0) }
    json.object("additionalProperties") { $0.member("type", "object") }
  }

  private static func write(activities json: inout JSONText) {
    write(types: ["array", "null"], "Objects, each with an activity-id.", &json)
    json.member("maxItems", LineReader.mostActivities)
    json.object("items") {
      $0.member("type", "object")
      $0.array("required") { $0.value("activity-id") }
      $0.object("properties") {
        $0.object("activity-id") {
          $0.member("type", "string")
          write(lengths: &$0)
        }
        $0.object("state") { $0.member("$ref", "#/$defs/a-state") }
      }
    }
  }
}
