/// A command line of a shell, taken apart: quotes go, what they hold stays as it is.
enum ShellWords {
  /// The words of a command; nil when a quote is open, or a backslash ends the last line.
  static func split(_ command: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var rest = command[...]
    while let character = rest.popFirst() {
      if let open = quote {
        if character == open {
          quote = nil
        } else if character == "\\", open == "\"", let next = rest.first {
          rest.removeFirst()
          if next == "\n" { continue }
          word?.append(contentsOf: "\"\\$`".contains(next) ? String(next) : "\\\(next)")
        } else {
          word?.append(character)
        }
        continue
      }
      switch character {
      case "'", "\"":
        quote = character
        word = word ?? ""
      case "\\":
        guard let next = rest.popFirst() else { return nil }
        if next != "\n" { word = (word ?? "") + String(next) }
      case " ", "\t", "\n":
        if let whole = word { words.append(whole) }
        word = nil
      case "|", ";", ">", "&":
        if word == nil || character == ";" { return words + (word.map { [$0] } ?? []) }
        word?.append(character)
      default: word = (word ?? "") + String(character)
      }
    }
    guard quote == nil else { return nil }
    return words + (word.map { [$0] } ?? [])
  }
}

/// A command of curl: its URL, headers and data.
struct CurlCommand: Sendable {
  var url: String?
  var headers: [(name: String, value: String)] = []
  var data: String?

  private static let dataOptions: Set<String> = [
    "-d", "--data", "--data-raw", "--data-binary", "--data-ascii", "--json", "--data-urlencode",
  ]
  /// Options whose next word is their value, and nothing to us.
  private static let valued: Set<String> = [
    "-X", "--request", "-o", "--output", "-w", "--write-out", "-m", "--max-time", "--cert", "-E",
    "--key", "--cert-type", "--key-type", "-u", "--user", "-A", "--user-agent", "--cacert",
    "--connect-timeout", "--retry", "-e", "--pass", "--resolve",
  ]

  /// - Parameter words: what stands behind `curl`.
  init(_ words: [String]) {
    var rest = words[...]
    while let word = rest.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      if Self.dataOptions.contains(word) {
        if let value = rest.popFirst() { add(data: value) }
      } else if word == "-H" || word == "--header" {
        if let value = rest.popFirst() { add(header: value) }
      } else if word == "--url" {
        url = rest.popFirst()
      } else if Self.valued.contains(word) {
        rest = rest.dropFirst()
      } else if parts.count == 2, Self.dataOptions.contains(parts[0]), word.hasPrefix("--") {
        add(data: parts[1])
      } else if parts.count == 2, parts[0] == "--header" {
        add(header: parts[1])
      } else if word.hasPrefix("-d"), word.count > 2 {
        add(data: String(word.dropFirst(2)))
      } else if word.hasPrefix("-H"), word.count > 2 {
        add(header: String(word.dropFirst(2)))
      } else if !word.hasPrefix("-"), word.contains("push.apple.com") || word.contains("://") {
        url = word
      }
    }
  }

  /// Several pieces of data are joined, as curl does.
  private mutating func add(data piece: String) {
    data = data.map { $0 + "&" + piece } ?? piece
  }

  private mutating func add(header: String) {
    let parts = header.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return }
    headers.append((parts[0], parts[1].trimmedBlanks))
  }

  /// Whether it goes to APNs.
  var isForAPNs: Bool {
    url?.contains("push.apple.com") == true || url.flatMap { APNsHeaders.target($0) } != nil
      || headers.contains { APNsHeaders.canonical($0.name).hasPrefix("apns-") }
  }
}
