internal import ActivityCore

/// One line that a process wrote to a log, however the export lays it out.
struct LogMessage: Sendable {
  /// When it was written, or why that cannot be said.
  enum Time: Sendable {
    case instant(Timestamp)
    /// The line has no time at all: it happened when it is read.
    case none
    case noZone
    case noDate
    case bad
  }

  var time = Time.none
  /// The last component of the process's path; empty when nobody says.
  var process = ""
  var pid = ""
  var subsystem = ""
  var category = ""
  var message = ""
  /// The message before its arguments were filled in; empty when the export has none.
  var formatString = ""
  var boot = ""
  /// Ticks of the device's clock, as spelled.
  var mach = ""
  var thread = ""
  var host = ""

  /// The app whose line this is, where its subsystem is named like one.
  var bundle: String? {
    let labels = subsystem.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count >= 3, !subsystem.hasPrefix("com.apple.") else { return nil }
    let isName = labels.allSatisfy { label in
      !label.isEmpty && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }
    return isName ? subsystem : nil
  }

  /// Whether redaction left nothing to look at.
  var isPrivate: Bool { message.trimmedBlanks == "<private>" }
}

extension LogMessage.Time {
  /// What a text with date and time of day says.
  init(_ text: String, _ reader: SourceTime) {
    if let instant = reader.instant(text) {
      self = .instant(instant)
    } else {
      self = reader.lacksZone(text) ? .noZone : .bad
    }
  }
}
