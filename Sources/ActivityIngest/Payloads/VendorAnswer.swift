internal import ActivityCore

/// What a vendor answered: its own status and words, and the reason of APNs where it is handed
/// through.
struct VendorAnswer: Sendable {
  /// Whether the vendor did not do what it was asked.
  let isFailure: Bool
  let status: Int64?
  let message: String?
  /// A reason only APNs gives, and the status APNs gives it with.
  let apns: (status: Int64, reason: String)?
  /// Whether no answer came because no connection did.
  let isUnreached: Bool

  init(_ call: VendorCall) {
    let answer = call.answer
    status = call.status ?? Self.code(answer?["error"])
    isUnreached = status == nil && answer == nil && Self.isUnreached(call.error)
    let isRefused = status.map { $0 >= 400 } ?? (answer?["error"] != nil)
    isFailure = isRefused || isUnreached || answer.map(Self.deniesSuccess) ?? false
    guard isFailure else {
      message = nil
      apns = nil
      return
    }
    message = answer.flatMap(Self.words) ?? call.error
    let reason = answer.flatMap { Self.reason($0, depth: 0) }
    apns = reason.flatMap { reason in Self.statuses[reason].map { ($0, reason) } }
  }

  private static func code(_ error: JSONSlice?) -> Int64? {
    ["statusCode", "status", "code"].lazy.compactMap { name in
      error?[name].flatMap { Int64($0.string ?? $0.spelling) }
    }.first
  }

  /// A success over HTTP that says it is none: `"ok": false`, or errors and nothing sent.
  private static func deniesSuccess(_ answer: JSONSlice) -> Bool {
    if answer["ok"]?.type == .false { return true }
    let errors = answer["errors"]
    let hasErrors = errors?.elements.isEmpty == false || errors?.members.isEmpty == false
    let sent = ["id", "notification_id", "dispatch_id", "push_ids"].contains { name in
      answer[name].map { $0.string != "" && $0.type != .null } ?? false
    }
    return hasErrors && !sent
  }

  private static func words(_ answer: JSONSlice) -> String? {
    for name in ["message", "detail", "error", "errors", "title", "reason", "meta"] {
      guard let value = answer[name] else { continue }
      if let text = value.string, !text.isEmpty { return text }
      if let first = value.elements.first, let text = first.string ?? words(first) { return text }
      if let text = words(value) { return text }
    }
    return nil
  }

  private static func isUnreached(_ error: String?) -> Bool {
    guard let text = error?.lowercased() else { return false }
    return ["econnrefused", "enotfound", "eai_again", "connection refused", "could not resolve"]
      .contains { text.contains($0) }
  }

  /// Reasons whose words nobody but APNs uses, and their status.
  private static let statuses: [String: Int64] = {
    let lists: [(Int64, String)] = [
      (400, "BadDeviceToken DeviceTokenNotForTopic MissingDeviceToken BadTopic MissingTopic"),
      (400, "TopicDisallowed InvalidPushType BadExpirationDate BadPriority BadMessageId"),
      (400, "BadCollapseId PayloadEmpty MissingChannelId BadChannelId"),
      (403, "ExpiredProviderToken InvalidProviderToken MissingProviderToken BadCertificate"),
      (403, "BadCertificateEnvironment FeatureNotEnabled BadEnvironmentKeyInToken"),
      (403, "BadEnvironmentKeyIdInToken UnrelatedKeyIdInToken"),
      (410, "Unregistered ExpiredToken ChannelNotRegistered"),
      (413, "PayloadTooLarge"), (429, "TooManyProviderTokenUpdates"),
    ]
    var statuses: [String: Int64] = [:]
    for (status, list) in lists {
      for reason in list.split(separator: " ") { statuses[String(reason)] = status }
    }
    return statuses
  }()

  /// The first reason in an answer. One that is an English word too must be all of its text.
  private static func reason(_ value: JSONSlice, depth: Int) -> String? {
    if let text = value.string {
      if statuses[text] != nil { return text }
      return text.split { !$0.isLetter }.map(String.init).first { word in
        statuses[word] != nil && word.dropFirst().contains(where: \.isUppercase)
      }
    }
    guard depth < 8 else { return nil }
    for inner in value.members.map(\.value) + value.elements {
      if let found = reason(inner, depth: depth + 1) { return found }
    }
    return nil
  }
}
