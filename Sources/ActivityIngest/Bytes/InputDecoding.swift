/// The bytes of a file become UTF-8 text: unpacked, transcoded, without a byte order mark.
///
/// Give a chunk, take pieces until there is none, and so on; then say that the input has ended and
/// take the last pieces.
///
///     decoding.give(chunk)
///     while let piece = try decoding.next() { ingestion.take(piece) { … } }
///     …
///     decoding.end()
///     while let piece = try decoding.next() { ingestion.take(piece) { … } }
///
/// The text does not depend on how the input is cut into chunks. What comes before damage is handed
/// out before the problem is thrown; of packed data, checksums are known only behind the text.
///
/// However much a chunk unpacks to, a piece has at most `pieceLimit` bytes, and the decoding holds
/// the rest of the chunk, one piece, and what `GzipStream` or `LZ4FrameStream` says. Plain UTF-8 is
/// handed out as the chunk it came in.
package final class InputDecoding {
  /// Bytes of a piece of unpacked or transcoded text, at most.
  package static let pieceLimit = 1 << 20

  /// Bytes that are unpacked or transcoded at once: UTF-16 grows by half.
  private static let stride = 1 << 18

  private enum Stage {
    /// The first bytes, which do not yet show what they are.
    case opening
    case plain
    case packed(any Unpacking)
  }

  private enum Text {
    case opening([UInt8])
    case utf8
    case utf16(UTF16Decoding)
  }

  /// What the input is; nil until its beginning shows it.
  package private(set) var kind: InputKind?

  private var stage = Stage.opening
  private var packing = InputKind.Packing.plain
  private var text = Text.opening([])
  /// Given and not yet taken.
  private var input: ArraySlice<UInt8> = []
  /// Where packed data is unpacked to.
  private var room: [UInt8] = []
  /// Whether the last step filled the room, so that there may be more without input.
  private var hasMore = false
  private var hasEnded = false
  private var isFinished = false
  private var problem: InputProblem?

  package init() {}

  /// Takes the next bytes of the input; after a problem they are ignored.
  package func give(_ chunk: ArraySlice<UInt8>) {
    guard problem == nil, !hasEnded else { return }
    if input.isEmpty { input = chunk } else { input.append(contentsOf: chunk) }
  }

  /// Says that the input has no more bytes.
  package func end() { hasEnded = true }

  /// The next piece of text, never empty; nil when it takes more input, or all is handed out.
  ///
  /// After the last piece a problem is thrown, by this call and every later one.
  package func next() throws(InputProblem) -> ArraySlice<UInt8>? {
    guard !isFinished else { return try outcome() }
    while let bytes = unpacked() {
      let piece = decoded(bytes)
      if !piece.isEmpty { return piece }
    }
    guard hasEnded || problem != nil else { return nil }
    isFinished = true
    let rest = lastText()
    return rest.isEmpty ? try outcome() : rest
  }

  private func outcome() throws(InputProblem) -> ArraySlice<UInt8>? {
    if let problem { throw problem }
    return nil
  }

  // MARK: Unpacking

  /// The next bytes as they were before packing; nil when it takes more input or there are none.
  private func unpacked() -> ArraySlice<UInt8>? {
    if case .opening = stage { open() }
    switch stage {
    case .opening: return nil
    case .plain: return input.isEmpty ? nil : plain()
    case .packed(let stream): return unpacked(by: stream)
    }
  }

  private func open() {
    let beginning = Array(input.prefix(InputSignature.length))
    do throws(InputProblem) {
      switch InputSignature.look(at: beginning, isWhole: hasEnded) {
      case .undecided: break
      case .none: stage = .plain
      case .form(.gzip): open(.gzip, try GzipStream())
      #if canImport(CLZ4)
        case .form(.lz4): open(.lz4, try LZ4FrameStream())
      #endif
      case .form(let form): refuse(form)
      }
    } catch {
      stop(error)
    }
  }

  private func open(_ packing: InputKind.Packing, _ stream: any Unpacking) {
    self.packing = packing
    stage = .packed(stream)
    room = [UInt8](repeating: 0, count: Self.stride)
  }

  /// Plain bytes: all at once where they are handed out as they are.
  private func plain() -> ArraySlice<UInt8> {
    if case .utf8 = text {
      defer { input = [] }
      return input
    }
    let bytes = input.prefix(Self.stride)
    input = input.dropFirst(Self.stride)
    return bytes
  }

  private func unpacked(by stream: any Unpacking) -> ArraySlice<UInt8>? {
    while problem == nil, hasMore || !input.isEmpty {
      let hadMore = hasMore
      let step = input.withUnsafeBytes { bytes in
        room.withUnsafeMutableBytes { stream.step(bytes, into: $0) }
      }
      input = input.dropFirst(step.taken)
      hasMore = step.made == room.count
      if let problem = step.problem { stop(problem) }
      if step.made > 0 { return room[..<step.made] }
      if step.taken == 0, !hadMore { stop(.damaged(packing, "it does not go on")) }
    }
    if hasEnded, problem == nil, !stream.isComplete { stop(.truncated(packing)) }
    return nil
  }

  private func stop(_ problem: InputProblem) {
    if self.problem == nil { self.problem = problem }
    input = []
    hasMore = false
  }

  private func refuse(_ form: InputForm) { stop(.refused(form, in: packing)) }

  // MARK: Text

  /// The UTF-8 of unpacked bytes; empty while the beginning is held.
  private func decoded(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    switch text {
    case .utf8: return bytes
    case .utf16(var decoding):
      var piece: [UInt8] = []
      piece.reserveCapacity(bytes.count + bytes.count / 2 + 4)
      decoding.take(bytes, into: &piece)
      text = .utf16(decoding)
      return piece[...]
    case .opening(var held):
      text = .opening([])
      held.append(contentsOf: bytes)
      return opened(held, isWhole: false)
    }
  }

  /// Looks at the beginning, and hands it out once it is clear what it is.
  private func opened(_ held: [UInt8], isWhole: Bool) -> ArraySlice<UInt8> {
    switch TextOpening.look(at: held, isWhole: isWhole) {
    case .undecided:
      text = .opening(held)
      return []
    case .form(let form):
      refuse(form)
      return []
    case .text(let encoding, let mark):
      kind = InputKind(packing: packing, encoding: encoding, hasMark: mark > 0)
      switch encoding {
      case .utf8: text = .utf8
      case .utf16LittleEndian: text = .utf16(UTF16Decoding(isBigEndian: false))
      case .utf16BigEndian: text = .utf16(UTF16Decoding(isBigEndian: true))
      }
      return decoded(held[mark...])
    }
  }

  /// What the end of the input brings out: a beginning still held, or half a character. Half a
  /// character before damage is left out.
  private func lastText() -> ArraySlice<UInt8> {
    var piece: [UInt8] = []
    if case .opening(let held) = text, problem == nil || !held.isEmpty {
      piece.append(contentsOf: opened(held, isWhole: true))
    }
    if case .utf16(var decoding) = text, problem == nil {
      decoding.finish(into: &piece)
      text = .utf8
    }
    return piece[...]
  }
}
