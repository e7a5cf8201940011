/// Tokens that never come, die, are replaced, or are taken for others.
extension StoryKind {
  static let tokens: [StoryKind] = [
    StoryKind(6..<12, hours: leakHours, updateTokenMissing),
    StoryKind(4..<10, tokenGone),
    StoryKind(4..<10, superseded),
    StoryKind(2..<4, hours: leakHours, wrongEnvironment),
    StoryKind(3..<5, kindMismatch),
  ]

  /// No token ever; and no end either; or it comes after five minutes; or a push asked for it.
  private static func updateTokenMissing(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card()
    let fresh: StoryRow.Members = ["stale-date": .unix(start + 10.hours)]
    if number % 4 == 3 {
      plot.pushStart(card, start, shown: false, ["input-push-token": 1])
      plot.show(card, start + 4.seconds, "active", ["key": "\(card.key)"])
    } else {
      plot.begin(card, start, ["push-type": "token"], fresh)
    }
    if number % 4 == 2 { plot.token(card, start + 5.minutes) }
    if number % 4 == 1 {
      plot.find("never-ended", card)
    } else {
      plot.appEnd(card, start + 25.minutes)
    }
    plot.find("update-token-missing", card)
  }

  /// 410, and nobody looks after the card: the sender goes on for an hour, or falls silent though
  /// the order goes on.
  private static func tokenGone(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card()
    let gone: StoryRow.Members = ["status": 410, "reason": "Unregistered"]
    plot.start(card, start)
    plot.work(card, start, "open")
    plot.update(card, start + 10.minutes, 1)
    plot.update(card, start + 20.minutes, 2, gone)
    if number % 2 == 0 {
      plot.update(card, start + 30.minutes, 3, gone)
      plot.update(card, start + 40.minutes, 4, gone)
      plot.find("send-after-terminal", card)
    }
    plot.work(card, start + 120.minutes, "finished")
    plot.find("token-gone-no-recovery", card)
  }

  /// A push to the former token minutes after the new one came; taken, or answered 410.
  private static func superseded(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let former = plot.card()
    var card = former
    card.token = plot.token("second update \(card.number)")
    plot.start(former, start)
    plot.update(former, start + 5.minutes, 1)
    plot.token(
      card, start + 10.minutes, number % 2 == 0 ? [:] : ["replaces": "\(former.token)"])
    if number % 2 == 0 {
      plot.update(former, start + 14.minutes, 2)
    } else {
      plot.update(former, start + 14.minutes, 2, ["status": 410, "reason": "Unregistered"])
      plot.find("update-not-delivered", card)
    }
    plot.update(card, start + 22.minutes, 3)
    plot.end(card, start + 30.minutes)
    plot.find("superseded-token-used", card)
  }

  /// A development build's token at the production host: repaired at once, or never.
  private static func wrongEnvironment(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card("Sandbox")
    let own: StoryRow.Members = ["environment": "sandbox"]
    plot.begin(card, start, ["push-type": "token"], own)
    plot.token(card, start + 1.seconds, own)
    let wrong: StoryRow.Members = [
      "host": "api.push.apple.com", "status": 400, "reason": "BadDeviceToken",
    ]
    let right: StoryRow.Members = ["host": "api.sandbox.push.apple.com"]
    let push = plot.push()
    let at = start + 10.minutes
    plot.update(card, at, 1, wrong, ["apns-id": "\(push)"])
    if number % 2 == 0 {
      plot.update(
        card, at + 9.seconds, 1, right,
        [
          "apns-id": "\(push)", "timestamp": .unix(at), "attempt": 2,
          "stale-date": .unix(at + 40.minutes),
        ])
      plot.end(card, start + 25.minutes, right)
    } else {
      plot.end(card, start + 25.minutes, wrong)
      plot.find("update-not-delivered", card)
      plot.find("end-not-delivered", card)
    }
    plot.find("wrong-environment-token")
  }

  /// An update to the start token or to the device's, a start to the token of a card.
  private static func kindMismatch(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card("Mistaken")
    let other = plot.token("other \(card.number)")
    let refused: StoryRow.Members = ["status": 400, "reason": "BadDeviceToken"]
    if number % 3 < 2 {
      plot.line(
        "token", start - 1.minutes, card.phone,
        [
          [
            "device": "\(card.device)", "bundle-id": "\(card.bundle)",
            "attributes-type": "\(card.type)", "token-kind": number % 3 == 0 ? "start" : "device",
            "token": "\(other)",
          ]
        ])
    }
    plot.start(card, start)
    plot.update(card, start + 8.minutes, 1)
    if number % 3 < 2 {
      plot.update(card, start + 14.minutes, 2, refused, ["token": "\(other)"])
    } else {
      let next = plot.another(card)
      let row = plot.pushStart(
        next, start + 14.minutes, shown: false,
        ["token": "\(card.token)", "status": 400, "reason": "BadDeviceToken"])
      plot.find("start-not-delivered", start: row, next)
    }
    plot.update(card, start + 15.minutes, 3)
    plot.end(card, start + 26.minutes)
    plot.find("token-kind-mismatch")
  }
}
