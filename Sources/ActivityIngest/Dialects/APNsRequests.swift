internal import ActivityCore

/// Logs of servers that send pushes to APNs themselves, whatever their shape: a record is searched
/// for the payload, and for what libraries and loggers write around it (DOMAIN 2 and 3.1).
///
/// - A payload is an object with `aps`, anywhere, also as JSON in a string (`bytes` is then that
///   text's length, because it is what was sent), or the content of `aps` under a usual name. It
///   may be the whole record, and may stand in a line of text.
/// - An act and its answer on one record are one event. A list of tokens, of requests or of answers
///   (`sent`, `failed`) gives one event each.
/// - A record with an answer and no payload is a `response`; an error without an answer is a
///   `failure`, beside the act where the payload is there.
/// - A reason without a status gets the status that APNs always sends with it.
/// - Ordinary pushes are skipped. A push to a Live Activity without `event` is refused.
///
/// **Pairing.** A request is known by its `apns-id`; where it has none, by another id of the record
/// (`requestId`, `reqId`, `traceId` …), as `join:<id>:<mark>`: the mark is of its token, word and
/// `timestamp`, so that pushes under one request id stay apart and the tries of one push do not. An
/// answer on a record of its own is one `response`, if it has an `apns-id`, a token or a reason of
/// APNs, or says that it is about a push: a web server's own answer is none. Where an earlier
/// record of the source had its `apns-id`, that pairs it; an answer to an ordinary push is skipped.
/// Otherwise APNs made the id up, because the request had none: the token or the channel pairs it,
/// without one the request id, where one push had that, and the real id is in `raw`; only where
/// there is nothing else it keeps its `apns-id`. The ids of the latest 262 144 requests at least
/// are remembered.
///
/// **What is not APNs'.** The status of a request to another host is `vendor-status`. A `reason`
/// that APNs does not have is one only beside a refusal. A text that stands for all tokens alike is
/// no token.
///
/// A source that is resumed in its middle is not read again from its beginning for that: what was
/// asked before is then unknown, and the token pairs its answer. So the two forms of an answer have
/// different ids, and pieces that overlap never contradict each other.
///
/// A trace may be shared by pushes to several devices: starts do not take its id. An act that has
/// its answer needs no other id; one of several, to different tokens, has none. More than 2 000
/// members around a payload, or more than 16 MiB of events of one record, are refused.
package struct APNsRequests: Dialect {
  package static let name = "apns"
  package static let summary = "requests to APNs, payloads and answers in the log of a server"
  package static let framing = Framing.json

  private let time: SourceTime
  private var memory = RequestMemory()

  package init(_ settings: SourceSettings) { time = SourceTime(settings) }

  package static func likeness(of record: SourceRecord) -> Int {
    if record.json == nil, CurlTranscript.likeness(of: record) > 0 { return 0 }
    let reading = RequestReading(record, SourceTime(SourceSettings()))
    let isNative = NativeLines.likeness(of: record) > 0
    switch reading.content {
    case .act where reading.isForOthers: return 2
    case .act: return isNative || reading.isSure ? 6 : 5
    case .batch, .hook: return 5
    case .results where !isNative: return 4
    case .noEvent, .broken, .noPayload: return isNative ? 0 : 3
    case .answer:
      if isNative && isOurs(record) { return 0 }
      return isNative ? 6 : reading.isSure ? 4 : 1
    case .ordinary: return isNative ? 0 : 1
    case .results, .channels, .nothing: return 0
    }
  }

  /// Whether its event is a word of ours.
  private static func isOurs(_ record: SourceRecord) -> Bool {
    let word = record.json?["event"]?.string
    return EventKind.allCases.contains { $0.word == word }
  }

  package static func map(of records: [SourceRecord]) -> [UInt8] { RequestMap(records).spelled }

  package mutating func read(
    _ record: SourceRecord, into events: inout [EventDraft]
  ) -> RecordOutcome {
    RequestReading(record, time).events(&memory, into: &events)
  }
}
