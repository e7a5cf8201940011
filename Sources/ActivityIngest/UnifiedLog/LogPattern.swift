internal import ActivityCore

/// One line of a pattern table: which log lines it is about, and what they say.
struct LogPattern: Sendable {
  /// Its name, stable across versions of the table; events carry it as `pattern`.
  var id = ""
  var template: MessageTemplate
  /// Processes whose lines these are; empty for any.
  var processes: [String] = []
  /// Whether these are lines of an app, not of the system.
  var isOfApp = false
  var subsystem = ""
  var category = ""
  /// The event's word; nil for lines that are known and say nothing of a card.
  var event: String?
  /// Members every such event gets, as JSON spells them.
  var constants: [(name: String, value: JSONSlice)] = []
  /// Members whose value follows from what was read at another place.
  var lookups: [Lookup] = []
  /// Whether the line asks for a card that only a later line of its process names.
  var asks = false
  /// Whether the system's library inside the app wrote it, and the app may tell the same again.
  var isOfFramework = false

  struct Lookup: Sendable {
    var member: String
    var from: String
    var values: [String: String]
  }

  /// Whether a message is by one who writes such lines; what an export does not say is no reason
  /// against it.
  func isBy(_ message: LogMessage, isSystem: Bool) -> Bool {
    if !message.process.isEmpty, isOfApp || !processes.isEmpty {
      guard isOfApp && !isSystem || processes.contains(message.process) else { return false }
    }
    let isLabelled = !message.process.isEmpty
    if !subsystem.isEmpty, isLabelled, message.subsystem != subsystem { return false }
    return category.isEmpty || !isLabelled || message.category == category
  }
}

extension LogPattern {
  private static let members: Set<String> = [
    "id", "match", "process", "subsystem", "category", "event", "set", "lookup", "asks", "layer",
    "os", "source",
  ]

  /// - Returns: nil with a sentence in `problem` when the object is no pattern.
  init?(_ json: JSONSlice, problem: inout String) {
    guard json.type == .object else {
      problem = "a pattern is an object with id, match and event"
      return nil
    }
    if let stray = json.members.first(where: { !Self.members.contains($0.name) }) {
      problem =
        "'\(stray.name)' is no member of a pattern; there are "
        + Self.members.sorted().joined(separator: ", ")
      return nil
    }
    guard let match = json["match"]?.string else {
      problem = "it needs \"match\", the text to look for"
      return nil
    }
    guard let template = MessageTemplate(match, problem: &problem) else { return nil }
    self.template = template
    id = json["id"]?.string ?? ""
    guard !id.isEmpty else {
      problem = "it needs an \"id\""
      return nil
    }
    if let writers = json["process"] {
      processes = (writers.string.map { [$0] } ?? writers.elements.compactMap(\.string))
      isOfApp = processes.contains("app")
      processes.removeAll { $0 == "app" }
    }
    subsystem = json["subsystem"]?.string ?? ""
    category = json["category"]?.string ?? ""
    event = json["event"]?.string
    constants = json["set"]?.members ?? []
    asks = json["asks"]?.type == .true
    isOfFramework = json["layer"]?.string == "framework"
    lookups = (json["lookup"]?.members ?? []).map { member, rule in
      let values = (rule["values"]?.members ?? []).compactMap { code, value in
        value.string.map { (code, $0) }
      }
      return Lookup(
        member: member, from: rule["from"]?.string ?? "",
        values: Dictionary(values, uniquingKeysWith: { first, _ in first }))
    }
    if event == nil, !constants.isEmpty || asks {
      problem = "it needs an \"event\" to have \"set\" or \"asks\""
      return nil
    }
  }
}
