extension String {
  /// Whether some ASCII stands anywhere in it; byte by byte, which is what makes a million lines go
  /// quickly.
  func holds(_ mark: StaticString) -> Bool { part(behind: mark) { _ in true } != nil }

  /// What follows the first place of some ASCII, up to a byte that ends it; nil without the mark.
  func part(behind mark: StaticString, until isEnd: (UInt8) -> Bool) -> String? {
    var text = self
    return text.withUTF8 { bytes in
      mark.withUTF8Buffer { mark in
        var start = 0
        while start + mark.count <= bytes.count {
          if bytes[start] == mark[0], bytes[start..<(start + mark.count)].elementsEqual(mark) {
            let rest = bytes[(start + mark.count)...].prefix { !isEnd($0) }
            return String(decoding: rest, as: UTF8.self)
          }
          start += 1
        }
        return nil
      }
    }
  }
}
