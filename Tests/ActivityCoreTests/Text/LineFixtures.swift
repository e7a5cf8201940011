import ActivityCore
import Testing

/// What suites about lines share.
protocol LineSuite {}

extension LineSuite {
  /// Lines as a batch; a line that is not taken fails the test.
  func batch(_ lines: [String], restoring: Bool = false) -> EventColumns {
    var reader = LineReader(restoring: restoring)
    for (index, line) in lines.enumerated() {
      let outcome = reader.read(Array(line.utf8)[...], number: index + 1)
      #expect(outcome == .row, "\(line)")
    }
    return reader.finish()
  }

  /// The rows of one batch.
  func rows(_ columns: EventColumns) -> EventRows {
    var reader = RowReader()
    return reader.rows(of: columns)
  }

  /// A line as the only row.
  func row(_ line: String) throws -> EventRow { try #require(rows(batch([line])).first) }

  /// The batch's payload lines.
  func payload(_ columns: EventColumns) -> [String] {
    guard case .lines(let bytes) = columns.payload else { return [] }
    return bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The batch's lines as export writes them; "lost" for a row that cannot be written.
  func export(_ columns: EventColumns, stamped: Bool = true) -> [String] {
    let writer = LineWriter(stamped: stamped)
    return rows(columns).map { row in
      writer.line(row).map { String(decoding: $0, as: UTF8.self) } ?? "lost"
    }
  }

  /// As the log does: `seq` from 1 on, recorded at one instant, a missing `at` taken from it.
  func stamped(_ columns: EventColumns) -> EventColumns {
    var columns = columns
    columns.firstSeq = 1
    for row in 0..<columns.count {
      columns.recordedAt[row] = 1_795_200_000_000_000 + Int64(row)
      if columns.at[row] == EventColumns.absent { columns.at[row] = columns.recordedAt[row] }
    }
    return columns
  }

  /// Why a line is refused; nil when it is taken.
  func refusal(_ line: String, restoring: Bool = false) -> LineRefusal? {
    refusal(Array(line.utf8), restoring: restoring)
  }

  func refusal(_ line: [UInt8], restoring: Bool = false) -> LineRefusal? {
    var reader = LineReader(restoring: restoring)
    guard case .refused(let refusal) = reader.read(line[...], number: 3) else { return nil }
    let left = reader.finish()
    #expect(left.count == 0 && left.texts.count == 0 && left.subjects.count == 0)
    #expect(payload(left).isEmpty)
    return refusal
  }
}

enum LineSamples {
  /// One full line of every kind, in canonical spelling and in an order that is not export's.
  static let everyKind = [
    #"""
    {"event":"start","at":1795197845,"activity-id":"A","device":"phone","bundle-id":"com.x",\#
    "environment":"production","attributes-type":"Order","attributes":{"n":1},\#
    "content-state":{"s":"a b"},"style":"standard","push-type":"token","start-date":1795197900,\#
    "input-push-channel":"c","alert":{"title":"t"},"id":"i-1","recorder":"r","source":"app",\#
    "build":"413","os":"17.5","producer":"activitykit","key":"K","stale-date":1795201445,\#
    "relevance-score":75.5}
    """#,
    #"""
    {"event":"update","token":"00ff00ff00ff00ff00ff00ff00ff00ff","activity-id":"A",\#
    "timestamp":1795197845,"stale-date":null,"content-state":{},"apns-id":"x","attempt":1,\#
    "host":"api.push.apple.com","bytes":312,"apns-topic":"t","apns-push-type":"liveactivity",\#
    "apns-priority":10,"apns-expiration":0,"apns-collapse-id":"z","status":200,"reason":"r",\#
    "source":"push"}
    """#,
    #"{"event":"alert","key":"K","alert":{"body":"b"},"status":410,"timestamp":5}"#,
    #"""
    {"event":"end","channel":"C","activity-id":"A","dismissal-policy":"after",\#
    "dismissal-date":1795197845.5,"end-reason":"app","content-state":{"s":1},\#
    "source":"broadcast"}
    """#,
    #"{"event":"stale","activity-id":"A"}"#,
    #"{"event":"dismiss","activity-id":"A","by":"person"}"#,
    #"{"event":"state","activity-id":"A","state":"active","stale-date":9,"content-state":[1]}"#,
    #"""
    {"event":"inventory","device":"phone","attributes-type":"Order","complete":true,\#
    "activities":[{"activity-id":"A","state":"active"},{"activity-id":"B"}]}
    """#,
    #"""
    {"event":"response","apns-id":"x","attempt":2,"final":true,"status":410,\#
    "reason":"Unregistered","gone-since":3}
    """#,
    #"""
    {"event":"failure","operation":"sign","domain":"d","code":3,"case":"c","message":"m",\#
    "token":"t0"}
    """#,
    #"{"event":"token","token":"00ff","token-kind":"update","replaces":"11ee","activity-id":"A"}"#,
    #"{"event":"authorization","device":"phone","enabled":false,"frequent":true}"#,
    #"{"event":"channel","channel":"C","operation":"create","message-storage-policy":1}"#,
    #"{"event":"work","key":"K","outcome":"finished"}"#,
    #"""
    {"event":"coverage","recorder":"r","from":1795197845,"until":1795197846,"lost":3,\#
    "why":"pruned"}
    """#,
    #"{"event":"teleport","key":"K","timestamp":20,"status":2e2,"anything":[{"a" : 1}]}"#,
  ]

  /// The same facts in spellings that no column reproduces.
  static let oddSpellings = [
    #"{"event":"update","activity-id":"A","timestamp":20,"status":200}"#,
    #"{"event":"update","activity-id":"A","timestamp":20.0,"status":200.0}"#,
    #"{"event":"update","activity-id":"A","timestamp":2e1,"status":2e2,"bytes":-0}"#,
    #"{"event":"update","activity-id":"A","timestamp":"2026-11-20T18:04:05Z"}"#,
    #"""
    {"event":"update","activity-id":"A","timestamp":20.50,"stale-date":20.5,\#
    "apns-expiration":1.0000001}
    """#,
    #"{"\u0065vent":"update","activity-id":"A"}"#,
    #"{"event":"upd\u0061te","activity-id":"A"}"#,
    #"{"event":"update","activity\u002did":"A","k\u0065y":"K"}"#,
    #"{"event":"update","activity-id":"\u0041","key":"a\"b\\c\n\u0001\u007f","device":"a\/b"}"#,
    #"{"event":"update","activity-id":"a\"b\\c\n\u0001","os":"\u0001"}"#,
    #"{"event":"update","activity-id":"\ud83d\ude00","device":"😀","build":"\u001F"}"#,
    #"{"event":"state","activity-id":"A","state":"Active"}"#,
    #"{"event":"state","activity-id":"A","state":{"active":{}}}"#,
    #"{"event":"state","activity-id":"A","state":"weird"}"#,
    #"{"event":"update","activity-id":"A","key":null,"timestamp":null,"source":null,"token":null}"#,
    #"{"event":"unknown","x":1,"x":2,"":3}"#,
    #"{"event":"State","activity-id":"A","state":{"a":[]}}"#,
    #"{"event":"stale","activity-id":"A","status":1,"status":2,"activities":7}"#,
    #"""
    {"event":"inventory","activities":[{"state":"Ended","activity-id":"\u0041"}],\#
    "complete":false}
    """#,
    #"{"event":"start","token":"t","input-push-token":"00ff00ff00ff00ff00ff00ff00ff00ff"}"#,
    #"""
    {"event":"update","t\u006fken":"00ff00ff00ff00ff00ff00ff00ff00ff",\#
    "note":["00FF00ff00ff00ff00ff00ff00ff00ff"]}
    """#,
  ]
}
