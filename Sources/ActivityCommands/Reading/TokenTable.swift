internal import ActivityCore

/// One line of somebody's own token table: the token's fingerprint and whatever stood behind it.
struct TokenLine: Equatable {
  var fingerprint: String
  /// What follows the first tab, comma, semicolon or space; nil when nothing did.
  var rest: String?

  /// The fewest bytes of a push token.
  static let bytesMin = 32

  /// Nil when the line does not begin with a token: hex in any case or base64 of at least 32
  /// bytes, in quotes or not, or a fingerprint.
  init?(_ line: [UInt8]) {
    var line = line[...]
    if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
    let separators = Array("\t,; ".utf8)
    var token = line.prefix { !separators.contains($0) }
    let hasRest = token.endIndex < line.endIndex
    let rest = line.dropFirst(token.count + 1)
    if token.count > 2, token.first == UInt8(ascii: "\""), token.last == UInt8(ascii: "\"") {
      token = token.dropFirst().dropLast()
    }
    let bytes = Array(token)
    guard TokenDigest.isDigest(bytes) || TokenLine.isToken(bytes) else { return nil }
    var digest: [UInt8] = []
    TokenDigest.append(digestOf: bytes, to: &digest)
    fingerprint = String(decoding: digest, as: UTF8.self)
    self.rest = hasRest ? String(decoding: rest, as: UTF8.self) : nil
  }

  private static func isToken(_ text: [UInt8]) -> Bool {
    (TokenDigest.decoded(text)?.count ?? 0) >= bytesMin
  }
}

/// The lines of standard input, read to its end.
struct TokenTable {
  private(set) var lines: [TokenLine] = []
  /// Numbers of the lines that are no token, from 1 on.
  private(set) var refused: [Int] = []

  /// A longer line is no token, and is not kept.
  private static let lineBytesMax = 64 << 10
  private static let chunkBytes = 64 << 10

  init(_ environment: Environment) throws(CommandError) {
    var number = 0
    var pending: [UInt8] = []
    while true {
      let chunk = try environment.readInput(TokenTable.chunkBytes)
      guard !chunk.isEmpty else { break }
      var rest = chunk[...]
      while let feed = rest.firstIndex(of: UInt8(ascii: "\n")) {
        keep(rest[..<feed], in: &pending)
        number += 1
        take(pending, number)
        pending.removeAll(keepingCapacity: true)
        rest = rest[(feed + 1)...]
      }
      keep(rest, in: &pending)
    }
    if !pending.isEmpty { take(pending, number + 1) }
  }

  private func keep(_ part: ArraySlice<UInt8>, in pending: inout [UInt8]) {
    pending += part.prefix(
      TokenTable.lineBytesMax + 1 - min(pending.count, TokenTable.lineBytesMax))
  }

  private mutating func take(_ line: [UInt8], _ number: Int) {
    guard line.contains(where: { $0 > 0x20 }) else { return }
    guard line.count <= TokenTable.lineBytesMax, let token = TokenLine(line) else {
      refused.append(number)
      return
    }
    lines.append(token)
  }
}

/// What a log knows of tokens: their activities, and what the audit found of these.
struct TokenFindings {
  struct Activity {
    var name: String
    var activityID: String?
    var key: String?
    /// Rules of its findings at Now, each once, the worst first.
    var rules: [String] = []
  }

  /// By fingerprint, in the order of the log.
  private(set) var activities: [String: [Activity]] = [:]

  /// - Parameter rules: By name of an activity, the rules of its findings.
  init(_ wanted: Set<String>, in resolution: Resolution, rules: [String: [String]]) {
    var codes: [Int32: String] = [:]
    for token in wanted {
      if let code = resolution.set.texts.code(of: Array(token.utf8)) { codes[Int32(code)] = token }
    }
    guard !codes.isEmpty else { return }
    for (activity, members) in resolution.members.enumerated() {
      let rows = members.map { resolution.set.rows[Int($0)] }
      let tokens = Set(rows.compactMap { codes[$0.token] })
      guard !tokens.isEmpty else { continue }
      let name = resolution.names[activity].printed(resolution.set.texts)
      var found = Activity(name: name, rules: rules[name] ?? [])
      if case .activity = resolution.names[activity] { found.activityID = name }
      found.key = rows.last { $0.key >= 0 }.flatMap { resolution.set.text($0.key) }
      for token in tokens { activities[token, default: []].append(found) }
    }
  }
}
