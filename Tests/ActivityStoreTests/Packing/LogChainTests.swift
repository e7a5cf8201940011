import ActivityCore
import ActivityStore
import ActivityTestSupport
import Testing

@Suite("The chain of packed segments")
struct LogChainTests {
  @Test("Each packed segment names the SHA-256 of the one before, and the first the log's id")
  func links() throws {
    let script = try PackScript.small()
    #expect(try LogChain(script.files).head == nil)
    let (done, _) = try PackScript.pack(script.files)
    let names = try CommitWriter.segments(script.files)
    let first = try #require(script.files[names[0]])
    let second = try #require(script.files[names[1]])
    var seed = Array("activity-log chain".utf8)
    for half in [Samples.id.high, Samples.id.low] {
      seed += withUnsafeBytes(of: half.littleEndian) { Array($0) }
    }
    #expect(try PackScript.header(names[0], script.files).digest == TokenDigest.sha256(seed))
    #expect(
      try PackScript.header(names[1], script.files).digest == TokenDigest.sha256(first))
    #expect(!(try PackScript.header(names[2], script.files).isPacked))
    let chain = try LogChain(script.files)
    #expect(chain.head == TokenDigest.sha256(second))
    #expect(done.map(\.digest) == chain.links.map(\.digest))
    #expect(chain.breaks.isEmpty)
    #expect(chain.nextSeq == 1089)
  }

  @Test("A head taken earlier stands for what was there then, and for nothing after a change")
  func standing() throws {
    let script = try PackScript.small()
    try PackScript.pack(script.files)
    let earlier = try #require(try LogChain(script.files).head)
    try script.log.open().seal()
    try PackScript.pack(script.files)
    let chain = try LogChain(script.files)
    #expect(chain.standing(of: earlier) == .covers(nextSeq: 1081))
    #expect(chain.standing(of: try #require(chain.head)) == .covers(nextSeq: 1089))
    #expect(chain.standing(of: LogChain.origin(Samples.id)) == .covers(nextSeq: 1))
    #expect(chain.standing(of: TokenDigest.sha256([1])) == .unknown)

    // The oldest segment was pruned: what it was can still be named.
    let pruned = script.files.afterCrash(.kept, directoryKept: true)
    try pruned.remove(Samples.first)
    let rest = try LogChain(pruned)
    #expect(rest.breaks.isEmpty)
    #expect(rest.standing(of: chain.links[0].digest) == .covers(nextSeq: 1000))
    #expect(rest.standing(of: earlier) == .covers(nextSeq: 1081))
  }

  @Test("A segment that was replaced by a well-formed other one breaks the chain, and is named")
  func tampered() throws {
    let script = try PackScript.small()
    try PackScript.pack(script.files)
    let head = try #require(try LogChain(script.files).head)
    // The same log with one word of content changed, packed just as well.
    let other = LogScript()
    let forged = LogScript.batch(
      PackScript.lines(0).map { $0.replacing("\"n\":0", with: "\"n\":1") })
    let writer = try other.create()
    for number in 0..<30 {
      _ = try writer.append(number == 0 ? forged : LogScript.batch(PackScript.lines(number)))
    }
    try writer.seal()
    try PackScript.pack(other.files)
    script.files.put(Samples.first, try #require(other.files[Samples.first]))

    let found = try LogVerifier.verify(script.files)
    #expect(found.end.damage.map(\.part) == [.chain])
    #expect(found.end.damage.first?.file == Samples.first)
    let chain = try LogChain(script.files)
    #expect(chain.standing(of: head) == .broken)
    #expect(chain.breaks.count == 1)

    // With the rest packed anew behind it the chain holds, and the head is in it no more.
    let names = try CommitWriter.segments(script.files)
    let plain = try PackScript.small().files
    script.files.put(names[1], try #require(plain[names[1]]))
    try PackScript.pack(script.files)
    #expect(try LogVerifier.verify(script.files).end.damage.isEmpty)
    #expect(try LogChain(script.files).standing(of: head) == .unknown)
  }

  @Test("A packed segment put back as it was before packing is named, and stops the next packing")
  func restored() throws {
    let files = try PackScript.small().files
    let old = try #require(files[Samples.first])
    try PackScript.pack(files)
    files.put(Samples.first, old)
    let found = try LogVerifier.verify(files)
    #expect(found.end.damage.map(\.part) == [.chain])
    #expect(found.end.damage.first?.file == Samples.first)
    let error = #expect(throws: LogError.self) { try PackScript.pack(files) }
    #expect(error?.code == .damaged)
  }

  @Test("Behind a packed segment that is damaged nothing is packed")
  func damagedEnd() throws {
    let script = try PackScript.small()
    try PackScript.pack(script.files)
    try script.log.open().seal()
    let name = SegmentName.of(1000)
    var bytes = try #require(script.files[name])
    bytes[bytes.count / 2] ^= 1
    script.files.put(name, bytes)
    let (done, end) = try PackScript.pack(script.files)
    #expect(done.isEmpty)
    #expect(end != .done)
  }
}
