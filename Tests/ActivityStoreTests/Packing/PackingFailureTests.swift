import ActivityCore
import ActivityStore
import ActivityTestSupport
import Testing

@Suite("Packing that is stopped")
struct PackingFailureTests {
  /// How many changing calls a packing of the small log makes.
  private static func calls() throws -> Int {
    let script = try PackScript.small()
    script.files.arm(nil)
    try PackScript.pack(script.files)
    return script.files.changeCount
  }

  /// The log is as it was to every reader, and can be packed to its end.
  private static func check(
    _ files: MemoryFiles, _ before: [String], _ place: Comment
  ) throws {
    #expect(try PackScript.lines(files) == before, place)
    let found = try LogVerifier.verify(files)
    #expect(found.end.damage.isEmpty, "\(place): \(found.end)")
    let (_, end) = try PackScript.pack(files)
    #expect(end == .done, place)
    #expect(try PackScript.lines(files) == before, place)
    #expect(try LogVerifier.verify(files).chain.links.count == 2, place)
    #expect(!files.names.contains { $0.hasSuffix(".tmp") }, place)
  }

  @Test("Power loss at any call leaves each segment old or new, and the next packing finishes")
  func powerLoss() throws {
    let before = try PackScript.lines(PackScript.small().files)
    for call in 0..<(try Self.calls()) {
      let files = try PackScript.small().files
      files.arm(.init(at: call, .powerLoss))
      #expect(throws: LogError.self) { try PackScript.pack(files) }
      for unsynced in MemoryFiles.Unsynced.allCases {
        for directoryKept in [false, true] {
          try Self.check(
            files.afterCrash(unsynced, directoryKept: directoryKept), before,
            "call \(call), \(unsynced), directory kept: \(directoryKept)")
        }
      }
    }
  }

  @Test("A call that fails leaves the log as it was, and the packing can be repeated")
  func fullDisk() throws {
    let before = try PackScript.lines(PackScript.small().files)
    let full = LogError(.noSpace, detail: "cannot write: no space left")
    for call in 0..<(try Self.calls()) {
      let files = try PackScript.small().files
      files.arm(.init(at: call, .fail(full)))
      let error = #expect(throws: LogError.self) { try PackScript.pack(files) }
      #expect(error == full)
      files.arm(nil)
      #expect(files.names.count { $0.hasSuffix(".tmp") } <= 1)
      try Self.check(files, before, "call \(call)")
    }
  }

  @Test("A byte that comes back otherwise than it was written is found, and the old file stays")
  func flipped() throws {
    let before = try PackScript.lines(PackScript.small().files)
    for place in stride(from: 5, to: 4_000, by: 37) {
      let files = try PackScript.small().files
      let old = files[Samples.first]
      let flipping = FlippingFiles(files, ending: SegmentName.packing, byte: place)
      do {
        try PackScript.pack(flipping)
        #expect(flipping.isSpent == false, "byte \(place)")
      } catch let error as LogError {
        #expect(error.code == .cannotWrite, "byte \(place)")
        #expect(files[Samples.first] == old)
      }
      #expect(try PackScript.lines(files) == before)
    }
  }

  @Test("A damaged segment is not packed, nor what comes behind it; what came before is")
  func damaged() throws {
    let names = try CommitWriter.segments(PackScript.small().files)
    for (number, name) in names.dropLast().enumerated() {
      let files = try PackScript.small().files
      var bytes = try #require(files[name])
      // In the first commit's payload.
      let place = try #require(bytes.firstRange(of: Array(#""attributes""#.utf8)))
      bytes[place.lowerBound + 2] ^= 1
      files.put(name, bytes)
      let (done, end) = try PackScript.pack(files)
      #expect(done.map(\.file) == Array(names.prefix(number)))
      guard case .damaged(let ranges) = end else {
        Issue.record("damage was not met")
        continue
      }
      #expect(ranges.map(\.part) == [.content])
      #expect(files[name] == bytes)
      #expect(!files.names.contains { $0.hasSuffix(".tmp") })
    }
  }

  @Test("A missing segment, and one that was never sealed, stop the packing")
  func gaps() throws {
    let files = try PackScript.small().files
    let first = try #require(files[Samples.first])
    try files.remove(Samples.first)
    // Without the first one the log is one whose beginning was pruned.
    #expect(try PackScript.pack(files).done.count == 1)

    let three = LogScript()
    let writer = try three.create()
    for number in 0..<3 {
      _ = try writer.append(LogScript.batch(LogScript.story(number)))
      try writer.seal()
    }
    let missing = MemoryFiles(
      files: Dictionary(
        uniqueKeysWithValues: three.files.names.map { ($0, three.files[$0] ?? []) }))
    try missing.remove(SegmentName.of(5))
    let (done, end) = try PackScript.pack(missing)
    #expect(done.map(\.firstSeq) == [1])
    #expect(end != .done)

    let open = try PackScript.small().files
    open.put(Samples.first, Array(first.prefix(try EveryPrefixTests.boundaries(of: first)[30])))
    let (none, why) = try PackScript.pack(open)
    #expect(none.isEmpty)
    #expect(why != .done)
  }

  @Test("Damage that costs nothing is told, and is gone from the packed file")
  func healed() throws {
    let script = LogScript()
    let writer = try script.create()
    for number in 0..<3 {
      _ = try writer.append(
        LogScript.batch(LogScript.story(number)), cursors: [PackScript.cursor(1, at: number)])
    }
    try writer.seal()
    let whole = try #require(script.files[Samples.first])
    let before = try PackScript.lines(script.files)
    // In a header's copy, in the footer, and in the trailer.
    for place in [40, 130, whole.count - 100, whole.count - 20] {
      let files = MemoryFiles(files: ["lock": []])
      var bytes = whole
      bytes[place] ^= 4
      files.put(Samples.first, bytes)
      files.put(SegmentName.of(13), SegmentHeader.copies(of: 13, behind: 12))
      let (done, end) = try PackScript.pack(files)
      #expect(end == .done)
      #expect(done.first?.healed.count == 1, "byte \(place)")
      #expect(try PackScript.lines(files) == before)
      #expect(try LogVerifier.verify(files).end == .open)
      let footer = try SegmentScanner(try files.open(Samples.first, .read)).footerCopy()
      #expect(footer?.cursors == [PackScript.cursor(1, at: 2)])
    }
  }
}

extension SegmentHeader {
  /// The bytes of a segment without commits.
  static func copies(of seq: Int64, behind count: Int64) -> [UInt8] {
    var header = SegmentHeader(log: Samples.id, firstSeq: seq)
    header.before.count = count
    return header.encode() + header.encode()
  }
}

extension SegmentScanner {
  fileprivate func footerCopy() throws -> Footer? {
    var copy = self
    return try copy.readFooter()
  }
}

/// A directory whose medium flips one bit of what is written to files of one ending. Unchecked: a
/// test uses it from one thread.
private final class FlippingFiles: LogFiles, @unchecked Sendable {
  private let files: MemoryFiles
  private let ending: String
  private let byte: Int
  fileprivate var isSpent = false

  init(_ files: MemoryFiles, ending: String, byte: Int) {
    self.files = files
    self.ending = ending
    self.byte = byte
  }

  var path: String { files.path }
  func list() throws(LogError) -> [String] { try files.list() }
  func makeDirectory() throws(LogError) {}
  func rename(_ name: String, to other: String) throws(LogError) {
    try files.rename(name, to: other)
  }
  func remove(_ name: String) throws(LogError) { try files.remove(name) }
  func syncDirectory() throws(LogError) { try files.syncDirectory() }

  func open(_ name: String, _ mode: FileMode) throws(LogError) -> any LogFile {
    let file = try files.open(name, mode)
    return name.hasSuffix(ending) ? FlippingFile(file, self) : file
  }

  func flip(_ bytes: [UInt8], at offset: UInt64) -> [UInt8] {
    let place = byte - Int(offset)
    guard !isSpent, bytes.indices.contains(place) else { return bytes }
    isSpent = true
    var flipped = bytes
    flipped[place] ^= 0x20
    return flipped
  }
}

private final class FlippingFile: LogFile {
  private let file: any LogFile
  private let medium: FlippingFiles
  var name: String { file.name }

  init(_ file: any LogFile, _ medium: FlippingFiles) {
    self.file = file
    self.medium = medium
  }

  func size() throws(LogError) -> UInt64 { try file.size() }
  func read(at offset: UInt64, count: Int) throws(LogError) -> [UInt8] {
    try file.read(at: offset, count: count)
  }
  func write(_ bytes: [UInt8], at offset: UInt64) throws(LogError) {
    try file.write(medium.flip(bytes, at: offset), at: offset)
  }
  func sync() throws(LogError) { try file.sync() }
  func truncate(to size: UInt64) throws(LogError) { try file.truncate(to: size) }
  func tryLock() throws(LogError) -> Bool { try file.tryLock() }
}
