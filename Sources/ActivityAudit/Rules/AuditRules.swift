/// The one registry of rules, in order of value to somebody after an incident.
package enum AuditRules {
  package static let all: [any AuditRule.Type] = [
    EndNotDelivered.self,
    EndedBySystemLimit.self,
    NeverEnded.self,
    LateEnd.self,
    StaleWhileLive.self,
    UpdateNotDelivered.self,
    DuplicateLive.self,
    StartNotDelivered.self,
    TypeNeverEnds.self,
    CredentialsOutage.self,
    OutOfOrderTimestamp.self,
    EndKillsReplacement.self,
    UpdateAfterEnd.self,
    ImpossibleTransition.self,
    RenewalGap.self,
    RestartedAfterUserDismissal.self,
    IDMismatch.self,
    PendingNeverStarted.self,
    ScheduledNotCancelled.self,
    OrphanEvent.self,
    ConcurrentLimit.self,
    BroadcastMisuse.self,
    BroadcastEndMissing.self,
    ChannelLeaked.self,
    ClockSkew.self,
    StaleTreatedAsEnd.self,
    DoubleEnd.self,
    ShortLived.self,
  ]
}

extension RuleInfo {
  /// Every rule there is, for listings and documentation.
  public static var all: [RuleInfo] { AuditRules.all.map { $0.info } }
}
