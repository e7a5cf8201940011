/// A `.logarchive`: a directory of binary unified logs, as `log collect` and a sysdiagnose make it.
package enum LogArchive {
  /// The folders one has beside its `Info.plist`.
  private static let folders: Set<String> = [
    "dsc", "uuidtext", "timesync", "Persist", "Special", "Signpost", "HighVolume",
  ]

  static let remedy =
    "on a Mac: log show --archive X.logarchive --style ndjson > X.ndjson, and give X.ndjson"

  /// What is said of one.
  package static let problem = InputProblem(
    .otherForm, "the input is a log archive, a folder of binary unified logs, which is not read",
    hint: remedy)

  /// Whether a directory with entries of these names is one, or the part of one that has the logs.
  package static func isOne(names: [String]) -> Bool {
    names.contains { $0.hasSuffix(".tracev3") }
      || names.contains("Info.plist") && names.contains(where: folders.contains)
  }
}
