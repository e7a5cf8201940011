/// A member of a line that format v1 lifts into a column; raw values are column numbers on disk.
public enum Member: UInt8, CaseIterable, Sendable {
  // Every kind.
  case id = 1
  case recorder = 2
  case source = 3
  case token = 4
  case channel = 5
  case key = 6
  case build = 7
  case os = 8
  case producer = 9
  case attributesType = 10
  // Content and its dates.
  case timestamp = 16
  case staleDate = 17
  case dismissalDate = 18
  case dismissalPolicy = 19
  case endReason = 20
  case startDate = 21
  case style = 22
  case pushType = 23
  case inputPushChannel = 24
  // A push and its answer.
  case apnsID = 32
  case attempt = 33
  case host = 34
  case bytes = 35
  case apnsTopic = 36
  case apnsPushType = 37
  case apnsPriority = 38
  case apnsExpiration = 39
  case status = 40
  case reason = 41
  // Evidence.
  case by = 48
  case state = 49
  case complete = 50
  case operation = 51
  case tokenKind = 52
  case replaces = 53
  case enabled = 54
  case outcome = 55
  case from = 56
  case until = 57
  /// Not a member of the line but a size: attributes + content-state in bytes of their JSON text,
  /// where that is 1 000 or more.
  case contentBytes = 63

  /// One more than the largest column number.
  package static let columnLimit = 64

  /// How a member's value is kept in its column of `Int64`.
  public enum Storage: Sendable {
    /// Microseconds since 1970; spelled as whole Unix seconds when it can be.
    case seconds
    /// A whole number.
    case whole
    /// 0 or 1 for `false` and `true`.
    case flag
    /// A code in the batch's texts, shared between rows.
    case word
    /// A code in the batch's texts, nearly always a row's own.
    case text
    /// An ordinal in the batch's subjects.
    case handle
    /// Computed by us, never spelled.
    case size
  }

  /// How this member's column keeps its values.
  public var storage: Storage {
    switch self {
    case .timestamp, .staleDate, .dismissalDate, .startDate, .apnsExpiration, .from, .until:
      .seconds
    case .attempt, .bytes, .apnsPriority, .status: .whole
    case .complete, .enabled: .flag
    case .id, .apnsID: .text
    case .token, .channel, .key, .replaces: .handle
    case .contentBytes: .size
    case .recorder, .source, .build, .os, .producer, .attributesType, .dismissalPolicy, .endReason,
      .style, .pushType, .inputPushChannel, .host, .apnsTopic, .apnsPushType, .reason, .by, .state,
      .operation, .tokenKind, .outcome:
      .word
    }
  }

  /// The member's name on the line, in ActivityKit's and APNs' own spelling.
  public var name: String {
    switch self {
    case .attributesType: "attributes-type"
    case .staleDate: "stale-date"
    case .dismissalDate: "dismissal-date"
    case .dismissalPolicy: "dismissal-policy"
    case .endReason: "end-reason"
    case .startDate: "start-date"
    case .pushType: "push-type"
    case .inputPushChannel: "input-push-channel"
    case .apnsID: "apns-id"
    case .apnsTopic: "apns-topic"
    case .apnsPushType: "apns-push-type"
    case .apnsPriority: "apns-priority"
    case .apnsExpiration: "apns-expiration"
    case .tokenKind: "token-kind"
    case .contentBytes: ""
    case .id, .recorder, .source, .token, .channel, .key, .build, .os, .producer, .timestamp,
      .style, .attempt, .host, .bytes, .status, .reason, .by, .state, .complete, .operation,
      .replaces, .enabled, .outcome, .from, .until:
      String(describing: self)
    }
  }

  /// What every kind lifts.
  package static let common: [Member] = [
    .id, .recorder, .source, .token, .channel, .key, .build, .os, .producer, .attributesType,
  ]

  /// What an act by push lifts besides.
  package static let push: [Member] = [
    .apnsID, .attempt, .host, .bytes, .apnsTopic, .apnsPushType, .apnsPriority, .apnsExpiration,
    .status, .reason,
  ]
}
