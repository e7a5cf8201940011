internal import ActivityCore

/// One push that somebody may send, as a line of JSON: `end-payloads` and `diff -o payloads`.
///
/// The token is its digest: who holds the raw token finds it by `fingerprint`.
struct PushLine {
  /// Which line it is, with its version.
  enum Schema: String {
    case end = "activitylog.end-payload/1"
    case push = "activitylog.push-payload/1"
  }

  /// What the push does to the card.
  enum Event: String { case update, end }

  let schema: Schema
  let event: Event
  var activityID: String?
  var name: String
  var key: String?
  var device: String?
  var environment: String?
  var token: String
  var topic: String?
  /// The content's version, whole Unix seconds.
  var timestamp: Int64
  /// When APNs stops trying, whole Unix seconds: the card accepts nothing after it.
  var expiration: Int64
  /// Exact JSON, as it was sent or shown.
  var content: [UInt8]?
  var relevance: [UInt8]?
  var staleDate: Timestamp?
  /// Whole Unix seconds; nil leaves the card on the Lock Screen for up to 4 hours.
  var dismissalDate: Int64?
  /// The content was lost to damage in the log, so that the push has none.
  var isContentDamaged = false

  /// What APNs takes as the body.
  var payload: [UInt8] {
    var json = JSONText()
    writePayload(into: &json)
    return json.bytes
  }

  /// Whether APNs takes a body of this size.
  func fits(_ limits: SystemLimits = SystemLimits()) -> Bool {
    Int64(payload.count) <= limits.pushBytes
  }

  func write(into json: inout JSONText) {
    json.object {
      $0.member("schema", schema.rawValue)
      $0.member("activity-id", activityID)
      $0.member("name", name)
      $0.member("key", key)
      $0.member("device", device)
      $0.member("environment", environment)
      $0.member("token", token)
      $0.object("headers") {
        $0.member("apns-priority", 10)
        $0.member("apns-push-type", "liveactivity")
        $0.member("apns-expiration", expiration)
        if let topic { $0.member("apns-topic", topic) }
      }
      $0.name("payload")
      writePayload(into: &$0)
      if isContentDamaged { $0.member("content-damaged", true) }
    }
    json.newline()
  }

  private func writePayload(into json: inout JSONText) {
    json.object {
      $0.object("aps") {
        $0.member("event", event.rawValue)
        writeFacts(members: &$0)
      }
    }
  }

  /// What the push says: version, content and dates, in APNs' own spelling.
  func writeFacts(members json: inout JSONText) {
    json.member("timestamp", timestamp)
    if let content { json.member("content-state", raw: content) }
    if let staleDate { json.member("stale-date", raw: PushLine.seconds(staleDate)) }
    if let relevance { json.member("relevance-score", raw: relevance) }
    if let dismissalDate { json.member("dismissal-date", dismissalDate) }
  }

  private static func seconds(_ instant: Timestamp) -> [UInt8] {
    var text: [UInt8] = []
    DecimalText.appendSeconds(instant.microseconds, to: &text)
    return text
  }

  /// The topic a bundle's Live Activities are sent to.
  static func topic(ofBundle bundle: String?) -> String? {
    bundle.map { $0 + ".push-type.liveactivity" }
  }
}

/// What a recorded act says that a push like it should say again.
struct PushContent {
  var contentState: [UInt8]?
  var relevance: [UInt8]?
  var topic: String?
  /// The row's payload did not verify.
  var isDamaged: Bool

  init(_ row: EventRow) {
    contentState = row["content-state"].map { Array($0.text) }
    relevance = row["relevance-score"].map { Array($0.text) }
    topic = row.text(.apnsTopic)
    isDamaged = row.isContentDamaged
  }
}
