/// Why a log could not be read or written: a code to branch on, the place, and a sentence to print.
///
/// Damage inside a log is no error: it is reported by `LogEnd`, beside everything that was sound.
public struct LogError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What went wrong.
  public enum Code: String, Sendable {
    case notALog = "not-a-log"
    case exists
    case missing
    case notPermitted = "not-permitted"
    case newerFormat = "newer-format"
    case locked
    case noSpace = "no-space"
    case cannotRead = "cannot-read"
    case cannotWrite = "cannot-write"
    case cannotSync = "cannot-sync"
    case poisoned
    case damaged
    case batchTooLarge = "batch-too-large"
    case outOfOrder = "out-of-order"
    case badBatch = "bad-batch"
  }

  /// What to branch on.
  public var code: Code
  /// The file the error is about: a path, or a name inside the log's directory.
  public var file: String?
  /// Byte offset in that file.
  public var offset: UInt64?
  /// One clear sentence without its final full stop: what is true, and what to do.
  public var detail: String

  /// An error with its place, as far as it has one.
  public init(_ code: Code, file: String? = nil, offset: UInt64? = nil, detail: String) {
    self.code = code
    self.file = file
    self.offset = offset
    self.detail = detail
  }

  /// `file at byte offset: detail`.
  public var description: String {
    var place = file ?? ""
    if let offset { place += place.isEmpty ? "byte \(offset)" : " at byte \(offset)" }
    return place.isEmpty ? detail : "\(place): \(detail)"
  }
}

/// Why a run of bytes is not what it should be; becomes part of a report, with its place.
package struct Damage: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Reason: String, Sendable {
    case truncated = "bytes are missing"
    case checksum = "the checksum does not match"
    case length = "a length is beyond its limit"
    case malformed = "the bytes make no sense"
    case decompression = "the block does not decompress to its stated length"
  }

  package var reason: Reason
  package var detail: String

  package init(_ reason: Reason, _ detail: String = "") {
    self.reason = reason
    self.detail = detail
  }

  package var description: String {
    detail.isEmpty ? reason.rawValue : "\(reason.rawValue) (\(detail))"
  }
}
