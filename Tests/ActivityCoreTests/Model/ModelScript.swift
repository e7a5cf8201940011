internal import ActivityTestSupport
internal import Testing

/// A time of the worked examples: `10:00`, `10:00:30`, or `+1 10:00` for the next day.
func time(_ text: String) -> Int64 {
  let parts = text.split(separator: " ")
  let day = parts.count == 2 ? Int64(parts[0].dropFirst()) ?? 0 : 0
  let clock = (parts.last ?? "0").split(separator: ":").map { Int64($0) ?? 0 }
  let seconds = clock[0] * 3600 + clock[1] * 60 + (clock.count > 2 ? clock[2] : 0)
  // 2025-07-22T00:00:00Z.
  return (1_753_142_400 + day * 86_400 + seconds) * 1_000_000
}

/// The same as whole Unix seconds, for members of a line.
func seconds(_ text: String) -> Int64 {
  time(text) / 1_000_000
}

/// One line of activity `A`; members are JSON with ' for ".
func a(_ event: String, _ at: String, _ members: String = "") -> String {
  line(event, at, "'activity-id':'A'" + (members.isEmpty ? "" : "," + members))
}

/// One line with just these members.
func line(_ event: String, _ at: String, _ members: String = "") -> String {
  let micros = time(at)
  let tail = members.isEmpty ? "" : "," + members
  let text = "{'event':'\(event)','at':\(micros / 1_000_000)\(tail)}"
  return String(text.map { $0 == "'" ? "\"" : $0 })
}

/// Every life at an instant.
func lives(
  _ lines: [String], _ at: String, clock: ModelClock = .occurred, view: ModelView = .device
) throws -> [ModelActivity] {
  model(try ModelRow.rows(lines), clock: clock, at: time(at), view: view)
}

/// The only life at an instant.
func life(
  _ lines: [String], _ at: String, clock: ModelClock = .occurred, view: ModelView = .device
) throws -> ModelActivity {
  let all = try lives(lines, at, clock: clock, view: view)
  #expect(all.count == 1)
  return try #require(all.first)
}

/// What was not applied, as `seq:name`.
func refusals(_ activity: ModelActivity) -> [String] {
  activity.notApplied.map { "\($0.seq):\($0.name)" }
}
