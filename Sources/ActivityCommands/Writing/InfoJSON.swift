internal import ActivityAudit
internal import ActivityCore
internal import ActivityStore

/// What `info` prints for programs: one object.
enum InfoJSON {
  static func bytes(_ survey: LogSurvey, _ census: LogCensus) -> [UInt8] {
    var json = JSONText()
    json.object {
      $0.member("schema", "activitylog.info/1")
      $0.member("log", survey.log?.description)
      $0.member("events", survey.events)
      $0.member("first-seq", survey.events > 0 ? survey.firstSeq : nil)
      $0.member("last-seq", survey.events > 0 ? survey.lastSeq : nil)
      $0.member("bytes", survey.bytes)
      $0.member("durable-seq", survey.note?.syncedSeq)
      $0.member("policy", survey.note?.policy.rawValue)
      $0.member("writer-live", survey.isWriterLive)
      $0.member("head", survey.head.map { HexText.of($0.digest) })
      $0.member("head-covers-to", survey.head?.seqs.upperBound)
      $0.object("metadata") { list in
        for pair in survey.metadata { list.member(pair.key, pair.value) }
      }
      writeSpans(of: census, to: &$0)
      $0.array("segments") { list in
        for segment in survey.segments { list.object { write(segment, to: &$0) } }
      }
      writeCounts(of: census, to: &$0)
    }
    json.newline()
    return json.bytes
  }

  /// Both clocks.
  static func writeSpans(of census: LogCensus, to json: inout JSONText) {
    write(census.occurred, "occurred", to: &json)
    write(census.recorded, "recorded", to: &json)
  }

  /// What the events are, wherever they lie.
  static func writeCounts(of census: LogCensus, to json: inout JSONText) {
    json.object("kinds") { kinds in
      for (name, count) in census.kindsInOrder { kinds.member(name, count) }
    }
    json.object("needs") { write(census, to: &$0) }
    write(needsOf: census, to: &json)
    json.array("recorders") { list in
      for recorder in census.recorders {
        list.object {
          $0.member("recorder", recorder.name)
          $0.member("events", recorder.rows)
          $0.member("first-at", text(recorder.first))
          $0.member("last-at", text(recorder.last))
          $0.member("spans-lost", Int64(recorder.lost))
        }
      }
    }
  }

  private static func write(needsOf census: LogCensus, to json: inout JSONText) {
    json.array("needs-met") { list in
      for need in RuleInfo.Need.allCases where census.met.contains(need) {
        list.value(need.rawValue)
      }
    }
    json.array("not-judged") { list in
      for (need, rules) in census.unmet {
        list.object {
          $0.member("missing", need.rawValue)
          $0.array("rules") { for rule in rules { $0.value(rule) } }
        }
      }
    }
  }

  private static func write(
    _ range: ClosedRange<Int64>?, _ name: String, to json: inout JSONText
  ) {
    json.name(name)
    guard let range else { return json.null() }
    json.object {
      $0.member("first", text(range.lowerBound))
      $0.member("last", text(range.upperBound))
    }
  }

  private static func write(_ segment: LogSurvey.Segment, to json: inout JSONText) {
    json.member("name", segment.name)
    json.member("state", segment.state)
    json.member("first-seq", segment.firstSeq)
    json.member("last-seq", segment.events > 0 ? segment.lastSeq : nil)
    json.member("events", segment.events)
    json.member("commits", segment.commits)
    json.member("bytes", segment.bytes)
  }

  private static func write(_ census: LogCensus, to json: inout JSONText) {
    json.member("starts", census.kinds[.start] ?? 0)
    json.member("ends", census.kinds[.end] ?? 0)
    json.member("pushes", census.needs.pushes)
    json.member("pushes-answered", census.needs.answered)
    json.member("pushes-with-headers", census.needs.withHeaders)
    json.member("tokens", census.kinds[.token] ?? 0)
    json.member("device-evidence", census.needs.deviceEvidence)
    json.member("work", census.kinds[.work] ?? 0)
    json.member("with-key", census.needs.withKey)
  }

  private static func text(_ microseconds: Int64) -> String {
    TimeText(.utc).precise(Timestamp(microseconds: microseconds))
  }
}
