/// Raw tokens on their way to digests, and what else on the line must not keep them.
struct LineTokens: Sendable {
  /// A raw text of this line and the digest that stands for it, as places in `arena`.
  private struct Secret: Sendable {
    var raw: Range<Int>
    var digest: Range<Int>
    var isHex: Bool
  }

  /// From this length on a raw token is replaced wherever it stands, even inside a longer text.
  static let longLength = 16
  /// Below this length a text is no secret, and replacing its like elsewhere would only harm.
  static let shortLength = 8

  /// Tokens seen before, so that each is hashed once; forgotten when there are too many.
  private var known = TextTable()
  private var digests: [UInt8] = []
  private static let knownLimit = 65_536

  private var secrets: [Secret] = []
  private var arena: [UInt8] = []

  /// Whether the line has raw tokens that may stand elsewhere too.
  var isEmpty: Bool { secrets.isEmpty }

  /// Forgets the line before.
  mutating func begin() {
    secrets.removeAll(keepingCapacity: true)
    arena.removeAll(keepingCapacity: true)
  }

  /// Adds a token's digest to `text`, and remembers its raw forms (unescaped and as spelled) as
  /// texts to be replaced.
  mutating func appendDigest(
    of token: UnsafeRawBufferPointer, spelled: UnsafeRawBufferPointer, to text: inout [UInt8]
  ) {
    guard !TokenDigest.isDigest(token) else { return text.append(contentsOf: token) }
    if known.count >= LineTokens.knownLimit {
      known = TextTable()
      digests.removeAll(keepingCapacity: true)
    }
    let code = known.intern(token)
    let length = TokenDigest.length
    if code * length == digests.count {
      TokenDigest.append(digestOf: Array(token), to: &digests)
    }
    let digest = digests[(code * length)..<((code + 1) * length)]
    text.append(contentsOf: digest)
    remember(token, digest)
    if spelled.count != token.count { remember(spelled, digest) }
  }

  private mutating func remember(_ raw: UnsafeRawBufferPointer, _ digest: ArraySlice<UInt8>) {
    guard raw.count >= LineTokens.shortLength else { return }
    let start = arena.count
    arena.append(contentsOf: raw)
    let middle = arena.count
    arena.append(contentsOf: digest)
    secrets.append(
      Secret(
        raw: start..<middle, digest: middle..<arena.count,
        isHex: raw.allSatisfy { HexDigit.value($0) != nil }))
  }

  /// Replaces raw tokens in `bytes` from `start` on.
  ///
  /// - Parameter inJSON: whether the bytes are JSON text; a short token is then replaced where it
  ///   is a whole string value, else where it is the whole text.
  /// - Returns: whether anything was replaced.
  func replace(in bytes: inout [UInt8], from start: Int, inJSON: Bool) -> Bool {
    var changed = false
    for secret in secrets where bytes.count - start >= secret.raw.count {
      var place = start
      while let found = find(secret, in: bytes, from: place) {
        let range = found..<(found + secret.raw.count)
        guard secret.raw.count >= LineTokens.longLength
            || stands(alone: range, in: bytes, from: start, inJSON: inJSON)
        else {
          place = found + 1
          continue
        }
        bytes.replaceSubrange(range, with: arena[secret.digest])
        place = found + secret.digest.count
        changed = true
      }
    }
    return changed
  }

  /// Where a raw text stands next; hex is found in any case.
  private func find(_ secret: Secret, in bytes: [UInt8], from start: Int) -> Int? {
    let fold: UInt8 = secret.isHex ? 0x20 : 0
    return arena.withUnsafeBytes { arena in
      bytes.withUnsafeBytes { bytes in
        let raw = UnsafeRawBufferPointer(rebasing: arena[secret.raw])
        let first = raw[0] | fold
        var place = start
        while place + raw.count <= bytes.count {
          if bytes[place] | fold == first,
            raw.indices.allSatisfy({ bytes[place + $0] | fold == raw[$0] | fold })
          {
            return place
          }
          place += 1
        }
        return nil
      }
    }
  }

  /// Whether a range is a whole string value of JSON text, or a whole text.
  private func stands(
    alone range: Range<Int>, in bytes: [UInt8], from start: Int, inJSON: Bool
  ) -> Bool {
    guard inJSON else { return range == start..<bytes.count }
    let quote = UInt8(ascii: "\"")
    guard range.lowerBound > start, bytes[range.lowerBound - 1] == quote,
      range.upperBound < bytes.count, bytes[range.upperBound] == quote
    else { return false }
    let next = bytes[(range.upperBound + 1)...].first { $0 > 0x20 }
    return next != UInt8(ascii: ":")
  }
}
