import Testing

@Suite("Reading Swift files")
struct SwiftTextTests {
  private static let sample = #"""
    /// Says print( in a comment.
    func a(
      _ b: Int
    ) -> String {
      let text = "try! \(b + 1) }"
      /* fatalError { */
      let raw = #"as! "quoted" }"#
      return """
        } as! {
        """
    }
    protocol P {
      func bare()
      init?(x: Int)
    }
    var c: Int {
      1
    }
    """#

  @Test("Comments and strings are no code")
  func blanked() {
    let text = SwiftText(Self.sample)
    #expect(text.code.count == text.lines.count)
    for word in ["print(", "try!", "fatalError", "as!", "quoted"] {
      #expect(!text.code.contains { contains($0, word) }, "\(word) was taken for code")
    }
    #expect(text.code[4] == "  let text =" + String(repeating: " ", count: 18))
    #expect(zip(text.code, text.lines).allSatisfy { $0.count == $1.count })
  }

  @Test("Functions are measured to their closing brace; requirements have no body")
  func functions() {
    let found = SwiftText(Self.sample).functions
    #expect(found.map(\.line) == [2, 16])
    #expect(found.map(\.length) == [10, 3])
  }

  @Test("Words are found as words, names split at capitals")
  func words() {
    #expect(contains("print(x)", "print("))
    #expect(!contains("fingerprint(x)", "print("))
    #expect(!contains("MutexLike", "Mutex"))
    #expect(declaredType("package final class LogBase: P {") == "LogBase")
    #expect(declaredType("class func f()") == nil)
    #expect(camelWords("LogBase") == ["Log", "Base"])
  }
}
