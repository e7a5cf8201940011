import Foundation
import Testing

@Suite("The layout")
struct LayoutTests {
  @Test("The top level is the manifest, four folders and a page")
  func topLevel() {
    let expected: Set = ["Package.swift", "Sources", "Tests", "Logs", "Tools", "README.md"]
    let found = Set(Repository.names(in: ""))
    #expect(found.subtracting(expected) == [])
    if Repository.exists("README.md") { #expect(expected.subtracting(found) == []) }
  }

  @Test(
    "Scripts can be run, stop at the first failure and work from any folder",
    arguments: ["Tools/test", "Tools/quickstart", "Tools/install", ".ci/run"])
  func scripts(_ path: String) throws {
    let mode = try #require(try Repository.attributes(path)[.posixPermissions] as? Int)
    #expect(mode & 0o111 == 0o111)
    let text = try Repository.text(path)
    #expect(text.hasPrefix("#!/usr/bin/env bash\n"))
    #expect(text.contains("\nset -euo pipefail\n"))
    #expect(path == "Tools/install" || text.contains("BASH_SOURCE"))
  }

  @Test("No file in Logs is over 2 MB")
  func logSizes() throws {
    for path in Repository.files(below: "Logs") {
      let size = try #require(try Repository.attributes(path)[.size] as? Int)
      #expect(size <= 2_000_000, "\(path) has \(size) bytes")
    }
  }
}
