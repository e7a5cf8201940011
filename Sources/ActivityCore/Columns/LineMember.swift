/// A member that lines of a kind can have: what the reader demands of its value, and what it means.
///
/// The schema of an event and the remarks on a line are both made from these, and these from what
/// the kinds declare.
package struct LineMember: Sendable {
  /// What the reader demands of a value that is not null.
  package enum Form: Sendable {
    /// Unix seconds or RFC 3339; in the years 0001–9999 when it is an `instant`.
    case seconds, instant
    /// A whole number; at least 1 when it is a `number`.
    case whole, number
    case flag
    /// A text of 1 to 4 096 bytes.
    case text
    /// A text as above, if it is a text at all.
    case textOrAnything
    /// A state's word, or `{"active":{}}`.
    case state
    /// What an inventory lists.
    case activities
    case anything
  }

  /// As it is spelled on the line.
  package var name: String
  package var form: Form
  /// One sentence.
  package var about: String
  /// The words that mean something; nil when any text does.
  package var words: [String]?
  /// Values as they are found.
  package var examples: [String] = []

  init(
    _ name: String, _ form: Form, _ about: String, words: [String]? = nil, examples: [String] = []
  ) {
    self.name = name
    self.form = form
    self.about = about
    self.words = words
    self.examples = examples
  }

  /// A member that has a column, on lines of a kind.
  init(_ member: Member, on kind: EventKind) {
    let form: Form =
      switch member.storage {
      case .seconds: .seconds
      case .whole: .whole
      case .flag: .flag
      case .word where member == .state: .state
      case .word, .text, .handle: .text
      case .size: .anything
      }
    self.init(
      member.name, form, member.about, words: member.words(on: kind), examples: member.examples)
  }
}

extension LineMember {
  /// What every line can have, whatever its kind; `event` apart.
  package static let ofEveryKind: [LineMember] =
    [
      LineMember("seq", .number, "The log's number of the event; set by the log."),
      LineMember(
        "recorded-at", .instant, "When the log took it; on a line without \"at\" it stands in."),
      LineMember("at", .instant, "When it happened at its recorder."),
      LineMember("activity-id", .text, "The system's own id of the activity."),
      LineMember("device", .text, "The device it is about."),
      LineMember("bundle-id", .text, "The app it is about.", examples: ["com.example.brew"]),
      LineMember(
        "environment", .text, "The APNs environment.", examples: ["production", "sandbox"]),
    ] + Member.common.map { LineMember($0, on: .unknown) } + [
      LineMember(
        "input-push-token", .textOrAnything,
        "Asks for an update token; a raw token is stored as its digest only."),
      LineMember("raw", .anything, "Texts of members whose unit was converted, by name."),
      LineMember("rest", .anything, "What a foreign record said under names that are ours."),
    ]

  /// The members a kind has of its own: those with a column, then those that stay JSON.
  package static func own(of kind: EventKind) -> [LineMember] {
    kind.members.filter { $0 != .contentBytes }.map { LineMember($0, on: kind) } + kept(of: kind)
  }

  /// What stays JSON: only `activities` is looked into by the reader.
  private static func kept(of kind: EventKind) -> [LineMember] {
    switch kind {
    case .start: [attributes] + content + [alert] + push
    case .update: [attributes] + content + [alert] + push
    case .end: content + [alert] + push
    case .alert: [alert] + push
    case .state: content
    case .inventory:
      [LineMember("activities", .activities, "The activities that the device listed.")]
    case .response: [final, goneSince]
    case .failure: failure
    case .authorization:
      [LineMember("frequent", .anything, "Whether the person allows frequent updates.")]
    case .channel:
      [LineMember("message-storage-policy", .anything, "Whether APNs keeps the latest message.")]
    case .coverage:
      [
        LineMember("lost", .anything, "How many lines were lost."),
        LineMember(
          "why", .anything, "Why they were lost.",
          words: ["pruned", "redacted", "dropped", "unavailable"]),
      ]
    case .unknown, .stale, .dismiss, .token, .work: []
    }
  }

  private static let attributes = LineMember(
    "attributes", .anything, "What the activity is about, for as long as it lives.")
  private static let alert = LineMember(
    "alert", .anything, "What the person is told: title, body and sound.")
  private static let content = [
    LineMember("content-state", .anything, "What the card shows."),
    LineMember("relevance-score", .anything, "Which of an app's cards comes first."),
  ]
  private static let goneSince = LineMember(
    "gone-since", .anything, "Since when APNs knows the token to be gone.")
  private static let final = LineMember(
    "final", .anything, "Whether no attempt follows this answer.")
  private static let push = [
    LineMember("apns-collapse-id", .anything, "The header apns-collapse-id."), goneSince, final,
  ]
  private static let failure = [
    LineMember("domain", .anything, "The error's domain."),
    LineMember("code", .anything, "The error's code in its domain."),
    LineMember("case", .anything, "The error's case in its enum."),
    LineMember("message", .anything, "What the error says of itself."),
  ]
}

extension EventKind {
  /// One sentence for the reader of a schema.
  package var about: String {
    switch self {
    case .unknown: "A kind this version does not know: kept whole, moving nothing."
    case .start: "Somebody asked for a new activity: a request in the app or a push-to-start."
    case .update: "Somebody sent new content."
    case .alert: "An alert that came alone, without content and without a part in ordering."
    case .end: "Somebody ended an activity."
    case .stale: "The system was seen to draw an activity as stale."
    case .dismiss: "A card was seen to leave the screen."
    case .state: "What a device showed of one activity."
    case .inventory: "What a device listed as its activities, all of them when complete."
    case .response: "APNs answered a push, later than the push was recorded."
    case .failure: "Something went wrong before an answer, or on the device."
    case .token: "A device or a server learned a token."
    case .authorization: "Whether a person allows Live Activities."
    case .channel: "A broadcast channel was made, listed or deleted."
    case .work: "What the order itself did: open, finished, cancelled."
    case .coverage: "From when to when a recorder can have seen something, and what it lost."
    }
  }

  /// The members of which a line of this kind must have at least one that is not null; empty when
  /// it needs none.
  package var requiredAny: [String] {
    switch self {
    case .start, .update, .alert, .end, .state, .stale, .dismiss: EventKind.handles
    case .response, .failure: EventKind.handles + ["apns-id"]
    case .token: ["token"]
    case .channel: ["channel"]
    case .work: ["key"]
    case .coverage: ["recorder"]
    case .unknown, .authorization, .inventory: []
    }
  }

  private static let handles = ["activity-id", "token", "channel", "key"]
}

extension LineReader {
  /// The longest text that becomes a column, in bytes.
  package static var longestText: Int { textLimit }
  /// The most activities that an inventory lists.
  package static var mostActivities: Int { inventoryLimit }
}
