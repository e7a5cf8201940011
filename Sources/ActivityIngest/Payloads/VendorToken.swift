internal import ActivityCore

/// Tokens in calls to vendors: those of activities, and those that other services give to apps.
enum VendorToken {
  /// The record with digests in place of the tokens in it: those of 32 bytes or more under a name
  /// that says so, and registration tokens of Firebase (`…:APA91…`) wherever they stand, which each
  /// name an app on a device.
  static func digested(_ record: SourceRecord) -> SourceRecord {
    guard let json = record.json else { return record }
    var tokens = registrations(record.bytes)
    let text = record.text
    if text.holds("oken") || text.holds("OKEN") {
      collect(json, isNamed: false, depth: 0, into: &tokens)
    }
    return record.digesting(tokens.sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) })
  }

  private static let depthMax = 16

  /// What the device reads stays as it is.
  private static let contents: Set<String> = [
    "aps", "contentstate", "attributes", "eventupdates", "eventattributes", "activityattributes",
  ]

  private static func collect(
    _ value: JSONSlice, isNamed: Bool, depth: Int, into tokens: inout Set<String>
  ) {
    guard depth < depthMax else { return }
    switch value.type {
    case .object:
      for (name, value) in value.members {
        let name = name.lowercased()
        if contents.contains(name.filter { $0 != "_" && $0 != "-" }) { continue }
        let isNamed = name.hasSuffix("token") || name.hasSuffix("tokens")
        collect(value, isNamed: isNamed, depth: depth + 1, into: &tokens)
      }
    case .array:
      for value in value.elements {
        collect(value, isNamed: isNamed, depth: depth + 1, into: &tokens)
      }
    case .string:
      if let document = VendorCall.document(value) {
        collect(document, isNamed: false, depth: depth + 1, into: &tokens)
      } else if isNamed, let text = value.string, isLong(text) {
        tokens.insert(text)
      }
    case .number, .true, .false, .null: break
    }
  }

  private static func isLong(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count >= 40 && TokenDigest.decoded(bytes)?.count ?? 0 >= 32
  }

  private static let mark = Array("APA91".utf8)

  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: false
    }
  }

  private static func registrations(_ bytes: [UInt8]) -> Set<String> {
    var tokens: Set<String> = []
    var place = 0
    while let found = bytes[place...].firstIndex(of: mark[0]) {
      place = found + 1
      guard bytes[found...].starts(with: mark) else { continue }
      var start = found
      while start > 0, isPart(bytes[start - 1]) { start -= 1 }
      if start > 1, bytes[start - 1] == UInt8(ascii: ":"), isPart(bytes[start - 2]) {
        start -= 1
        while start > 0, isPart(bytes[start - 1]) { start -= 1 }
      }
      place = bytes[found...].firstIndex { !isPart($0) } ?? bytes.count
      tokens.insert(String(decoding: bytes[start..<place], as: UTF8.self))
    }
    return tokens
  }
}

extension SourceRecord {
  /// The record with digests in place of tokens, wherever they stand in it.
  func digesting(_ tokens: [String]) -> SourceRecord {
    let tokens = tokens.filter { $0.utf8.count >= 8 }
    guard !tokens.isEmpty else { return self }
    var text = text
    for token in tokens {
      let digest = TokenDigest.digest(of: token)
      text = text.replacing(token, with: digest)
      // As PHP spells a slash.
      if token.contains("/") {
        text = text.replacing(token.replacing("/", with: "\\/"), with: digest)
      }
    }
    let bytes = Array(text.utf8)
    return SourceRecord(line: line, bytes: bytes, json: JSONSlice(bytes) ?? json)
  }
}
