/// What became of one line.
public enum LineOutcome: Hashable, Sendable {
  /// It is the batch's next row.
  case row
  /// The batch has no room for it: finish the batch, then read the line again.
  case full
  /// It holds nothing but white space.
  case blank
  /// It is not in the batch, and left no trace there.
  case refused(LineRefusal)
}

/// Why a line was not taken, and where.
public struct LineRefusal: Error, Hashable, Sendable {
  /// The line's number as the caller counts.
  public var line: Int
  /// Where in the line, in bytes from 1 on.
  public var column: Int
  public var reason: Reason

  /// A refusal at a line, counted from 1, and a byte of it.
  public init(line: Int, column: Int, reason: Reason) {
    self.line = line
    self.column = column
    self.reason = reason
  }

  /// What is wrong; each has a sentence that teaches.
  public enum Reason: Hashable, Sendable {
    case notJSON(JSONFailure.Reason)
    case notAnObject
    /// A line, or what of it stays JSON, of more than 4 MiB.
    case lineTooLong
    case missingEvent
    /// A member of another type than `expected` says.
    case wrongType(member: String, expected: String)
    /// Text that should be an instant and is none.
    case badTime(member: String)
    /// Seconds beyond 9.2e12 either way, or an `at` outside years 0001–9999.
    case timeOutOfRange(member: String)
    case notWhole(member: String)
    case emptyText(member: String)
    /// A lifted text of more than 4 096 bytes.
    case textTooLong(member: String)
    case repeatedMember(String)
    case noHandle(kind: String)
    case needs(kind: String, member: String)
    /// An inventory of more than 4 096 activities.
    case inventoryTooLong
    /// A raw token stands where it cannot be replaced without breaking the JSON.
    case tokenNotReplaceable
    /// A line without `seq` or `recorded-at` in a restore.
    case notExported(member: String)
    /// What a dialect, or the way a source is laid out, does not let through.
    case source(code: String, sentence: String)
  }
}

extension LineRefusal.Reason {
  /// A stable word to count refusals by.
  public var code: String {
    switch self {
    case .notJSON(let reason): reason.rawValue
    case .notAnObject: "not-an-object"
    case .lineTooLong: "line-too-long"
    case .missingEvent: "missing-event"
    case .wrongType: "wrong-type"
    case .badTime: "bad-time"
    case .timeOutOfRange: "time-out-of-range"
    case .notWhole: "not-whole"
    case .emptyText: "empty-text"
    case .textTooLong: "text-too-long"
    case .repeatedMember: "repeated-member"
    case .noHandle: "no-handle"
    case .needs: "missing-member"
    case .inventoryTooLong: "inventory-too-long"
    case .tokenNotReplaceable: "token-not-replaceable"
    case .notExported: "not-exported"
    case .source(let code, _): code
    }
  }

  /// One sentence: what is wrong and what to do about it.
  public var sentence: String {
    switch self {
    case .notJSON(let reason): reason.sentence
    case .notAnObject:
      "The line is JSON but no object; write one object a line, {\"event\":…}."
    case .lineTooLong:
      "The line holds more than 4 MiB; an event is a few hundred bytes, so leave blobs out of it."
    case .missingEvent:
      "There is no \"event\"; name the kind, for example \"event\":\"update\"."
    case .wrongType(let member, let expected):
      "\"\(member)\" has the wrong type; it must be \(expected)."
    case .badTime(let member):
      "\"\(member)\" is no time; write Unix seconds or RFC 3339 such as 2026-11-20T18:04:05Z."
    case .timeOutOfRange("at"), .timeOutOfRange("recorded-at"):
      "\"at\" and \"recorded-at\" lie in the years 0001–9999; is this milliseconds, not seconds?"
    case .timeOutOfRange(let member):
      "\"\(member)\" is beyond 9.2e12 seconds; Unix seconds of today have ten digits."
    case .notWhole(let member):
      "\"\(member)\" must be a whole number of at most 18 digits."
    case .emptyText(let member):
      "\"\(member)\" is empty; leave the member out when it is not known."
    case .textTooLong(let member):
      "\"\(member)\" is longer than 4 096 bytes; put long text into a member of your own."
    case .repeatedMember(let member):
      "\"\(member)\" stands twice on the line; which of the two holds cannot be known."
    case .noHandle(let kind):
      "\(kind) names no activity; give activity-id, token, channel or key"
        + (kind == "response" || kind == "failure" ? ", or apns-id." : ".")
    case .needs(let kind, let member):
      "\(kind) needs \"\(member)\"; add it to the line."
    case .inventoryTooLong:
      "An inventory lists at most 4 096 activities; record one line a device and type."
    case .tokenNotReplaceable:
      "The raw token is repeated inside an escape or a number, where it cannot be replaced by its "
        + "digest; leave it out there."
    case .notExported(let member):
      "\"\(member)\" is missing; only lines that export wrote can be restored."
    case .source(_, let sentence): sentence
    }
  }
}

/// Why a line is refused, before it is known which line it is.
struct LineProblem: Error {
  var offset: Int
  var reason: LineRefusal.Reason
}
