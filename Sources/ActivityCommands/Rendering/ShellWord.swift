/// A word as a shell takes it for one.
enum ShellWord {
  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=+-,@%")

  /// In single quotes when it holds anything that a shell reads.
  static func quoted(_ text: String) -> String {
    if !text.isEmpty, text.allSatisfy({ plain.contains($0) }) { return text }
    var quoted = "'"
    for character in text { quoted += character == "'" ? #"'\''"# : String(character) }
    return quoted + "'"
  }
}
