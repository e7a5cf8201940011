/// The file `lock`: held by the log's only writer, never renamed or deleted, and telling everybody
/// else who that is and how far it has synced.
package struct WriterLock: Sendable {
  package static let fileName = "lock"
  private static let length = 512

  private let file: any LogFile
  private var note: WriterNote
  /// The lines that stay the same while this writer lives.
  private let head: [UInt8]

  /// Takes the lock, trying again until `wait` has been spent.
  ///
  /// - Parameters:
  ///   - pause: Called between two attempts; returns false when no time is left.
  /// - Throws: `.locked`, naming the holder.
  package init(
    _ files: any LogFiles, note: WriterNote, pause: () -> Bool
  ) throws(LogError) {
    file = try files.open(Self.fileName, .createIfMissing)
    self.note = note
    head = note.head
    while try !file.tryLock() {
      if pause() { continue }
      let holder = WriterNote.read(files)?.sentence ?? "another process"
      throw LogError(
        .locked, file: files.path,
        detail: "\(holder) is writing this log: wait for it, or give a longer --wait")
    }
  }

  /// Tells the world how far the log is durable.
  package mutating func state(segment: Int64, syncedSeq: Int64, syncedEnd: UInt64) throws(LogError)
  {
    note.segment = segment
    note.syncedSeq = syncedSeq
    note.syncedEnd = syncedEnd
    try file.write(note.encode(head: head, length: Self.length), at: 0)
  }

  /// Whether somebody writes the log now. A reader that finds a broken tail asks this; it holds the
  /// lock for a moment when nobody does, which a writer that comes just then waits out.
  package static func isHeld(_ files: any LogFiles) -> Bool {
    guard let file = try? files.open(fileName, .readWrite) else { return false }
    return (try? file.tryLock()) == false
  }

  /// Whether somebody writes this segment now: the newest one of a log that is held.
  package static func isWriting(_ segment: String, in files: any LogFiles) -> Bool {
    guard isHeld(files), let names = try? CommitWriter.segments(files) else { return false }
    return names.last == segment
  }
}

/// What the lock file says: lines of text, a checksum last, padded with spaces.
package struct WriterNote: Sendable, Equatable {
  package var writer: WriterIdentity
  /// Microseconds.
  package var started: Int64
  package var policy: SyncPolicy
  /// First seq of the segment being written.
  package var segment: Int64 = 0
  /// The last event that is on the medium; 0 before the first.
  package var syncedSeq: Int64 = 0
  /// Bytes of that segment that are on the medium.
  package var syncedEnd: UInt64 = 0

  package init(writer: WriterIdentity, started: Int64, policy: SyncPolicy) {
    self.writer = writer
    self.started = started
    self.policy = policy
  }

  /// Who holds the lock, for a message.
  package var sentence: String { "process \(writer.process) on \(writer.host)" }

  /// Who writes, since when and how: the lines before those that every sync changes.
  var head: [UInt8] {
    let host = String(writer.host.prefix(128).filter { $0 > " " && $0 < "\u{7F}" })
    var text = "activity-log writer\n"
    text += "pid \(writer.process)\nhost \(host)\nstarted \(started)\n"
    text += "policy \(policy.rawValue)\n"
    return [UInt8](text.utf8)
  }

  func encode(length: Int) -> [UInt8] { encode(head: head, length: length) }

  /// The whole note behind a head made before. Written after every sync, hence bytes and no text.
  func encode(head: [UInt8], length: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(length)
    bytes += head
    Self.line("segment ", UInt64(max(0, segment)), to: &bytes)
    Self.line("synced-seq ", UInt64(max(0, syncedSeq)), to: &bytes)
    Self.line("synced-end ", syncedEnd, to: &bytes)
    Self.line("crc ", UInt64(CRC32C.of(bytes)), to: &bytes)
    if bytes.count < length - 1 {
      bytes += repeatElement(0x20, count: length - 1 - bytes.count)
    }
    bytes.append(0x0A)
    return bytes
  }

  private static func line(_ name: StaticString, _ value: UInt64, to bytes: inout [UInt8]) {
    // A static string has its bytes at an address for ever.
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    var place = 1_000_000_000_000_000_000 as UInt64 * 10
    while place > 1, value < place { place /= 10 }
    while place > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(value / place % 10))
      place /= 10
    }
    bytes.append(0x0A)
  }

  /// What the last writer left; nil when there was none or the file is being rewritten.
  package static func read(_ files: any LogFiles) -> WriterNote? {
    guard let file = try? files.open(WriterLock.fileName, .read),
      let bytes = try? file.read(at: 0, count: 1024)
    else { return nil }
    return WriterNote(bytes)
  }

  init?(_ bytes: [UInt8]) {
    var values: [String: String] = [:]
    var body = 0
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      let words = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 1)
      guard words.count == 2 else { continue }
      values[String(words[0])] = String(words[1])
      if words[0] == "crc" { break }
      body = line.endIndex + 1
    }
    guard let crc = values["crc"].flatMap({ UInt32($0) }), body <= bytes.count,
      crc == CRC32C.of(bytes, 0..<body),
      let process = values["pid"].flatMap({ Int32($0) }),
      let started = values["started"].flatMap({ Int64($0) }),
      let policy = values["policy"].flatMap({ SyncPolicy(rawValue: $0) }),
      let segment = values["segment"].flatMap({ Int64($0) }),
      let seq = values["synced-seq"].flatMap({ Int64($0) }),
      let end = values["synced-end"].flatMap({ UInt64($0) })
    else { return nil }
    self.init(
      writer: WriterIdentity(process: process, host: values["host"] ?? ""), started: started,
      policy: policy)
    self.segment = segment
    syncedSeq = seq
    syncedEnd = end
  }
}

/// When an append is durable.
public enum SyncPolicy: String, Sendable {
  /// Each commit is synced before it is acknowledged.
  case everyCommit = "every-commit"
  /// The operating system writes when it likes: a crash of the process loses nothing, one of the
  /// machine may.
  case operatingSystem = "operating-system"
}
