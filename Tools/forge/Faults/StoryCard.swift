/// One card of a story: who shows it, who sends to it, and what all its lines say.
struct StoryCard {
  let number: Int
  let id: String
  var key: String
  var device: String
  /// The update token, as logs store it.
  var token: String
  var type: String
  var build: String
  /// The recorder of what its device does.
  var phone: String
  /// The recorder of its pushes.
  var sender: String
  var bundle = StoryCard.app

  static let app = "com.example.faults"
  /// Where stories happen whose rules look at one card alone.
  static let commonType = "CourierRun"
  static let commonBuild = "700"
}

/// What the audit must say of a story.
struct StoryFinding {
  let rule: String
  /// The printed name; `-` when it is about no activity.
  var name = "-"
  /// The line that gives the name, `start:` and its number, once it is known.
  var row: Int?
  var type: String?
  var build: String?
  var key: String?
  var device: String?

  /// The truth's line; `name` as it is now known.
  func line(name: String) -> String {
    var text = "{\"rule\":\"\(rule)\",\"name\":\"\(name)\""
    for (member, value) in [
      ("attributes-type", type), ("build", build), ("device", device), ("key", key),
    ] {
      if let value { text += ",\"\(member)\":\"\(value)\"" }
    }
    return text + "}"
  }
}
