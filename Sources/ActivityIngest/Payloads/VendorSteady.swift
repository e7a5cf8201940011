internal import ActivityCore

extension VendorCall {
  /// Words in names of what differs between two tries of one call.
  private static let fleeting: Set<String> = [
    "at", "attempt", "attempts", "code", "correlation", "date", "duration", "elapsed", "host",
    "latency", "level", "logger", "message", "ms", "msg", "offset", "pid", "request", "req",
    "response", "retries", "retry", "seconds", "seq", "severity", "span", "status", "thread",
    "time", "timestamp", "took", "trace", "tries", "try", "worker",
  ]

  /// What the record says beside the call, without what differs between two tries of it.
  var steady: [(name: String, value: JSONSlice)] {
    beside.filter { name, value in
      guard value.type != .object, value.type != .array else { return false }
      let words = APNsHeaders.canonical(name).split { !$0.isLetter && !$0.isNumber }
      return !words.contains { Self.fleeting.contains(String($0)) }
    }
  }
}
