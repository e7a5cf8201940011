/// One event as the model sees it: the members of one line that identity, answers or the fold read.
///
/// Members are spelled as in the event. A member that is `null` is taken as absent.
public struct ModelRow: Sendable {
  /// One entry of an `inventory`.
  struct Entry {
    var activityID: String
    var state: String?
  }

  public var event = ""
  public var seq: Int64 = 0
  public var recordedAt: Int64 = 0
  /// R1: as it counts, never later than `recordedAt`.
  public var at: Int64 = 0
  /// I8: whether it is in this activity because its key or channel reached it, not by its name.
  var isFanned = false

  var recorder: String?
  var source: String?
  var activityID: String?
  var token: String?
  var channel: String?
  var key: String?
  var device: String?
  var bundleID: String?
  var environment: String?
  var build: String?
  var attributesType: String?

  /// As written, microseconds.
  var timestamp: Int64?
  var staleDate: Int64?
  var startDate: Int64?
  var inputPushChannel: String?
  var dismissalDate: Int64?
  var dismissalPolicy: String?
  var endReason: String?
  var hasContent = false
  var hasAlert = false
  /// Bytes of the JSON text of `attributes` and `content-state` together.
  var contentBytes = 0

  var apnsID: String?
  var attempt: Int64?
  var status: Int64?
  var reason: String?
  var bytes: Int64?
  var operation: String?

  var state: String?
  var by: String?
  var entries: [Entry] = []
  var complete = false
  var tokenKind: String?
  var replaces: String?
  var enabled: Bool?

  /// Reads one line. `seq` absent: `number`. Of `at` and `recorded-at`, one stands for the other.
  public init(line: String, number: Int64) throws {
    var reader = ModelJSONReader(line)
    guard case .object(let members) = try reader.read().value else {
      throw ModelRowError(description: "line \(number) is no object")
    }
    let line = ModelLine(members: members)
    event = line.text("event") ?? ""
    seq = line.integer("seq") ?? number
    guard let written = line.time("at") ?? line.time("recorded-at") else {
      throw ModelRowError(description: "line \(number) has no time")
    }
    recordedAt = line.time("recorded-at") ?? written
    at = min(written, recordedAt)  // R1
    readHandles(line)
    readContent(line)
    readAnswer(line)
    readEvidence(line)
  }

  /// A row of an inventory's entry: R5 says what it has from its inventory.
  init(entry: Entry, of inventory: ModelRow) {
    event = "state"
    seq = inventory.seq
    recordedAt = inventory.recordedAt
    at = inventory.at
    recorder = inventory.recorder
    device = inventory.device
    bundleID = inventory.bundleID
    environment = inventory.environment
    attributesType = inventory.attributesType
    activityID = entry.activityID
    state = entry.state ?? "active"
  }

  /// Reads many lines, numbered from 1.
  public static func rows(_ lines: [String]) throws -> [ModelRow] {
    try lines.enumerated().map { try ModelRow(line: $0.element, number: Int64($0.offset + 1)) }
  }

  private mutating func readHandles(_ line: ModelLine) {
    recorder = line.text("recorder")
    source = line.text("source")
    activityID = line.text("activity-id")
    token = line.text("token")
    channel = line.text("channel")
    key = line.text("key")
    device = line.text("device")
    bundleID = line.text("bundle-id")
    environment = line.text("environment")
    build = line.text("build")
    attributesType = line.text("attributes-type")
  }

  private mutating func readContent(_ line: ModelLine) {
    timestamp = line.time("timestamp")
    staleDate = line.time("stale-date")
    startDate = line.time("start-date")
    inputPushChannel = line.text("input-push-channel")
    dismissalDate = line.time("dismissal-date")
    dismissalPolicy = line.text("dismissal-policy")
    endReason = line.text("end-reason")
    hasContent = line.has("content-state")
    hasAlert = line.has("alert")
    contentBytes = line.bytes("attributes") + line.bytes("content-state")
  }

  private mutating func readAnswer(_ line: ModelLine) {
    apnsID = line.text("apns-id").map(Self.sameCase)
    attempt = line.integer("attempt")
    status = line.integer("status")
    reason = line.text("reason")
    bytes = line.integer("bytes")
    operation = line.text("operation")
  }

  private mutating func readEvidence(_ line: ModelLine) {
    state = line.text("state")
    by = line.text("by")
    complete = line.bool("complete") ?? false
    tokenKind = line.text("token-kind")
    replaces = line.text("replaces")
    enabled = line.bool("enabled")
    entries = line.objects("activities").compactMap { item in
      item.text("activity-id").map { Entry(activityID: $0, state: item.text("state")) }
    }
  }
}

extension ModelRow {
  /// A1: UUIDs are the same in any case.
  private static func sameCase(_ id: String) -> String {
    let isUUID = id.utf8.count == 36 && id.allSatisfy { $0.isHexDigit || $0 == "-" }
    return isUUID ? id.lowercased() : id
  }

  /// Order is always (`at`, `seq`).
  func precedes(_ other: ModelRow) -> Bool {
    (at, seq) < (other.at, other.seq)
  }

  /// R2: the version that orders contents, in whole seconds.
  var ts: Int64 { ModelTime.wholeSeconds(timestamp ?? at) }

  /// I7, I11: the `timestamp` it says itself, in whole seconds.
  var explicitTimestamp: Int64? { timestamp.map(ModelTime.wholeSeconds) }

  /// R3.
  var isAct: Bool { isContentAct || event == "alert" }

  /// R3.
  var isContentAct: Bool { event == "start" || event == "update" || event == "end" }

  /// R4.
  var isByPush: Bool {
    guard isAct else { return false }
    if let source { return source == "push" || source == "broadcast" }
    return token != nil || channel != nil || apnsID != nil || status != nil
  }

  /// R5, without the entries of an inventory, which are rows of their own (`init(entry:of:)`).
  var isFolded: Bool {
    isAct || event == "stale" || event == "dismiss" || event == "state"
      || (event == "token" && !hasOtherTokenKind)
  }

  /// F9, F10: whether it shows life.
  var showsLife: Bool {
    event == "state" && ["active", "stale", "pending"].contains(state?.lowercased())
  }

  /// F8: whether it ends activities by not naming them, or by naming their device.
  var isSpeaker: Bool {
    (event == "inventory" && complete) || (event == "authorization" && enabled == false)
  }

  /// A token of these kinds is no update token.
  var hasOtherTokenKind: Bool { tokenKind == "start" || tokenKind == "device" }

  /// I2: whether the token of this row may stand for an activity.
  var hasActivityToken: Bool { token != nil && event != "start" && !hasOtherTokenKind }

  /// I2: by the letter any kind of row joins, an answer or an unknown kind too.
  var joins: Bool { activityID != nil && hasActivityToken }
}
