/// The commands a page asks its reader to type: the fenced blocks marked `console` under the
/// heading that names a tour.
struct Tour {
  /// One command with the output shown below it.
  struct Step: Equatable {
    var command: String
    var shown: [String] = []
    /// Whether what is shown must be the beginning of what is printed.
    var isExact: Bool
  }

  private(set) var steps: [Step] = []

  init(page: String) {
    var depth: Int?
    var block: (isRun: Bool, isExact: Bool)?
    for line in page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("```") {
        let words = line.dropFirst(3).split(separator: " ")
        block =
          block == nil
          ? (depth != nil && words.first == "console", words.contains("exact")) : nil
      } else if let block {
        if block.isRun { take(line, isExact: block.isExact) }
      } else if line.hasPrefix("#") {
        let level = line.prefix { $0 == "#" }.count
        if line.lowercased().contains("tour") {
          depth = level
        } else if let tour = depth, level <= tour {
          depth = nil
        }
      }
    }
  }

  private mutating func take(_ line: String, isExact: Bool) {
    if line.hasPrefix("$ ") {
      steps.append(Step(command: String(line.dropFirst(2)), isExact: isExact))
    } else if var last = steps.popLast() {
      if line.hasPrefix("> ") {
        last.command += "\n" + line.dropFirst(2)
      } else {
        last.shown.append(line)
      }
      steps.append(last)
    }
  }

  /// Whether what is shown is how the output begins; a line that ends in `…` may go on.
  static func matches(_ shown: [String], _ output: String) -> Bool {
    let printed = output.split(separator: "\n", omittingEmptySubsequences: false)
    guard shown.count <= printed.count else { return false }
    return zip(shown, printed).allSatisfy { shown, printed in
      shown.hasSuffix("…") ? printed.hasPrefix(shown.dropLast()) : shown == printed
    }
  }
}
