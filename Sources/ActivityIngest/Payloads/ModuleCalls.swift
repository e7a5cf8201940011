internal import ActivityCore

/// The names by which a log speaks of a module's API.
struct ModuleVocabulary: Sendable {
  /// Methods that an app calls.
  let calls: Set<String>
  /// Events that the module tells an app.
  let events: Set<String>
  /// Words in small letters, of which one stands where a log names the module.
  let marks: [String]
  /// Names of anybody: `start`, `update`. They count only beside a mark.
  var common: Set<String> = []
  /// The event whose payload an object is, when a log wrote only that.
  var event: @Sendable (JSONSlice) -> String? = { _ in nil }

  func knows(_ name: String) -> Bool { calls.contains(name) || events.contains(name) }

  func marks(_ text: String) -> Bool {
    let text = text.lowercased()
    return marks.contains { text.contains($0) }
  }
}

/// One call of a module's API, or one event of it, as an app's log has it: an object with `call` or
/// `event` (also under the names of loggers, and inside the objects these wrap around what they are
/// given), or a line of text with JSON in it.
struct ModuleCall: Sendable {
  /// The method or event; empty for another one of the same module.
  private(set) var name = ""
  /// Whether the log names the module beside it.
  private(set) var isMarked = false
  /// Whether only the members of the record told which event it is.
  private(set) var isGuessed = false
  /// What was passed, in order; named arguments are one object.
  private(set) var arguments: [JSONSlice] = []
  /// What came back.
  private(set) var result: JSONSlice?
  /// What was thrown.
  private(set) var error: JSONSlice?
  /// Of an event: what came with it.
  private(set) var payload: JSONSlice?
  /// Members of the record beside the call.
  private(set) var beside: [(name: String, value: JSONSlice)] = []

  /// When it was logged; nil when nothing says so.
  private(set) var at: Timestamp?
  /// A time that cannot be read.
  private(set) var badTime: String?

  private let vocabulary: ModuleVocabulary
  private let clock: SourceTime
  /// Whether the object stands in a line of text: its own message is then not read as one again.
  private let isInText: Bool

  /// - Returns: nil when the record is about something else.
  init?(
    _ record: SourceRecord, _ vocabulary: ModuleVocabulary, _ clock: SourceTime,
    isInText: Bool = false
  ) {
    self.vocabulary = vocabulary
    self.clock = clock
    self.isInText = isInText
    if let json = record.json {
      read(json)
    } else {
      read(text: record.bytes)
    }
    guard !name.isEmpty || isMarked else { return nil }
  }

  private enum Role {
    case call, event, arguments, result, error, payload, time, module, message
  }

  private static let roles: [String: Role] = {
    let names: [(Role, String)] = [
      (.call, "call method methodname function fn"),
      (.event, "event eventname listener"),
      (.arguments, "args arguments params parameters options"),
      (.result, "result returned returns returnvalue"),
      (.error, "error err exception threw"),
      (.payload, "payload body eventpayload"),
      (.time, "ts time timestamp at date datetime @timestamp"),
      (.module, "module tag logger plugin pluginid channel category library"),
      (.message, "message msg text"),
    ]
    var roles: [String: Role] = [:]
    for (role, list) in names {
      for name in list.split(separator: " ") { roles[String(name)] = role }
    }
    return roles
  }()

  /// What loggers put the fields into that they are given.
  private static let wrappers: Set<String> = [
    "data", "attributes", "extra", "context", "fields", "properties", "meta", "metadata",
  ]

  private static func role(_ name: String) -> Role? {
    roles[name.lowercased().filter { $0 != "_" && $0 != "-" }]
  }

  /// The record's members, with those of a logger's wrapper in its place.
  private static func members(of json: JSONSlice) -> [(name: String, value: JSONSlice)] {
    json.members.flatMap { member -> [(name: String, value: JSONSlice)] in
      guard wrappers.contains(member.name) else { return [member] }
      let inner = member.value.members
      let isAbout = inner.contains { field in
        switch role(field.name) {
        case .call, .event, .arguments, .result, .payload: true
        case .error, .time, .module, .message, nil: false
        }
      }
      return isAbout ? inner : [member]
    }
  }

  private mutating func read(_ json: JSONSlice) {
    var message: (name: String, value: JSONSlice)?
    let members = Self.members(of: json)
    for (field, value) in members {
      let role = Self.role(field)
      if role == .message, message == nil, value.type == .string {
        message = (field, value)
      } else if !take(role, value) {
        beside.append((field, value))
      }
    }
    if let text = message?.value.string {
      if name.isEmpty, !isInText { read(text: Array(text.utf8)) }
      if name.isEmpty || error != nil, let message { beside.append(message) }
    }
    if name.isEmpty, let event = vocabulary.event(json) {
      name = event
      isGuessed = true
      payload = json
      beside.removeAll { !ModuleCall.ofTheApp.contains($0.name) }
    }
    guard vocabulary.events.contains(name), payload == nil else { return }
    if let place = beside.firstIndex(where: { Self.wrappers.contains($0.name) }) {
      payload = beside.remove(at: place).value
    } else {
      payload = arguments.first ?? json
    }
  }

  /// Takes a member in its role; false when it does not fit there.
  private mutating func take(_ role: Role?, _ value: JSONSlice) -> Bool {
    switch role {
    case .call, .event:
      guard let text = value.string else { return false }
      let last = text.split { $0 == "." || $0 == "/" || $0 == "#" }.last.map(String.init) ?? ""
      if vocabulary.marks(text) { isMarked = true }
      guard name.isEmpty, vocabulary.knows(last) else { return role == .call }
      name = last
    case .arguments where arguments.isEmpty:
      arguments = value.type == .array ? value.elements : [value]
    case .result where result == nil: result = value
    case .error where error == nil && value.type != .null: error = value
    case .payload where payload == nil && value.type == .object: payload = value
    case .time where at == nil && badTime == nil:
      at = clock.instant(value)
      if at == nil { badTime = value.string ?? value.spelling }
    case .module:
      guard let text = value.string, vocabulary.marks(text) else { return false }
      isMarked = true
    case .arguments, .result, .error, .payload, .time, .message, nil: return false
    }
    return true
  }

  private mutating func read(text: [UInt8]) {
    let line = ModuleCallText(text)
    if at == nil, badTime == nil {
      let time = line.time(clock)
      at = time.instant
      badTime = time.bad
    }
    if let object = line.record, name.isEmpty {
      let inner = SourceRecord(line: 0, bytes: [], json: object)
      let outer = self
      if var call = ModuleCall(inner, vocabulary, clock, isInText: true), !call.name.isEmpty {
        call.beside = outer.beside + call.beside
        if call.at == nil { (call.at, call.badTime) = (outer.at, outer.badTime) }
        self = call
        return
      }
    }
    let isNamed = vocabulary.marks(line.lead)
    if isNamed { isMarked = true }
    guard
      let found = line.call(where: {
        vocabulary.knows($0) && (isMarked || !vocabulary.common.contains($0))
      })
    else { return }
    name = found.name
    if arguments.isEmpty { arguments = found.arguments }
    result = result ?? found.result
    error = error ?? found.error
    if vocabulary.events.contains(name) { payload = payload ?? found.arguments.first }
  }
}

extension ModuleCall {
  /// How much a record looks like a module's; names that other modules have too must fit.
  static func likeness(
    of record: SourceRecord, _ vocabulary: ModuleVocabulary, fits: (ModuleCall) -> Bool
  ) -> Int {
    guard let call = ModuleCall(record, vocabulary, SourceTime(SourceSettings())) else { return 0 }
    if call.name.isEmpty { return record.json == nil ? 0 : 1 }
    if call.isMarked { return 10 }
    let isBare = call.arguments.isEmpty && call.result == nil && call.payload == nil
    guard !vocabulary.common.contains(call.name), fits(call) else { return 0 }
    return isBare ? 1 : 8
  }

  /// An argument by its place, or by its name where arguments are named.
  func argument(_ place: Int, _ names: String...) -> JSONSlice? {
    if arguments.count == 1, let object = arguments.first, object.type == .object {
      if let value = names.lazy.compactMap({ object[$0] }).first { return value }
    }
    guard place < arguments.count, arguments[place].type != .null else { return nil }
    return arguments[place]
  }

  /// A named argument, wherever an object among the arguments has it.
  func option(_ names: String...) -> JSONSlice? {
    for object in arguments.reversed() {
      if let value = names.lazy.compactMap({ object[$0] }).first, value.type != .null {
        return value
      }
    }
    return nil
  }

  /// A member of the event's payload.
  func told(_ names: String...) -> JSONSlice? {
    names.lazy.compactMap { payload?[$0] }.first { $0.type != .null }
  }

  /// A member of the record beside the call.
  func beside(_ names: String...) -> JSONSlice? {
    beside.first { names.contains($0.name) && $0.value.type != .null }?.value
  }
}
