internal import ActivityCore

/// What no path of a clause took, for a clause that keeps it.
enum MappedRest {
  /// Adds members of which nothing was taken as they are, and of objects (also in texts) of which
  /// something was taken what remains.
  ///
  /// - Parameter taken: where values were taken, as names from the record's outermost inwards.
  static func keep(
    _ record: [(name: String, value: JSONSlice)], but taken: Set<[String]>,
    in draft: inout EventDraft
  ) {
    var above: Set<[String]> = []
    for path in taken {
      for length in 1..<max(1, path.count) { above.insert(Array(path.prefix(length))) }
    }
    for (name, value) in record {
      guard let rest = rest(of: value, at: [name], taken, above), let kept = JSONSlice(rest) else {
        continue
      }
      draft.keep(name, kept)
    }
  }

  /// The bytes of a value without what was taken; nil when nothing remains.
  ///
  /// - Parameter above: the places on the way to what was taken.
  private static func rest(
    of value: JSONSlice, at path: [String], _ taken: Set<[String]>, _ above: Set<[String]>
  ) -> [UInt8]? {
    guard value.saysSomething, !taken.contains(path) else { return nil }
    guard above.contains(path) else {
      return holdsToken(value) ? nil : Array(value.text)
    }
    let value = value.inside ?? value
    guard value.type == .object else { return nil }
    var bytes = [UInt8(ascii: "{")]
    for (name, value) in value.members {
      guard let inner = rest(of: value, at: path + [name], taken, above) else { continue }
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      bytes += MemberSpelling.quoted(name) + [UInt8(ascii: ":")] + inner
    }
    return bytes.count > 1 ? bytes + [UInt8(ascii: "}")] : nil
  }

  /// Whether a text could be a push token: 64 hex digits or more.
  static func looksLikeToken(_ text: String) -> Bool {
    longestHex(text.utf8) >= 64
  }

  /// A value with such a run of digits anywhere in it is not kept: a token belongs into `token`,
  /// where it is digested.
  private static func holdsToken(_ value: JSONSlice) -> Bool { longestHex(value.text) >= 64 }

  private static func longestHex(_ bytes: some Sequence<UInt8>) -> Int {
    var longest = 0
    var run = 0
    for byte in bytes {
      run = HexDigit.value(byte) == nil ? 0 : run + 1
      longest = max(longest, run)
    }
    return longest
  }
}
