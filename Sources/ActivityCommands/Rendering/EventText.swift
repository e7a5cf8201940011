internal import ActivityCore

/// One event as a line for people: when, which, what, about whom, and the member that matters.
struct EventText {
  let time: TimeText
  /// With the date before the clock, for output that may span midnight.
  var dated = false

  /// `18:09:12      1042  end       A-1042    push 403 ExpiredProviderToken · status=delivered`.
  func line(_ row: EventRow) -> Styled {
    head(row.at, seq: String(row.seq), word: row.kindWord, who: EventText.who(row))
      + Styled(EventText.details(row))
  }

  /// What only the clock implies, without a seq but with the seq that caused it.
  func clockLine(_ word: String, at: Timestamp, who: String, because seq: Int64) -> Styled {
    head(at, seq: "~", word: "~" + word, who: who) + Styled("because of event \(seq)", .dim)
  }

  private func head(_ at: Timestamp?, seq: String, word: String, who: String) -> Styled {
    let clock = at.map { (dated ? time.date($0) + " " : "") + time.clock($0) } ?? "-"
    let number = String(repeating: " ", count: max(0, 8 - seq.count)) + seq
    return Styled("\(clock)  \(number)  ", .dim) + EventText.word(word)
      + Styled("  " + EventText.padded(who, 14) + "  ")
  }

  static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// The kind's word in its colour: what ends in red would be a lie, an end is what one wants.
  private static func word(_ word: String) -> Styled {
    let style: Style =
      switch word {
      case "start", "end": .green
      case "failure": .red
      case "stale", "~stale", "~end": .yellow
      case "alert": .cyan
      default: .plain
      }
    return Styled(padded(word, 13), style)
  }

  /// Whom a row is about: its key if it says one, else the shortest name that tells it apart.
  static func who(_ row: EventRow) -> String {
    if let key = row.key { return key }
    if let id = row.activityID { return id.count > 13 ? String(id.prefix(8)) : id }
    if let token = row.token { return "token:" + ActivityName.shortToken(token).prefix(8) }
    return row.channel ?? row.device ?? row.text(.recorder) ?? "-"
  }

  /// What makes this event different from the next one of its kind.
  static func details(_ row: EventRow) -> String {
    var parts: [String] = []
    func say(_ text: String?) { if let text, !text.isEmpty { parts.append(text) } }
    switch row.kind {
    case .start, .update, .alert, .end: parts = act(row)
    case .stale, .unknown: break
    case .dismiss: say(row.text(.by).map { "by \($0)" })
    case .state: say(row.text(.state))
    case .inventory: say(inventory(row))
    case .response: say(answer(row))
    case .failure:
      say(row.text(.operation))
      say(row["case"]?.string ?? row["code"].map { "code \($0.spelling)" })
      say(row["message"]?.string)
    case .token:
      say(row.text(.tokenKind))
      say(row.token.map { "token:" + ActivityName.shortToken($0).prefix(8) })
      say(row.text(.replaces).map { "replaces token:" + ActivityName.shortToken($0).prefix(8) })
    case .authorization: say(row.value(.enabled).map { $0 == 1 ? "enabled" : "disabled" })
    case .channel: say(row.text(.operation))
    case .work: say(row.text(.outcome))
    case .coverage: say(row["why"]?.string)
    }
    if let content = row["content-state"] { say(ContentText.brief(Array(content.text))) }
    return parts.joined(separator: " · ")
  }

  private static func act(_ row: EventRow) -> [String] {
    let asked = [row.text(.source), answer(row)].compactMap(\.self).joined(separator: " ")
    var parts = asked.isEmpty ? [] : [asked]
    if let policy = row.text(.dismissalPolicy) { parts.append("dismissal \(policy)") }
    if row.flags.contains(.alert), let alert = row["alert"] {
      let title = ContentText.title(ofAlert: Array(alert.text))
      parts.append(title.isEmpty ? "alert" : "alert \"\(title)\"")
    }
    return parts
  }

  private static func answer(_ row: EventRow) -> String? {
    let parts = [row.value(.status).map(String.init), row.text(.reason)].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  private static func inventory(_ row: EventRow) -> String {
    let listed = row.inventory.count
    let whole = row.value(.complete) == 1 ? ", complete" : ""
    return "\(listed) listed\(whole)"
  }
}
