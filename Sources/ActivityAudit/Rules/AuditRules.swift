/// The one registry of rules, in order of value to somebody after an incident.
package enum AuditRules {
  package static let all: [any AuditRule.Type] = [
    EndNotDelivered.self,
    EndedBySystemLimit.self,
    NeverEnded.self,
    LateEnd.self,
    EndUnconfirmed.self,
    StaleWhileLive.self,
    UpdateNotDelivered.self,
    StartNotDelivered.self,
    StartUnacknowledged.self,
    UpdateTokenMissing.self,
    TokenGoneNoRecovery.self,
    SupersededTokenUsed.self,
    WrongTopicOrPushType.self,
    WrongEnvironmentToken.self,
    TokenKindMismatch.self,
    CredentialsOutage.self,
    OutOfOrderTimestamp.self,
    UpdateAfterEnd.self,
    SendAfterTerminal.self,
    ImpossibleTransition.self,
    OrphanEvent.self,
    RequestFailed.self,
    OneShotPush.self,
    PushToStartBurst.self,
    StartWhileDisabled.self,
    LocalUpdatesNotApplied.self,
    PriorityMismatch.self,
    RetryStorm.self,
    FrequentPushesOff.self,
  ]
}

extension RuleInfo {
  /// Every rule there is, for listings and documentation.
  public static var all: [RuleInfo] { AuditRules.all.map { $0.info } }
}
