/// Names of columns and words in them that a guess goes by, in small letters with hyphens; of a
/// list the earlier is preferred.
enum GuessWords {
  /// What names a piece of work for a person, as the app's `key` does.
  static let keys = [
    "order-id", "order-number", "order-no", "order-nr", "order-ref", "order-reference", "order",
    "delivery-id", "ride-id", "trip-id", "booking-id", "booking-number", "booking-reference",
    "job-id", "task-id", "match-id", "game-id", "shipment-id", "tracking-number", "ticket-id",
    "work-id", "key",
  ]
  /// What could also number anything else.
  static let weakKeys = ["reference", "ref", "number", "id", "uuid"]

  static let status = [
    "order-status", "delivery-status", "status", "order-state", "state", "event", "event-type",
  ]
  static let updated =
    forms(["status-changed", "status-updated", "status", "updated", "modified", "changed"])
    + ["last-updated", "last-modified", "last-update", "updated", "modified"]
    + ["occurred-at", "logged-at", "event-time", "at", "timestamp", "time", "datetime", "ts"]
  static let created =
    forms(["created", "placed", "ordered", "opened", "booked", "order-placed", "started"])
    + ["creation-date", "order-date", "created", "opened"]
  static let finished = forms([
    "delivered", "completed", "finished", "fulfilled", "done", "closed", "arrived", "dropped-off",
    "ended",
  ])
  static let cancelled = forms([
    "cancelled", "canceled", "refunded", "rejected", "declined", "voided", "aborted",
  ])

  static let openWords = [
    "open", "opened", "new", "placed", "created", "accepted", "confirmed", "pending", "paid",
    "processing", "in*progress", "preparing", "ready", "active", "started", "assigned", "shipped",
    "dispatched", "out*for*delivery", "on*the*way", "en*route", "in*transit", "on*hold",
  ]
  static let finishedWords = [
    "delivered", "completed", "complete", "finished", "done", "closed", "fulfilled", "arrived",
  ]
  static let cancelledWords = [
    "cancelled", "canceled", "refunded", "rejected", "declined", "failed", "expired", "voided",
    "aborted", "returned", "no*show",
  ]

  /// What a push asks for.
  static let pushEvents = [
    "event", "push-event", "activity-event", "live-activity-event", "apns-event", "event-type",
  ]
  static let acts = ["start", "update", "end", "alert"]
  /// Columns that hold a whole payload as a text.
  static let payloads = [
    "payload", "apns-payload", "push-payload", "request-payload", "request-body", "body",
    "notification", "message",
  ]
  static let pushTimes = [
    "sent-at", "pushed-at", "at", "logged-at", "occurred-at", "created-at", "event-time",
    "log-time", "datetime", "time", "date", "ts",
  ]
  static let handles: [(member: String, names: [String])] = [
    (
      "token",
      [
        "token", "activity-token", "live-activity-token", "activity-push-token", "push-token",
        "update-token", "device-token", "apns-token",
      ]
    ),
    ("activity-id", ["activity-id", "live-activity-id"]),
    ("channel", ["channel", "channel-id", "apns-channel-id"]),
  ]
  static let pushMembers: [(member: String, names: [String])] = [
    ("content-state", ["content-state"]), ("attributes-type", ["attributes-type"]),
    ("attributes", ["attributes"]), ("alert", ["alert"]), ("stale-date", ["stale-date"]),
    ("dismissal-date", ["dismissal-date"]), ("relevance-score", ["relevance-score"]),
    ("apns-id", ["apns-id"]), ("apns-topic", ["apns-topic"]),
    ("apns-push-type", ["apns-push-type"]), ("apns-priority", ["apns-priority"]),
    ("apns-expiration", ["apns-expiration"]),
    ("apns-collapse-id", ["apns-collapse-id", "collapse-id"]), ("attempt", ["attempt"]),
    ("status", ["status", "status-code", "http-status", "apns-status", "response-status"]),
    ("reason", ["reason", "apns-reason", "error-reason"]),
    ("environment", ["environment", "apns-environment", "env"]),
    ("bundle-id", ["bundle-id", "bundle"]), ("device", ["device", "device-id"]),
    ("build", ["build", "app-build"]),
  ]
  /// Words of a status that say a push was not sent, and nothing of what APNs answered.
  static let failedWords = ["failed", "failure", "error", "rejected"]
  /// What a failure has of a push.
  static let failureMembers: Set<String> = [
    "apns-id", "attempt", "environment", "bundle-id", "device",
  ]
  /// Words for what has other values with us, as a map spells them; null for what says nothing we
  /// have a value for.
  static let values: [(member: String, words: String)] = [
    (
      "status",
      #""ok":200,"sent":200,"success":200,"accepted":200,"#
        + (failedWords + ["pending", "queued"]).map { #""\#($0)":null"# }.joined(separator: ",")
    ),
    (
      "environment",
      #""prod":"production","live":"production","development":"sandbox","dev":"sandbox""#
    ),
  ]

  /// The ways a column of times is named for what happened then.
  private static func forms(_ words: [String]) -> [String] {
    words.flatMap { ["\($0)-at", "\($0)-on", "\($0)-time", "\($0)-date", "date-\($0)"] }
  }

  /// `orderNumber`, `ORDER_NUMBER` and `Order Number` are `order-number`.
  static func canonical(_ name: String) -> String {
    let plain = name.filter { $0 != "." && $0 != "#" }
    return APNsHeaders.canonical(plain).split { $0 == " " || $0 == "-" }.joined(separator: "-")
  }
}
