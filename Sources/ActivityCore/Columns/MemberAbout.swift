/// What each member means, in one sentence, and the words it is known by.
extension Member {
  /// One sentence for the reader of a schema.
  package var about: String {
    switch self {
    case .id: "The idempotency key: the same id with equal content is recorded once."
    case .recorder: "The host, phone or file that wrote the line; coverage hangs on it."
    case .source: "Who asked for an act."
    case .token: "The push token; a raw one is stored as its digest only."
    case .channel: "The broadcast channel."
    case .key: "The business key, such as an order number."
    case .build: "The app's build."
    case .os: "The system's version on the device."
    case .producer: "What made the activity, when it is not an app's own ActivityKit code."
    case .attributesType: "The name of the ActivityAttributes type."
    case .timestamp: "The content's version: it orders the contents of one activity."
    case .staleDate: "When the content counts as out of date."
    case .dismissalDate: "When an ended card leaves the screen."
    case .dismissalPolicy: "How an ended card leaves the screen."
    case .endReason: "Why the activity was ended."
    case .startDate: "When a scheduled activity is to begin."
    case .style: "Whether the activity stays or goes with what it shows."
    case .pushType: "How the app asked to be updated."
    case .inputPushChannel: "The broadcast channel that a start subscribes to."
    case .apnsID: "The push's id at APNs; it joins a push to its answers."
    case .attempt: "Which attempt at the same push this is, from 1 on."
    case .host: "The APNs host that was spoken to."
    case .bytes: "The payload's size in bytes, as it was sent."
    case .apnsTopic: "The header apns-topic."
    case .apnsPushType: "The header apns-push-type."
    case .apnsPriority: "The header apns-priority."
    case .apnsExpiration: "The header apns-expiration."
    case .status: "The HTTP status that APNs answered."
    case .reason: "The reason that APNs gave for a refusal."
    case .by: "Who dismissed the card."
    case .state: "What the device showed, in any case or in Swift's own coding of the enum."
    case .complete: "Whether the inventory lists everything of its device and type."
    case .operation: "What failed, or what was done to the channel."
    case .tokenKind: "What the token is for."
    case .replaces: "The token that this one takes the place of; stored as its digest only."
    case .enabled: "Whether the person allows Live Activities."
    case .outcome: "What became of the work itself."
    case .from: "From when on the recorder can have seen something."
    case .until: "Until when the recorder can have seen something."
    case .contentBytes: "The size of attributes and content-state, counted by the log."
    }
  }

  /// The words that mean something to the log on lines of a kind; any other text is kept, and means
  /// nothing. Nil for a member that takes any text.
  package func words(on kind: EventKind) -> [String]? {
    switch self {
    case .source: ["app", "intent", "schedule", "push", "broadcast", "system", "person"]
    case .producer: ["activitykit", "alarmkit", "accessory"]
    case .dismissalPolicy: ["default", "immediate", "after"]
    case .style: ["standard", "transient"]
    case .pushType: ["none", "token", "channel"]
    case .by: ["person", "policy", "system", "unknown"]
    case .state: ["pending", "active", "stale", "ended", "dismissed"]
    case .operation where kind == .channel: ["create", "delete", "list"]
    case .operation: ["request", "update", "decode", "sign", "connect", "send"]
    case .tokenKind: ["update", "start", "device"]
    case .outcome: ["open", "finished", "cancelled"]
    case .id, .recorder, .token, .channel, .key, .build, .os, .attributesType, .timestamp,
      .staleDate, .dismissalDate, .endReason, .startDate, .inputPushChannel, .apnsID, .attempt,
      .host, .bytes, .apnsTopic, .apnsPushType, .apnsPriority, .apnsExpiration, .status, .reason,
      .complete, .replaces, .enabled, .from, .until, .contentBytes:
      nil
    }
  }

  /// Values as they are found, for members of which a description says too little.
  package var examples: [String] {
    switch self {
    case .token, .replaces: ["sha256:4d2479e3a6f9cde9fff17ecfd89d59de"]
    case .key: ["A-1042"]
    case .build: ["413"]
    case .os: ["26.1"]
    case .attributesType: ["CoffeeOrder"]
    case .endReason: ["app", "push", "broadcast", "system-limit", "disabled", "person", "unknown"]
    case .host: ["api.push.apple.com", "api.sandbox.push.apple.com"]
    case .apnsTopic: ["com.example.brew.push-type.liveactivity"]
    case .apnsPushType: ["liveactivity"]
    case .reason: ["BadDeviceToken", "ExpiredProviderToken", "Unregistered"]
    default: []
    }
  }
}
