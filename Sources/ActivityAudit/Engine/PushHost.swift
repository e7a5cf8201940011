/// Which of APNs' two worlds a word speaks of.
enum PushHost: Sendable {
  case sandbox, production

  /// Of a host such as `api.sandbox.push.apple.com`; nil for one that is not Apple's.
  init?(host: String?) {
    guard let host, host.contains("push.apple.com") else { return nil }
    self = host.contains("sandbox") || host.contains("development") ? .sandbox : .production
  }

  /// Of an `environment`.
  init?(environment: String?) {
    switch environment?.lowercased() {
    case "production", "prod": self = .production
    case let word? where word.isDevelopment: self = .sandbox
    default: return nil
    }
  }

  var word: String { String(describing: self) }
}

extension String {
  /// Whether it names the environment of builds that run from a developer's machine.
  var isDevelopment: Bool { ["sandbox", "development", "dev"].contains(lowercased()) }
}
