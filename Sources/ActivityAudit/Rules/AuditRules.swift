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
    UndecodableContent.self,
    TimestampUnit.self,
    OversizePayload.self,
    StaleDateInPast.self,
    TimestampOutOfWindow.self,
    // Before start-without-alert, which leaves rows to it.
    MalformedPayload.self,
    StartWithoutAlert.self,
    CredentialsOutage.self,
    OutOfOrderTimestamp.self,
    UpdateAfterEnd.self,
    ImpossibleTransition.self,
    OrphanEvent.self,
    ContentShapeDrift.self,
    MissingStaleDate.self,
    UpdateRateOverBudget.self,
    AlertStorm.self,
    AlertWithoutTitle.self,
    EndWithoutFinalContent.self,
    DismissalDateOutOfWindow.self,
    LingeringDefaultDismissal.self,
    NoOpUpdate.self,
    RelevanceTie.self,
    SensitiveData.self,
  ]
}

extension RuleInfo {
  /// Every rule there is, for listings and documentation.
  public static var all: [RuleInfo] { AuditRules.all.map { $0.info } }
}
