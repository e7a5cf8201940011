package import ActivityCore

/// The headers of a request to APNs or of its answer, in any case, as an object or a list of pairs.
package struct APNsHeaders {
  private let fields: [(name: String, value: JSONSlice)]

  package init(_ value: JSONSlice) {
    switch value.type {
    case .object: fields = value.members.map { (Self.canonical($0.name), $0.value) }
    case .array:
      fields = value.elements.compactMap { pair in
        let parts = pair.elements
        if parts.count == 2, let name = parts[0].string { return (Self.canonical(name), parts[1]) }
        guard let name = (pair["name"] ?? pair["key"])?.string, let value = pair["value"] else {
          return nil
        }
        return (Self.canonical(name), value)
      }
    case .string, .number, .true, .false, .null: fields = []
    }
  }

  /// `apnsPushType`, `APNS_PUSH_TYPE` and `Apns-Push-Type` are `apns-push-type`.
  package static func canonical(_ name: String) -> String {
    var text = ""
    var wasLower = false
    for character in name {
      if character.isUppercase, wasLower { text.append("-") }
      wasLower = character.isLowercase || character.isNumber
      text.append(character == "_" ? "-" : Character(character.lowercased()))
    }
    return text
  }

  /// The value of a header, by its name in small letters; the first of a list.
  package subscript(name: String) -> JSONSlice? {
    guard let value = fields.first(where: { $0.name == name })?.value else { return nil }
    return value.type == .array ? value.elements.first : value
  }

  /// What the path of a request names.
  package enum Target: Equatable {
    case device(token: String)
    case broadcast(bundle: String)
  }

  /// Reads `/3/device/<token>` and `/4/broadcasts/apps/<bundle>`, also at the end of a URL.
  package static func target(_ path: String) -> Target? {
    if let token = path.part(behind: "/3/device/", until: isEnd) {
      return token.isEmpty ? nil : .device(token: token)
    }
    if let bundle = path.part(behind: "/4/broadcasts/apps/", until: isEnd) {
      return bundle.isEmpty ? nil : .broadcast(bundle: bundle)
    }
    return nil
  }

  private static func isEnd(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "?"), UInt8(ascii: "/"), UInt8(ascii: " "), UInt8(ascii: "\""),
      UInt8(ascii: "'"):
      true
    default: false
    }
  }

  private static let own: Set<String> = [
    "apns-id", "apns-topic", "apns-push-type", "apns-priority", "apns-expiration",
    "apns-collapse-id",
  ]

  /// Adds what the headers of a request say; the authorization is never kept.
  package func take(into draft: inout EventDraft) {
    for (name, value) in fields where APNsHeaders.own.contains(name) {
      draft.set(name, value.type == .array ? value.elements.first : value)
    }
    draft.set("channel", self["apns-channel-id"])
    if let host = (self["host"] ?? self[":authority"])?.string { draft.setHost(host) }
    if let path = (self[":path"] ?? self["path"])?.string { draft.setTarget(path) }
    if let bundle = self["apns-topic"]?.string.flatMap({ APNsTopic.bundle($0) }) {
      draft.set("bundle-id", text: bundle)
    }
  }
}

/// `<bundle id>.push-type.liveactivity`.
package enum APNsTopic {
  package static let suffix = ".push-type.liveactivity"

  /// The bundle a topic of Live Activities names; nil for any other topic.
  package static func bundle(_ topic: String) -> String? {
    let bytes = topic.utf8
    guard bytes.count > suffix.utf8.count,
      bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    else { return nil }
    return String(bytes.dropLast(suffix.utf8.count))
  }
}

extension EventDraft {
  /// The host a push went to, and with it the environment.
  package mutating func setHost(_ text: String) {
    var host = text.utf8[...]
    while let colon = host.firstIndex(of: UInt8(ascii: ":")),
      host[colon...].starts(with: "://".utf8)
    {
      host = host[colon...].dropFirst(3)
    }
    let end = host.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ":") }
    guard let name = String(host[..<(end ?? host.endIndex)]), name.hasSuffix("push.apple.com")
    else { return }
    set("host", text: name)
    set(
      "environment",
      text: name.holds("sandbox") || name.holds("development")
        ? "sandbox" : "production")
  }

  /// What the path of a request names: a token, or the bundle of a broadcast.
  package mutating func setTarget(_ path: String) {
    if path.contains("://") { setHost(path) }
    switch APNsHeaders.target(path) {
    case .device(let token): set("token", text: token)
    case .broadcast(let bundle): set("bundle-id", text: bundle)
    case nil: break
    }
  }
}
