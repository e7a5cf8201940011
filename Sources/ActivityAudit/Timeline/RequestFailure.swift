/// Why ActivityKit refused to start an activity, from the case, the code or the text of a failure.
package enum RequestFailure: Sendable, Hashable {
  /// The app was not in the foreground.
  case visibility
  /// The device, or the app, has as many activities as it may.
  case tooMany
  /// The person switched Live Activities off.
  case denied
  /// The device has none.
  case unsupported
  /// Attributes and content are larger than it takes.
  case tooLarge
  /// Anything else, which is the app's or the system's own fault.
  case other

  package init(_ failure: Entry, _ log: AuditLog) {
    let rare = log.content(of: failure)?.rare
    let text = log.contentText(rare?.message)?.lowercased() ?? ""
    self =
      switch log.contentText(rare?.failureCase) {
      case "visibility": .visibility
      case "targetMaximumExceeded", "globalMaximumExceeded": .tooMany
      case "denied": .denied
      case "unsupported": .unsupported
      case "attributesTooLarge": .tooLarge
      default:
        // Seen with this number by several apps; it comes without a case name.
        text.isEmpty && log.contentText(rare?.failureCode) == "5"
          ? .tooMany : RequestFailure(text: text)
      }
  }

  /// Logs that hold a domain and a code often hold the text too, and only that is the same in all.
  private init(text: String) {
    if text.contains("maximum number of activities") {
      self = .tooMany
    } else if text.contains("visibility") || text.contains("not in foreground") {
      self = .visibility
    } else if text.contains("denied") || text.contains("not authorized") {
      self = .denied
    } else {
      self = .other
    }
  }
}
