import Foundation

/// The files this package is made of, read from the checkout the tests were built from.
enum Repository {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Names directly in a folder, without those that begin with a dot; empty when it is missing.
  static func names(in folder: String) -> [String] {
    let found = try? FileManager.default.contentsOfDirectory(
      atPath: root.appending(path: folder).path(percentEncoded: false))
    return (found ?? []).filter { !$0.hasPrefix(".") }.sorted()
  }

  /// Every file below a folder, as paths from the root.
  static func files(below folder: String, withSuffix suffix: String = "") -> [String] {
    names(in: folder).flatMap { name -> [String] in
      let path = "\(folder)/\(name)"
      return isFolder(path) ? files(below: path, withSuffix: suffix) : [path]
    }.filter { $0.hasSuffix(suffix) }
  }

  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    let place = root.appending(path: path).path(percentEncoded: false)
    return FileManager.default.fileExists(atPath: place, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appending(path: path).path(percentEncoded: false))
  }

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// A Swift file below Sources, Tests or Tools, read and parsed once.
  static func swift(_ path: String) throws -> SwiftText {
    try parsed[path] ?? SwiftText(text(path))
  }

  private static let parsed: [String: SwiftText] = {
    var parsed: [String: SwiftText] = [:]
    for path in swiftFiles { parsed[path] = try? SwiftText(text(path)) }
    return parsed
  }()

  static func attributes(_ path: String) throws -> [FileAttributeKey: Any] {
    try FileManager.default.attributesOfItem(
      atPath: root.appending(path: path).path(percentEncoded: false))
  }

  /// The Swift files of the package, the manifest aside.
  static var swiftFiles: [String] {
    ["Sources", "Tests", "Tools"].flatMap { files(below: $0, withSuffix: ".swift") }
  }
}
