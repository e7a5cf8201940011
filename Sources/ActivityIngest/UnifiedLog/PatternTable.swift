internal import ActivityCore

/// What the lines of a log say of Live Activities: a table that is data, in JSON.
///
/// `{"version":"…","system":["liveactivitiesd",…],"patterns":[…]}`; a pattern is
/// `{"id":"…","process":"liveactivitiesd","subsystem":"…","category":"…","match":"Activity did
/// start {activity-id}","event":"state","set":{"state":"active"},"os":"26","source":"…"}`. The page
/// UnifiedLog tells every member. The first pattern that matches a line decides.
public struct PatternTable: Sendable {
  /// The most bytes of a message that are looked at.
  static let messageBytesMax = 8_192
  /// The most patterns a table has.
  public static let patternsMax = 1_000

  /// Which edition of the table this is.
  public let version: String
  /// Processes that are no apps.
  let system: Set<String>
  let patterns: [LogPattern]

  /// Reads a table.
  ///
  /// - Throws: which pattern is wrong, and a sentence that says how.
  public init(_ bytes: [UInt8]) throws(PatternProblem) {
    guard let json = JSONSlice(bytes), json.type == .object else {
      throw PatternProblem(pattern: "", detail: "it is no JSON object")
    }
    guard let version = json["version"]?.string, !version.isEmpty else {
      throw PatternProblem(pattern: "", detail: "it needs a \"version\", a text of your own")
    }
    self.version = version
    system = Set((json["system"]?.elements ?? []).compactMap(\.string))
    guard let list = json["patterns"], list.type == .array else {
      throw PatternProblem(pattern: "", detail: "it needs \"patterns\", an array")
    }
    let elements = list.elements
    guard elements.count <= Self.patternsMax else {
      throw PatternProblem(
        pattern: "", detail: "it has more than \(Self.patternsMax) patterns")
    }
    var patterns: [LogPattern] = []
    for (number, element) in elements.enumerated() {
      var problem = ""
      let name = element["id"]?.string ?? "number \(number + 1)"
      guard let pattern = LogPattern(element, problem: &problem) else {
        throw PatternProblem(pattern: name, detail: problem)
      }
      guard !patterns.contains(where: { $0.id == pattern.id }) else {
        throw PatternProblem(pattern: name, detail: "another pattern has the same id")
      }
      patterns.append(pattern)
    }
    self.patterns = patterns
  }

  private init(version: String, system: Set<String>, patterns: [LogPattern]) {
    self.version = version
    self.system = system
    self.patterns = patterns
  }

  /// The patterns that come with this library.
  public static let builtIn: PatternTable =
    (try? PatternTable(Array(Patterns2026.json.utf8)))
    ?? PatternTable(version: "none", system: [], patterns: [])

  /// This table's patterns first, then those of another.
  public func followed(by other: PatternTable) -> PatternTable {
    let own = Set(patterns.map(\.id))
    return PatternTable(
      version: "\(version)+\(other.version)", system: system.union(other.system),
      patterns: patterns + other.patterns.filter { !own.contains($0.id) })
  }

  /// Whether a process belongs to the system; one that nobody names is the app.
  func isSystem(_ process: String) -> Bool { system.contains(process) }

  /// The first pattern that a message matches, and what it holds at the pattern's places.
  func match(_ message: LogMessage) -> (LogPattern, [MessageTemplate.Capture])? {
    let text = Array(message.message.utf8.prefix(Self.messageBytesMax))
    let format = Array(message.formatString.utf8.prefix(Self.messageBytesMax))
    let isSystem = isSystem(message.process)
    for pattern in patterns where pattern.isBy(message, isSystem: isSystem) {
      guard let captures = pattern.template.match(text), pattern.template.isBorne(by: format)
      else { continue }
      return (pattern, captures)
    }
    return nil
  }
}

/// Why a pattern table cannot be used.
public struct PatternProblem: Error, Hashable, CustomStringConvertible {
  /// The id of the pattern that is wrong, or its number; empty for the table as a whole.
  public var pattern: String
  /// What is wrong with it.
  public var detail: String

  /// One sentence.
  public var description: String {
    let place = pattern.isEmpty ? "The pattern table" : "Pattern \(pattern)"
    return "\(place) cannot be used: \(detail)."
  }
}
