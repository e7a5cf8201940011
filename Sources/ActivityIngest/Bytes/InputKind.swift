/// How the bytes of an input are kept: in what they are packed, and how their text is encoded.
package struct InputKind: Hashable, Sendable, CustomStringConvertible {
  package enum Packing: String, Sendable {
    case plain
    case gzip
    case lz4
  }

  package enum Encoding: String, Sendable {
    case utf8 = "UTF-8"
    case utf16LittleEndian = "UTF-16LE"
    case utf16BigEndian = "UTF-16BE"
  }

  package var packing: Packing
  package var encoding: Encoding
  /// Whether a byte order mark stood at the start. It is no part of the decoded text, so in a plain
  /// UTF-8 file with one the byte at position n lies at offset n + 3.
  package var hasMark: Bool

  package init(packing: Packing = .plain, encoding: Encoding = .utf8, hasMark: Bool = false) {
    self.packing = packing
    self.encoding = encoding
    self.hasMark = hasMark
  }

  /// "gzip, UTF-16LE"; of UTF-8 only the packing is said.
  package var description: String {
    encoding == .utf8 ? packing.rawValue : "\(packing.rawValue), \(encoding.rawValue)"
  }
}
