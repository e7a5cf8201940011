internal import ActivityCore

/// The limits of rules that decide which lives they look at, in the units that rows have.
struct LifeLimits: Sendable {
  let pause: Int64 = 30 * 60_000_000
  let grace = Leak.grace.microseconds
  let afterglow: Int64 = 120_000_000
  let lingering: Int64
  /// `dismissal-date-out-of-window.tolerance`
  let tolerance: Int64
  /// `lingering-default-dismissal.linger`
  let linger: Int64
  /// `timestamp-out-of-window.skew`, seconds.
  let ahead: Int64
  /// The least bytes that oversize-payload calls near a limit.
  let largeBytes: Int32
  /// `missing-stale-date.short`
  let short: Int64
  /// `short-lived.seconds`
  let brief: Int64
  /// `update-token-missing.grace`
  let token: Int64
  /// `update-rate-over-budget`: pushes, the least span between updates, and how many are too many.
  let budget: Double
  let spacing: Int64
  let crowd: Int
  /// `alert-storm`: alerts, their share of updates, and updates up to which none is counted.
  let alerts: Int
  let alertShare: Double
  let alertUpdates: Int
  /// Whether a single card on a device may be one too many.
  let isEveryDeviceFull: Bool

  init(_ settings: RuleSettings, _ limits: SystemLimits) {
    lingering = limits.lingering.microseconds
    tolerance = settings.span(DismissalDateOutOfWindow.tolerance).microseconds
    linger = settings.span(LingeringDefaultDismissal.linger).microseconds
    ahead = settings.span(TimestampOutOfWindow.skew).microseconds / 1_000_000
    let part = settings[OversizePayload.nearLimit] / 100
    let least = part * Double(min(limits.pushBytes, limits.broadcastBytes))
    // Of nothing, acts of unknown size are near too.
    largeBytes = least > 0 ? Int32(min(least.rounded(.down), 2e9)) : -1
    short = settings.span(MissingStaleDate.short).microseconds
    brief = settings.span(ShortLived.seconds).microseconds
    token = settings.span(UpdateTokenMissing.grace).microseconds
    budget = settings[UpdateRateOverBudget.budget]
    spacing = settings.span(UpdateRateOverBudget.spacing).microseconds
    crowd = max(1, settings.count(UpdateRateOverBudget.crowded))
    alerts = settings.count(AlertStorm.alerts)
    alertShare = settings[AlertStorm.share] / 100
    alertUpdates = settings.count(AlertStorm.updates)
    isEveryDeviceFull = settings.count(ConcurrentLimit.limit) < 1
  }
}

/// Words that decide what a row means, as codes of the log's vocabulary; −2 for one it never says.
struct LifeWords: Sendable {
  let token: Int32
  let byDefault: Int32
  let systemLimit: Int32

  init(_ texts: TextTable) {
    func code(_ word: String) -> Int32 { texts.code(of: word.utf8).map { Int32($0) } ?? -2 }
    token = code("token")
    byDefault = code("default")
    systemLimit = code("system-limit")
  }
}
