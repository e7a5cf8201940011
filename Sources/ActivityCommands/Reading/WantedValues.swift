/// The values `--where` asks for, by name: every name given must hold; of one name given twice,
/// either value.
struct WantedValues: Sendable {
  private let wanted: [String: Set<String>]
  var isEmpty: Bool { wanted.isEmpty }

  /// - Parameters:
  ///   - things: What is filtered, as an error names it.
  ///   - hint: What to try for a name that is none of `names`.
  init(
    _ given: Arguments, names: [String], of things: String, hint: (String) -> String
  ) throws(UsageError) {
    var wanted: [String: Set<String>] = [:]
    for (name, value) in try given.pairs(ReadingOptions.filter) {
      guard names.contains(name) else {
        throw UsageError("--where: \(things) have no '\(name)'", hint: hint(name))
      }
      wanted[name, default: []].insert(value)
    }
    self.wanted = wanted
  }

  /// Whether every name has one of its values, as `has` knows.
  func hold(_ has: (String, Set<String>) -> Bool) -> Bool {
    wanted.allSatisfy { has($0.key, $0.value) }
  }
}
