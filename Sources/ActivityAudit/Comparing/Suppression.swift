public import ActivityCore

/// A finding somebody decided to live with, for a while and for a reason.
public struct Suppression: Sendable, Equatable {
  /// Of the finding.
  public var fingerprint: String
  /// Why it is lived with.
  public var reason: String
  /// The first instant at which it no longer counts.
  public var until: Timestamp

  /// The finding of this fingerprint is left out of audits derived before `until`.
  public init(fingerprint: String, reason: String, until: Timestamp) {
    self.fingerprint = fingerprint
    self.reason = reason
    self.until = until
  }

  /// Whether it still counts for an audit derived at an instant.
  public func holds(at now: Timestamp) -> Bool { now < until }
}

/// A finding that is left out, and why.
public struct SuppressedFinding: Sendable, Equatable {
  /// What was found.
  public var finding: Finding
  /// What leaves it out.
  public var suppression: Suppression
}

extension AuditReport {
  /// The same report without the findings that suppressions name: no headline, group, count or
  /// gate sees them; `suppressed` lists them. Those past their date leave nothing out.
  public func suppressing(
    _ suppressions: [Suppression], examplesMax: Int = AuditOptions().examplesMax
  ) -> AuditReport {
    var holding: [String: Suppression] = [:]
    for suppression in suppressions where suppression.holds(at: coverage.now) {
      // Of two for one finding the one that holds longer counts.
      guard let known = holding[suppression.fingerprint] else {
        holding[suppression.fingerprint] = suppression
        continue
      }
      if suppression.until > known.until { holding[suppression.fingerprint] = suppression }
    }
    let left = findings.compactMap { finding in
      holding[finding.fingerprint].map { SuppressedFinding(finding: finding, suppression: $0) }
    }
    var report = choosing({ holding[$0.fingerprint] == nil }, examplesMax: examplesMax)
    report.suppressed = suppressed + left
    return report
  }
}
