/// A log's directory: the only door to a file system, so that tests can pull the plug anywhere.
package protocol LogFiles: Sendable {
  /// How messages name the directory.
  var path: String { get }

  /// Names of the files in the directory, sorted; `.missing` where there is no directory.
  func list() throws(LogError) -> [String]

  /// Makes the directory, and those above it, where they are missing.
  func makeDirectory() throws(LogError)

  /// A file by name; `.missing` where it is not there and the mode does not make it.
  func open(_ name: String, _ mode: FileMode) throws(LogError) -> any LogFile

  /// Gives a file another name, replacing what had it.
  func rename(_ name: String, to other: String) throws(LogError)

  func remove(_ name: String) throws(LogError)

  /// Makes what was created, renamed and removed last.
  func syncDirectory() throws(LogError)
}

package enum FileMode: Sendable {
  case read
  case readWrite
  /// For reading and writing; made, or made empty, if need be.
  case create
  /// For reading and writing; made if it is not there, else as it is.
  case createIfMissing
}

/// One open file. Closed when nothing refers to it any more.
package protocol LogFile: AnyObject, Sendable {
  var name: String { get }

  func size() throws(LogError) -> UInt64

  /// The bytes from `offset` on; fewer than `count` only where the file ends.
  func read(at offset: UInt64, count: Int) throws(LogError) -> [UInt8]

  /// All of `bytes` at `offset`, or an error with any part of them written.
  func write(_ bytes: [UInt8], at offset: UInt64) throws(LogError)

  /// Returns when all that was written is on the medium.
  func sync() throws(LogError)

  func truncate(to size: UInt64) throws(LogError)

  /// Takes the file's exclusive lock if nobody has it; it goes with the file.
  func tryLock() throws(LogError) -> Bool
}
