#if canImport(CLZ4)
  internal import CLZ4

  /// LZ4 frames one after the other; skippable ones give nothing.
  ///
  /// A packed block is unpacked as a whole, so of one that is cut short or damaged nothing comes.
  /// It holds what liblz4 does: a packed and an unpacked block of at most 4 MiB each, and 128 KiB.
  final class LZ4FrameStream: Unpacking {
    /// Bytes of a block's length, and of its checksum where it has one.
    private static let word = 4
    /// What liblz4 calls a beginning that is none of its.
    private static let unknownFrame = "ERROR_frameType_unknown"

    private let context: OpaquePointer
    /// How many bytes the library says it needs next; 0 between frames.
    private var wanted = 0
    private var hasFrame = false
    private var isFlushing = false

    init() throws(InputProblem) {
      var context: OpaquePointer?
      let code = LZ4F_createDecompressionContext(&context, UInt32(LZ4F_VERSION))
      guard LZ4F_isError(code) == 0, let context else { throw .noMemory(.lz4) }
      self.context = context
    }

    deinit { LZ4F_freeDecompressionContext(context) }

    var isComplete: Bool { hasFrame && wanted == 0 }

    /// A call that fails tells nothing of what it wrote before, so what can fail (a checksum, the
    /// length of the next block) never comes in one call with bytes that are handed out.
    func step(
      _ input: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
    ) -> UnpackStep {
      var taken = isFlushing ? 0 : min(input.count, portion)
      var made = room.count
      guard taken > 0 || isFlushing else { return UnpackStep() }
      let code = LZ4F_decompress(context, room.baseAddress, &made, input.baseAddress, &taken, nil)
      if LZ4F_isError(code) != 0 { return UnpackStep(problem: problem(code)) }
      wanted = code
      hasFrame = hasFrame || code == 0
      isFlushing = code != 0 && made == room.count
      return UnpackStep(taken: taken, made: made)
    }

    /// The library asks for the rest of a block, its checksum and the length of the next in one.
    private var portion: Int { wanted > 2 * Self.word ? wanted - 2 * Self.word : Self.word }

    private func problem(_ code: Int) -> InputProblem {
      let name = String(cString: LZ4F_getErrorName(code))
      return name == Self.unknownFrame && hasFrame ? .trailing(.lz4) : .damaged(.lz4, name)
    }
  }
#endif
