internal import ActivityCore

/// Differences as people read them.
struct DiffText {
  let time: TimeText
  /// Its date goes without saying.
  let day: Timestamp

  /// The activity, then a line for each member that differs.
  func lines(_ difference: ActivityDifference) -> [Styled] {
    guard let state = difference.pair.present else { return [] }
    let sign: Styled =
      switch difference.change {
      case .appeared: Styled("+ ", .green)
      case .gone: Styled("- ", .red)
      case .changed: Styled("~ ", .yellow)
      }
    var lines = [
      sign + Styled(state.key.map { $0 + "  " } ?? "", .bold) + Styled(state.name)
    ]
    for member in difference.members {
      lines.append(line(member.name, text(member.before), text(member.after)))
    }
    if difference.isContentDamaged { lines.append(line("content-state", nil, "(damaged)")) }
    for place in difference.content {
      lines.append(
        line(
          place.pointer.isEmpty ? "content-state" : place.pointer,
          place.before.map { DiffText.value($0, place) },
          place.after.map { DiffText.value($0, place) }))
    }
    return lines
  }

  private func line(_ name: String, _ before: String?, _ after: String?) -> Styled {
    Styled("    ") + Styled(EventText.padded(name, 14) + "  ", .dim)
      + (before.map { DiffText.shortened($0) } ?? Styled("(none)", .dim)) + Styled(" → ")
      + (after.map { DiffText.shortened($0) } ?? Styled("(none)", .dim))
  }

  private static func shortened(_ text: String) -> Styled { Styled(text).shortened(to: 60) }

  /// A leaf in its exact spelling, a whole content in a few words.
  private static func value(_ json: [UInt8], _ place: ContentDifference) -> String {
    place.pointer.isEmpty ? ContentText.brief(json) : String(decoding: json, as: UTF8.self)
  }

  private func text(_ value: ActivityDifference.Value?) -> String? {
    switch value {
    case nil: nil
    case .word(let word): word
    case .instant(let instant):
      time.date(instant) == time.date(day) ? time.clock(instant) : time.instant(instant)
    }
  }
}

/// Differences for programs; every name is a promise.
enum DiffJSON {
  static func write(_ difference: ActivityDifference, into json: inout JSONText) {
    let state = difference.pair.present
    json.object {
      $0.member("schema", "activitylog.difference/1")
      $0.member("change", difference.change.rawValue)
      $0.member("activity-id", state?.activityID)
      $0.member("name", state?.name)
      $0.member("key", state?.key)
      $0.member("device", state?.device)
      $0.member("build", state?.build)
      $0.member("attributes-type", state?.attributesType)
      $0.array("members") {
        for member in difference.members {
          $0.object {
            $0.member("member", member.name)
            write("before", member.before, into: &$0)
            write("after", member.after, into: &$0)
          }
        }
      }
      $0.array("content") {
        for place in difference.content {
          $0.object {
            $0.member("pointer", place.pointer)
            $0.member(
              "change", place.before == nil ? "added" : place.after == nil ? "removed" : "changed")
            if let before = place.before { $0.member("before", raw: before) }
            if let after = place.after { $0.member("after", raw: after) }
          }
        }
      }
      if difference.isContentDamaged { $0.member("content-damaged", true) }
    }
  }

  private static func write(
    _ name: String, _ value: ActivityDifference.Value?, into json: inout JSONText
  ) {
    switch value {
    case nil: json.member(name, String?.none)
    case .word(let word): json.member(name, word)
    case .instant(let instant):
      if instant.hasText {
        json.member(name, instant.rfc3339)
      } else {
        json.member(name, instant.wholeSeconds)
      }
    }
  }
}
