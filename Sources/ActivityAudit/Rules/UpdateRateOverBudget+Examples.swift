extension UpdateRateOverBudget {
  /// Updates every so many seconds from the first minute on, each a content of its own.
  private static func updates(_ count: Int, every seconds: Int, _ rest: String) -> String {
    (0..<count).map { place in
      let at = 60 + place * seconds
      return """
        \(at)s update A source=push timestamp=@\(at)s stale-date=@\(at + 600)s \(rest) \
        content-state={"n":\(place + 2)}
        """
    }.joined(separator: "\n")
  }

  private static let begin = "0m start A source=app device=phone stale-date=@10m content\n"
  private static let end = "\n45m end A source=app device=phone content"

  static let firing = [
    RuleExample(
      "an urgent push every three minutes",
      begin + updates(14, every: 180, "apns-priority=10") + end, finds: .inferred),
    RuleExample(
      "updates in a burst",
      """
      0m start A source=app device=phone stale-date=@30m content
      1m update A source=push timestamp=@1m stale-date=@30m apns-priority=5 content=2
      1m update A source=push timestamp=@1m stale-date=@30m apns-priority=5 content=3
      1m update A source=push timestamp=@1m stale-date=@30m apns-priority=5 content=4
      1m update A source=push timestamp=@1m stale-date=@30m apns-priority=5 content=5
      20m end A source=app device=phone content=6
      """, finds: .inferred),
  ]

  static let passing = [
    RuleExample(
      "the same at priority 5", begin + updates(14, every: 180, "apns-priority=5") + end),
    RuleExample(
      "a device that allows frequent pushes",
      "0m authorization device=phone enabled=true frequent=true\n" + begin
        + updates(14, every: 180, "apns-priority=10") + end),
    RuleExample(
      "twelve attempts of one update",
      begin
        + (0..<13).map {
          "\(60 + $0)s update A source=push apns-id=P1 apns-priority=10 status=503 content=2"
        }.joined(separator: "\n")
        + "\n80s update A source=push apns-id=P1 apns-priority=10 status=200 content=2" + end),
  ]
}
