import ActivityCore
import ActivityTestSupport
import Foundation
import Testing

@testable import ActivityStore

@Suite("Push filters")
struct PushFilterTests {
  @Test("A push filter never misses an apns-id, in any case, and rarely sends to a wrong commit")
  func pushFilters() throws {
    var ids: [[String]] = (0..<8).map { _ in (0..<500).map { _ in UUID().uuidString } }
    ids[3] = []
    ids[5] = ["not-a-uuid", "\u{00E9}"]
    var filters = PushFilters()
    for (number, ids) in ids.enumerated() where number != 6 {
      let lines = ids.enumerated().map { row, id in
        #"{"seq":\#(row + 1),"event":"response","apns-id":"\#(id)","status":200,"#
          + #""at":"2026-11-01T00:00:00Z","recorded-at":"2026-11-01T00:00:00Z"}"#
      }
      if let batch = batches(of: lines).first {
        filters.add(PushFilters.filter(of: batch), commit: number)
      }
    }
    let index = SubjectIndex(pairs: [UInt64](), packedWith: filters)
    var strays = 0
    for (number, ids) in ids.enumerated() {
      for id in ids + ids.map({ $0.lowercased() }) {
        let found = try index.commits(of: .apnsID(id), count: 8)
        if number == 6 || UUID(uuidString: id) == nil && id != id.lowercased() { continue }
        #expect(found.contains(number))
        strays += found.count - 1
      }
    }
    #expect(strays < 600)
    #expect(throws: Damage.self) { try index.commits(of: .apnsID("x"), count: 9) }
    #expect(throws: Damage.self) { try index.commits(of: .apnsID("x"), count: 7) }
  }
}
