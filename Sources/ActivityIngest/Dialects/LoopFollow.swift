internal import ActivityCore

/// LoopFollow's own log: `[11:32:45] [General] [LA] updated id=… seq=12 reason=…`, as its files and
/// Xcode's console have it, or with the message inside a collector's JSON.
///
/// Its lines say what happened to which activity, not what was shown: content comes only from a
/// record that has it, with its own `seq` and `producedAt`; the `seq` of a line is in `rest`,
/// because that name means the log's own. The lines of its files have a time of day and no date:
/// `--set date=2026-11-20` says which day the file is of. Of a token it writes the last digits
/// only, and of some ends no id; both are skipped.
package struct LoopFollow: Dialect {
  package static let name = "loopfollow"
  package static let summary = "LoopFollow's own log of its Live Activity"
  package static let framing = Framing.json

  private static let type = "GlucoseLiveActivityAttributes"

  private let clock: SourceTime
  private let day: String?

  package init(_ settings: SourceSettings) {
    clock = SourceTime(settings)
    day = settings.constants.first { $0.name == "date" }?.value
  }

  package static func likeness(of record: SourceRecord) -> Int {
    let line = LoopFollowLine(record)
    let isOurs = line.message.hasPrefix("[LA] ")
    if LoopFollowEvent(line.message) != nil {
      // Without its frame a message may be any app's.
      return line.isFramed || line.hasCategory ? 9 : isOurs ? 6 : 0
    }
    guard line.isFramed else { return line.hasCategory && isOurs ? 6 : 0 }
    return line.isAboutCard ? 6 : 2
  }

  package mutating func read(
    _ record: SourceRecord, into events: inout [EventDraft]
  ) -> RecordOutcome {
    let line = LoopFollowLine(record)
    guard let said = LoopFollowEvent(line.message) else {
      return .skipped(line.isAboutCard ? "it names no activity" : "not about a Live Activity")
    }
    let time = at(line)
    if let refusal = time.refusal { return refusal }
    var draft = EventDraft(said.kind)
    draft.set("at", instant: time.at)
    // The same line in the file of another day is another event.
    if time.isOfNamedDay, let day { draft.form = "on \(day)" }
    if ["start", "update", "end"].contains(said.kind) { draft.set("source", text: "app") }
    draft.set("activity-id", text: said.fields["id"])
    if said.kind == "start" || said.kind == "failure" {
      draft.set("attributes-type", text: Self.type)
    }
    if said.kind == "start" { draft.set("push-type", text: "token") }
    for (name, text) in said.members { draft.set(name, text: text) }
    if said.kind == "failure" { fail(said.thrown, line, into: &draft) }
    let content = line.beside.first {
      ["contentState", "content-state", "state"].contains($0.name)
    }
    if let content, content.value.type == .object { draft.set("content-state", content.value) }
    for name in said.order where name != "id" && !(name == "state" && said.kind == "state") {
      if let value = said.fields[name].flatMap({ Self.value($0) }) { draft.keep(name, value) }
    }
    draft.set("recorder", line.beside.first { $0.name == "device" }?.value)
    for (name, value) in line.beside where name != content?.name {
      if !["device", "build", "environment"].contains(name) || !draft.set(name, value) {
        draft.keepBeside(name, value)
      }
    }
    events.append(draft)
    return .events
  }

  private static func value(_ text: String) -> JSONSlice? {
    JSONSlice(Array(text.utf8)) ?? ModuleCall.text(text)
  }

  private func fail(_ message: String, _ line: LoopFollowLine, into draft: inout EventDraft) {
    let thrown = ModuleError(ModuleCall.text(message))
    let text = "\(draft["at"]?.spelling ?? "") \(message)"
    draft.set("key", text: "threw:" + TokenDigest.digest(of: text).dropFirst(7).prefix(12))
    draft.set("domain", text: thrown.domain)
    draft.set("case", text: thrown.caseName)
    draft.set("message", text: message)
  }

  /// When a line was written: as the record says, else its time of day on the day that was named.
  private func at(
    _ line: LoopFollowLine
  ) -> (at: Timestamp?, isOfNamedDay: Bool, refusal: RecordOutcome?) {
    var texts = line.times
    if let instant = texts.lazy.compactMap({ clock.instant($0) }).first {
      return (instant, false, nil)
    }
    if let day, let time = line.timeOfDay {
      if let instant = clock.instant("\(day) \(time)") { return (instant, true, nil) }
      texts.append("\(day) \(time)")
    }
    if let text = texts.first(where: { clock.lacksZone($0) }) {
      let sentence = "The time \(text) names no time zone; say which it is with --tz."
      return (nil, false, .refused(code: "no-zone", sentence: sentence))
    }
    guard let clock = line.timeOfDay else { return (nil, false, nil) }
    let sentence = """
      The line has a time of day (\(clock)) and no date; its file's name has one: say it with \
      --set date=YYYY-MM-DD.
      """
    return (nil, false, .refused(code: "no-date", sentence: sentence))
  }
}
