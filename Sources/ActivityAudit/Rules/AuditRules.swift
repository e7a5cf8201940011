/// The one registry of rules, in order of value to somebody after an incident.
package enum AuditRules {
  package static let all: [any AuditRule.Type] = [
    EndNotDelivered.self,
    EndedBySystemLimit.self,
    NeverEnded.self,
    LateEnd.self,
    StaleWhileLive.self,
    UpdateNotDelivered.self,
    StartNotDelivered.self,
    CredentialsOutage.self,
    OutOfOrderTimestamp.self,
    UpdateAfterEnd.self,
    ImpossibleTransition.self,
    OrphanEvent.self,
  ]
}

extension RuleInfo {
  /// Every rule there is, for listings and documentation.
  public static var all: [RuleInfo] { AuditRules.all.map { $0.info } }
}
