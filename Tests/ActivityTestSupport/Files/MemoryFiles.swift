package import ActivityStore
internal import Foundation

/// A directory in memory that knows what a crash would leave of it.
///
/// Every changing call is numbered; a plan can make one of them fail, or pull the plug at it.
/// Unchecked: the lock guards all of it.
package final class MemoryFiles: LogFiles, @unchecked Sendable {
  package let path: String
  private let guardian = NSRecursiveLock()
  private var directory: [String: Node] = [:]
  private var durableDirectory: [String: Node] = [:]
  private var exists = true
  private var plan: Plan?
  private var isOff = false
  private var changes = 0

  /// What happens at which changing call, counted from 0.
  package struct Plan: Sendable {
    package enum Event: Sendable {
      /// The call fails after writing half of what it should; later calls work.
      case fail(LogError)
      /// The machine stops in the middle of the call; every later call fails.
      case powerLoss
    }
    package var call: Int
    package var event: Event

    package init(at call: Int, _ event: Event) {
      self.call = call
      self.event = event
    }
  }

  /// What becomes of writes that were never synced.
  package enum Unsynced: CaseIterable, Sendable {
    case kept
    case dropped
    /// The last one is there by half.
    case shortened
    /// The file has its length, and zeros where the bytes should be.
    case zeroed
  }

  package final class Node {
    var bytes: [UInt8] = []
    var durable: [UInt8] = []
    var pending: [(offset: Int, bytes: [UInt8])] = []
    weak var holder: MemoryFile?
  }

  package init(path: String = "memory", files: [String: [UInt8]] = [:]) {
    self.path = path
    for (name, bytes) in files { put(name, bytes) }
  }

  /// Numbered calls so far.
  package var changeCount: Int { locked { changes } }

  package func arm(_ plan: Plan?) {
    locked {
      self.plan = plan
      changes = 0
    }
  }

  /// A file's bytes as a process sees them now.
  package subscript(name: String) -> [UInt8]? { locked { directory[name]?.bytes } }

  package var names: [String] { locked { directory.keys.sorted() } }

  /// Places a file that is wholly durable.
  package func put(_ name: String, _ bytes: [UInt8]) {
    locked {
      let node = Node()
      node.bytes = bytes
      node.durable = bytes
      directory[name] = node
      durableDirectory[name] = node
    }
  }

  /// The directory as it is found after power returns.
  package func afterCrash(_ unsynced: Unsynced, directoryKept: Bool) -> MemoryFiles {
    locked {
      let found = MemoryFiles(path: path)
      for (name, node) in directoryKept ? directory : durableDirectory {
        found.put(name, Self.surviving(node, unsynced))
      }
      return found
    }
  }

  private static func surviving(_ node: Node, _ unsynced: Unsynced) -> [UInt8] {
    switch unsynced {
    case .kept: return node.bytes
    case .dropped: return node.durable
    case .shortened:
      var bytes = node.durable
      for (index, write) in node.pending.enumerated() {
        let isLast = index == node.pending.count - 1
        bytes.overwrite(
          isLast ? Array(write.bytes.prefix(write.bytes.count / 2)) : write.bytes,
          at: write.offset)
      }
      return bytes
    case .zeroed:
      var bytes = node.durable
      for write in node.pending {
        bytes.overwrite([UInt8](repeating: 0, count: write.bytes.count), at: write.offset)
      }
      return bytes
    }
  }

  package func list() throws(LogError) -> [String] {
    guard locked({ exists }) else { throw LogError(.missing, file: path, detail: "missing") }
    return names
  }

  package func makeDirectory() throws(LogError) {}

  package func open(_ name: String, _ mode: FileMode) throws(LogError) -> any LogFile {
    let node = locked { directory[name] }
    switch mode {
    case .read, .readWrite:
      guard let node else { throw LogError(.missing, file: name, detail: "no such file") }
      return MemoryFile(self, name: name, node: node)
    case .create, .createIfMissing:
      if let node, case .createIfMissing = mode { return MemoryFile(self, name: name, node: node) }
      try change()
      let made = Node()
      locked { directory[name] = made }
      return MemoryFile(self, name: name, node: made)
    }
  }

  package func rename(_ name: String, to other: String) throws(LogError) {
    try change()
    locked {
      directory[other] = directory[name]
      directory[name] = nil
    }
  }

  package func remove(_ name: String) throws(LogError) {
    try change()
    locked { directory[name] = nil }
  }

  package func syncDirectory() throws(LogError) {
    try change()
    locked { durableDirectory = directory }
  }

  func locked<Result>(_ body: () -> Result) -> Result {
    guardian.lock()
    defer { guardian.unlock() }
    return body()
  }

  /// Counts a changing call; the planned one runs `partly` and fails.
  func change(partly: () -> Void = {}) throws(LogError) {
    let failure: LogError? = locked {
      if isOff { return LogError(.cannotWrite, detail: "power is off") }
      defer { changes += 1 }
      guard let plan, plan.call == changes else { return nil }
      partly()
      switch plan.event {
      case .fail(let error): return error
      case .powerLoss:
        isOff = true
        return LogError(.cannotWrite, detail: "power is off")
      }
    }
    if let failure { throw failure }
  }
}

/// One open file of a `MemoryFiles`. Unchecked: its directory's lock guards the node.
package final class MemoryFile: LogFile, @unchecked Sendable {
  private let files: MemoryFiles
  private let node: MemoryFiles.Node
  package let name: String

  init(_ files: MemoryFiles, name: String, node: MemoryFiles.Node) {
    self.files = files
    self.name = name
    self.node = node
  }

  package func size() throws(LogError) -> UInt64 { files.locked { UInt64(node.bytes.count) } }

  package func read(at offset: UInt64, count: Int) throws(LogError) -> [UInt8] {
    files.locked {
      guard offset < UInt64(node.bytes.count) else { return [] }
      let end = min(node.bytes.count, Int(offset) + count)
      return [UInt8](node.bytes[Int(offset)..<end])
    }
  }

  package func write(_ bytes: [UInt8], at offset: UInt64) throws(LogError) {
    try files.change { store(Array(bytes.prefix(bytes.count / 2)), Int(offset)) }
    files.locked { store(bytes, Int(offset)) }
  }

  private func store(_ bytes: [UInt8], _ offset: Int) {
    node.bytes.overwrite(bytes, at: offset)
    node.pending.append((offset, bytes))
  }

  package func sync() throws(LogError) {
    try files.change()
    files.locked {
      node.durable = node.bytes
      node.pending = []
    }
  }

  package func truncate(to size: UInt64) throws(LogError) {
    try files.change()
    files.locked {
      node.bytes = Array(node.bytes.prefix(Int(size)))
      node.durable = Array(node.durable.prefix(Int(size)))
      node.pending = node.pending.filter { $0.offset < Int(size) }
    }
  }

  package func tryLock() throws(LogError) -> Bool {
    files.locked {
      if let holder = node.holder, holder !== self { return false }
      node.holder = self
      return true
    }
  }
}

extension [UInt8] {
  /// Puts bytes at an offset, with zeros in a gap before it.
  package mutating func overwrite(_ more: [UInt8], at offset: Int) {
    while count < offset { append(0) }
    let end = Swift.min(count, offset + more.count)
    replaceSubrange(offset..<end, with: more)
  }
}
