internal import ActivityCore

/// Numbers as sentences of findings say them.
enum Wording {
  /// `40 s`, `22 min`, `8 h 5 min`, `3 d 2 h`.
  static func length(_ span: Timestamp.Span) -> String {
    let seconds = max(0, span.microseconds / 1_000_000)
    if seconds < 60 { return "\(seconds) s" }
    let minutes = seconds / 60
    if minutes < 60 { return "\(minutes) min" }
    let hours = minutes / 60
    if hours < 48 { return minutes % 60 == 0 ? "\(hours) h" : "\(hours) h \(minutes % 60) min" }
    return hours % 24 == 0 ? "\(hours / 24) d" : "\(hours / 24) d \(hours % 24) h"
  }

  /// `15m`, `1h30m`, `45s`: as durations are typed.
  static func short(_ span: Timestamp.Span) -> String {
    let seconds = max(0, span.microseconds / 1_000_000)
    let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "m"), (seconds % 60, "s")]
    let text = parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
    return text.isEmpty ? "0s" : text
  }

  /// `1 update`, `3 updates`.
  static func count(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  /// `1 push`, `3 pushes`.
  static func count(_ count: Int, _ noun: String, _ plural: String) -> String {
    "\(count) \(count == 1 ? noun : plural)"
  }

  /// Why an act did not take effect: `503 ServiceUnavailable`, `too-big`.
  static func loss(_ entry: Entry, _ log: AuditLog) -> String {
    guard entry.isRefused else { return entry.outcome.word }
    let words = [entry.status.map(String.init), log.text(entry.reason)].compactMap(\.self)
    return words.isEmpty ? "refused" : words.joined(separator: " ")
  }
}
