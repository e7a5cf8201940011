import ActivityIngest
import Testing

@Suite("UTF-16 becomes UTF-8")
struct UTF16DecodingTests {
  private static let text = "{\"n\":\"Zoë, Ωmega, 漢字, 😀🚗\"}\r\n{\"m\":1}\n"

  private static func bytes(_ units: some Sequence<UInt16>, bigEndian: Bool) -> [UInt8] {
    units.flatMap { unit in
      let two = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return bigEndian ? two : two.reversed()
    }
  }

  @Test("With a mark, in both orders, cut anywhere", arguments: [false, true])
  func marked(bigEndian: Bool) {
    let bytes = Self.bytes(("\u{FEFF}" + Self.text).utf16, bigEndian: bigEndian)
    for chunk in 1...bytes.count {
      let decoded = Decoded(bytes, chunk: chunk)
      #expect(decoded.string == Self.text, "in chunks of \(chunk)")
      #expect(decoded.problem == nil)
      #expect(decoded.kind?.encoding == (bigEndian ? .utf16BigEndian : .utf16LittleEndian))
      #expect(decoded.kind?.hasMark == true)
    }
  }

  @Test("Without a mark, where NUL bytes alternate", arguments: [false, true])
  func unmarked(bigEndian: Bool) {
    for text in [PackedSamples.both, "{}", "date,order\n18:00,A-1\n"] {
      let bytes = Self.bytes(text.utf16, bigEndian: bigEndian)
      for chunk in 1...bytes.count {
        let decoded = Decoded(bytes, chunk: chunk)
        #expect(decoded.string == text, "in chunks of \(chunk)")
        #expect(decoded.kind?.encoding == (bigEndian ? .utf16BigEndian : .utf16LittleEndian))
        #expect(decoded.kind?.hasMark == false)
      }
    }
  }

  @Test("Whatever the units, the text is what String makes of them", arguments: [false, true])
  func anyUnits(bigEndian: Bool) {
    let choices: [UInt16] = [
      0x0A, 0x41, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF,
    ]
    for first in choices {
      for second in choices {
        for third in choices {
          let units = [first, second, third, 0xD83D, 0xDE00, first]
          let bytes = Self.bytes([0xFEFF] + units, bigEndian: bigEndian)
          let expected = Array(String(decoding: units, as: UTF16.self).utf8)
          #expect(Decoded(bytes).text == expected)
          #expect(Decoded(bytes, chunk: 3).text == expected)
        }
      }
    }
  }

  @Test("Half a unit at the end is U+FFFD, once")
  func half() {
    let bytes = Self.bytes("\u{FEFF}ab".utf16, bigEndian: false)
    #expect(Decoded(bytes + [0x63]).string == "ab\u{FFFD}")
    #expect(Decoded(bytes + [0x3D, 0xD8, 0x00]).string == "ab\u{FFFD}")
    #expect(Decoded(Array(bytes.prefix(2))).text == [])
  }

  @Test("Pieces of a long text stay within the bound")
  func long() {
    let bytes = Self.bytes("\u{FEFF}".utf16, bigEndian: true) + (0..<2_000_000).map { _ in 0x66 }
    var total = 0
    var largest = 0
    let problem = pieces(of: bytes) { piece in
      total += piece.count
      largest = max(largest, piece.count)
    }
    #expect(problem == nil)
    #expect(total == 3_000_000)
    #expect(largest <= InputDecoding.pieceLimit)
  }
}
