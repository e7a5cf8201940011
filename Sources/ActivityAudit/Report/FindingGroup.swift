public import ActivityCore

/// Findings that one cause explains, or that one rule made of one type and build.
public struct FindingGroup: Sendable, Equatable {
  /// The cause's rule, else the findings' own.
  public var rule: String
  /// The cause's fingerprint; nil when the findings share no cause.
  public var cause: String?
  /// The type its findings share; nil for a cause.
  public var attributesType: String?
  /// The build its findings share; nil for a cause.
  public var build: String?
  /// The worst of its findings.
  public var severity: Severity
  /// How many of its findings are confirmed.
  public var confirmed: Int
  /// How many of its findings are inferred.
  public var inferred: Int
  /// When the first of them began.
  public var first: Timestamp
  /// When the last of them began.
  public var last: Timestamp
  /// What its findings add up to.
  public var headline: Headline
  /// The cause, then the worst findings, at most `AuditOptions.examplesMax`.
  public var examples: [Finding]

  /// How many findings it holds.
  public var count: Int { confirmed + inferred }

  /// What puts findings into one group.
  private struct Heading: Hashable {
    var rule: String
    var cause: String?
    var type: String?
    var build: String?
  }

  /// Groups in the order of their worst finding.
  static func groups(of sorted: [Finding], examplesMax: Int) -> [FindingGroup] {
    // A cause that is one card's own explains that card alone: such causes go by type and build.
    let ofCards = Set(
      AuditRules.all.filter { $0.info.isCause && $0.info.scope == .activity }.map { $0.info.id })
    let causes = Set(
      sorted.flatMap(\.because).filter { !ofCards.contains($0.rule) }.map(\.fingerprint))
    var order: [Heading] = []
    var members: [Heading: [Finding]] = [:]
    for finding in sorted where finding.severity > .info {
      let heading =
        if let cause = finding.because.first {
          ofCards.contains(cause.rule)
            ? Heading(rule: cause.rule, type: finding.attributesType, build: finding.build)
            : Heading(rule: cause.rule, cause: cause.fingerprint)
        } else if causes.contains(finding.fingerprint) {
          Heading(rule: finding.rule, cause: finding.fingerprint)
        } else {
          Heading(
            rule: finding.rule, type: finding.attributesType, build: finding.build)
        }
      if members[heading] == nil { order.append(heading) }
      members[heading, default: []].append(finding)
    }
    return order.compactMap { heading in
      FindingGroup(heading, members[heading] ?? [], examplesMax: examplesMax)
    }
  }

  private init?(_ heading: Heading, _ findings: [Finding], examplesMax: Int) {
    guard let first = findings.map(\.from).min(), let last = findings.map(\.from).max() else {
      return nil
    }
    rule = heading.rule
    cause = heading.cause
    attributesType = heading.type
    build = heading.build
    severity = findings.map(\.severity).max() ?? .info
    confirmed = findings.count { $0.verdict == .confirmed }
    inferred = findings.count { $0.verdict == .inferred }
    self.first = first
    self.last = last
    headline = Headline(findings)
    // The cause itself comes first among its examples.
    let own = findings.filter { $0.fingerprint == heading.cause }
    let others = findings.filter { $0.fingerprint != heading.cause }
    examples = own + others.prefix(max(0, examplesMax))
  }
}
