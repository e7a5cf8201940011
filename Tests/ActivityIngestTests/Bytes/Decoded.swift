import ActivityIngest

/// What came out of an input, and how.
struct Decoded: Equatable {
  var text: [UInt8] = []
  var problem: InputProblem?
  var kind: InputKind?

  /// Decodes bytes given in chunks of `chunk`.
  init(_ bytes: [UInt8], chunk: Int = .max) {
    let decoding = InputDecoding()
    problem = pieces(of: bytes, chunk: chunk, decoding) { text += $0 }
    kind = decoding.kind
  }

  var string: String { String(decoding: text, as: UTF8.self) }
}

/// Hands out every piece of an input; the problem it ends with, if any.
func pieces(
  of bytes: [UInt8], chunk: Int = .max, _ decoding: InputDecoding = InputDecoding(),
  _ take: (ArraySlice<UInt8>) -> Void
) -> InputProblem? {
  do throws(InputProblem) {
    var start = 0
    while start < bytes.count {
      let end = chunk > bytes.count - start ? bytes.count : start + chunk
      decoding.give(bytes[start..<end])
      while let piece = try decoding.next() { take(piece) }
      start = end
    }
    decoding.end()
    while let piece = try decoding.next() { take(piece) }
    return nil
  } catch {
    return error
  }
}
