internal import ActivityCore
internal import ActivityStore

/// What a row's payload says that people want to see, as untouched JSON.
struct RowContent: Sendable {
  var attributes: [UInt8]?
  var contentState: [UInt8]?
  var alert: [UInt8]?
  /// The payload did not verify; the members are lost, and never replaced by older ones.
  var isDamaged = false

  init(_ row: EventRow) {
    isDamaged = row.isContentDamaged
    attributes = row["attributes"].map { Array($0.text) }
    contentState = row["content-state"].map { Array($0.text) }
    alert = row["alert"].map { Array($0.text) }
  }

  fileprivate init() {}
}

/// Contents of some rows, from one payload after the other: only the lines wanted are looked into,
/// and no row is made of them.
struct WantedContents {
  /// Ascending, each once.
  let seqs: [Int64]
  private(set) var contents: [Int64: RowContent] = [:]
  private var next = 0
  /// Room for the members of one line.
  private var members: [JSONMember] = []

  init(_ seqs: [Int64]) {
    self.seqs = Array(Set(seqs)).sorted()
    contents.reserveCapacity(self.seqs.count)
  }

  /// Takes what a commit has of the seqs; commits come in the order of the log.
  mutating func take(_ commit: CommitPayload) {
    while next < seqs.count, seqs[next] < commit.firstSeq { next += 1 }
    let first = next
    while next < seqs.count, seqs[next] < commit.firstSeq + Int64(commit.count) { next += 1 }
    let wanted = seqs[first..<next]
    guard case .lines(let payload) = commit.payload else {
      var lost = RowContent()
      lost.isDamaged = true
      for seq in wanted { contents[seq] = lost }
      return
    }
    let lines = PayloadLines.ranges(of: wanted.map { Int($0 - commit.firstSeq) }, in: payload)
    // One pointer for the payload: a line is scanned where it lies; only what is kept is copied.
    payload.withUnsafeBytes { bytes in
      for (seq, line) in zip(wanted, lines) {
        contents[seq] =
          line.map { content(UnsafeRawBufferPointer(rebasing: bytes[$0])) } ?? RowContent()
      }
    }
  }

  private mutating func content(_ line: UnsafeRawBufferPointer) -> RowContent {
    var content = RowContent()
    guard case .success(.object) = JSONScanner.members(of: line, into: &members) else {
      return content
    }
    var seen = (attributes: false, content: false, alert: false)
    // The first member of a name counts; null is as good as none.
    for member in members {
      func value() -> [UInt8]? {
        member.value.type == .null
          ? nil : Array(UnsafeRawBufferPointer(rebasing: line[member.value.range]))
      }
      switch name(of: member, line) {
      case "attributes" where !seen.attributes:
        seen.attributes = true
        content.attributes = value()
      case "content-state" where !seen.content:
        seen.content = true
        content.contentState = value()
      case "alert" where !seen.alert:
        seen.alert = true
        content.alert = value()
      default: break
      }
    }
    return content
  }

  private func name(of member: JSONMember, _ line: UnsafeRawBufferPointer) -> String {
    let spelled = UnsafeRawBufferPointer(rebasing: line[member.name])
    guard member.nameHasEscapes else { return String(decoding: spelled, as: UTF8.self) }
    var text: [UInt8] = []
    ActivityCore.JSONText.unescape(spelled, into: &text)
    return String(decoding: text, as: UTF8.self)
  }
}
