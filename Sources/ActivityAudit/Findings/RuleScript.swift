/// The short form of event lines that examples are written in.
///
///     0m    start   A   key=K-1 source=app stale-date=@30m content
///     1h30m update  A   source=push status=503 alert
///     2h    work        key=K-1 outcome=finished
///
/// A line is a time, a kind, an activity id in capitals if there is one, and members. Times count
/// from 2026-01-05T00:00:00Z, and so do values with `@`. `content` and `alert` stand for the
/// members with some value, `content=2` for a content of its own; a `token` is written as a short
/// word; a value in brackets, such as `alert={"body":"B"}`, is taken as it is.
public enum RuleScript {
  /// 2026-01-05T00:00:00Z in Unix seconds.
  public static let origin: Int64 = 1_767_571_200

  /// Members whose values are numbers, besides those written with `@`.
  private static let numbers: Set<String> = [
    "status", "attempt", "bytes", "lost", "timestamp", "relevance-score", "input-push-token",
    "apns-priority", "apns-expiration", "stale-date", "dismissal-date", "start-date",
    "message-storage-policy", "gone-since", "from", "until",
  ]

  /// The script's lines as JSON; a line that cannot be read is left out.
  public static func lines(_ script: String) -> [String] {
    script.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count >= 2, let offset = seconds(words[0]) else { return nil }
      var members = ["\"event\":\"\(words[1])\"", "\"at\":\(origin + offset)"]
      for word in words.dropFirst(2) { members.append(member(word)) }
      return "{" + members.joined(separator: ",") + "}"
    }
  }

  private static func member(_ word: Substring) -> String {
    guard let equals = word.firstIndex(of: "=") else {
      switch word {
      case "content": return "\"content-state\":{\"n\":1}"
      case "alert": return "\"alert\":{\"title\":\"T\",\"body\":\"B\"}"
      default: return "\"activity-id\":\"\(word)\""
      }
    }
    let name = word[..<equals]
    let value = word[word.index(after: equals)...]
    if name == "token" || name == "replaces" { return "\"\(name)\":\"\(token(value))\"" }
    if name == "content" { return "\"content-state\":{\"n\":\(json(value, isNumber: false))}" }
    if name == "activities", !value.hasPrefix("[") {
      return "\"activities\":[\(listed(value))]"
    }
    return "\"\(name)\":\(json(value, isNumber: numbers.contains(String(name))))"
  }

  private static func json(_ value: Substring, isNumber: Bool) -> String {
    if value.hasPrefix("@") { return String(origin + (seconds(value.dropFirst()) ?? 0)) }
    if value.hasPrefix("{") || value.hasPrefix("[") { return String(value) }
    if value == "true" || value == "false" { return String(value) }
    return isNumber ? String(value) : "\"\(value)\""
  }

  /// A stored token's form, made from a short word.
  private static func token(_ word: Substring) -> String {
    let digits = Fingerprint.of("token", [String(word)])
    return "sha256:" + digits + digits
  }

  private static func listed(_ ids: Substring) -> String {
    ids.split(separator: ",")
      .map { "{\"activity-id\":\"\($0)\",\"state\":\"active\"}" }.joined(separator: ",")
  }

  /// `1h30m`, `90s`, `-5m`; nil for anything else.
  package static func seconds(_ text: Substring) -> Int64? {
    var total: Int64 = 0
    var number: Int64?
    let isNegative = text.hasPrefix("-")
    for character in isNegative ? text.dropFirst() : text {
      if let digit = character.wholeNumberValue {
        number = (number ?? 0) * 10 + Int64(digit)
        continue
      }
      guard let count = number else { return nil }
      switch character {
      case "h": total += count * 3600
      case "m": total += count * 60
      case "s": total += count
      default: return nil
      }
      number = nil
    }
    guard number == nil else { return nil }
    return isNegative ? -total : total
  }
}
