/// Names that senders write for members of ours; APNs and ActivityKit pass them over in silence.
enum MemberAliases {
  /// The right name of each.
  static let meant: [String: String] = [
    "contentState": "content-state", "content_state": "content-state",
    "attributesType": "attributes-type", "attributes_type": "attributes-type",
    "staleDate": "stale-date", "stale_date": "stale-date",
    "dismissalDate": "dismissal-date", "dismissal_date": "dismissal-date",
    "relevanceScore": "relevance-score", "relevance_score": "relevance-score",
    "inputPushToken": "input-push-token", "input_push_token": "input-push-token",
    "inputPushChannel": "input-push-channel", "input_push_channel": "input-push-channel",
    "events": "event",
  ]

  /// The name, when it is one of them.
  static func alias(_ name: MemberName) -> String? {
    guard name.isForeign else { return nil }
    let text = String(decoding: name.bytes, as: UTF8.self)
    return meant[text] == nil ? nil : text
  }
}
