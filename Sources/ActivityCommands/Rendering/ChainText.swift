internal import ActivityStore

/// What `verify` says of the chain of packed segments, and of a head it was asked about.
enum ChainText {
  static func lines(_ chain: LogChain, asked: [UInt8]?) -> [String] {
    var lines: [String] = []
    if let first = chain.links.first, let last = chain.links.last {
      let extent = "\(Quantity.count(chain.links.count, "packed segment")), "
      lines.append(
        "chain     \(extent)seq \(first.firstSeq) to \(last.nextSeq - 1), "
          + (chain.breaks.isEmpty ? "holds; head \(HexText.of(last.digest))" : "does not hold"))
    }
    guard let asked else { return lines }
    switch chain.standing(of: asked) {
    case .covers(let next):
      let last = chain.nextSeq - 1
      let covered = next > 1 ? "seq 1 to \(next - 1)" : "nothing yet"
      lines.append(
        "head      is in the chain and covers \(covered); "
          + (next <= last ? "seq \(next) to \(last) came later" : "nothing came later"))
    case .broken:
      lines.append("head      is in the chain, which does not hold up to there")
    case .unknown:
      lines.append(
        chain.links.isEmpty
          ? "head      is not in this log: nothing is packed here"
          : "head      is not in the chain: what it covered was altered, or it is another log's")
    }
    return lines
  }

  static func write(_ chain: LogChain, asked: [UInt8]?, to json: inout JSONText) {
    json.member("head", chain.head.map(HexText.of))
    json.member("head-covers-to", chain.links.last.map { $0.nextSeq - 1 })
    json.member("chain-holds", chain.breaks.isEmpty)
    guard let asked else { return }
    json.name("asked-head")
    json.object {
      $0.member("sha256", HexText.of(asked))
      switch chain.standing(of: asked) {
      case .covers(let next):
        $0.member("in-chain", true)
        $0.member("covers-to", next - 1)
        $0.member("later", chain.nextSeq - next)
      case .broken, .unknown: $0.member("in-chain", false)
      }
    }
  }
}
