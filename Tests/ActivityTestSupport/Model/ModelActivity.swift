/// Which of the two clocks selects rows (EVENTS 3).
public enum ModelClock: String, Sendable, CaseIterable {
  case occurred
  case recorded
}

/// Whose belief is folded (EVENTS 4).
public enum ModelView: String, Sendable, CaseIterable {
  case device
  case sent
}

/// A row that was not applied, or an end that was and is flagged.
public struct ModelNotApplied: Equatable, Sendable {
  public var seq: Int64
  /// A name of F1, `older-end` for an applied end below the mark, `no-life` for a lone alert.
  public var name: String

  public init(seq: Int64, name: String) {
    self.seq = seq
    self.name = name
  }
}

/// One life of one activity as the model derives it. Times are microseconds since 1970.
public struct ModelActivity: Equatable, Sendable, CustomStringConvertible {
  /// Activity id, else `token:` + 12 hex, else `key:…`, `channel:…` or `start:<seq>`.
  public var name = ""
  /// `pending` `active` `stale` `ended` `dismissed`.
  public var phase = ""
  public var since: Int64 = 0
  public var startedAt: Int64?
  public var startedBefore: Int64?
  public var endedAt: Int64?
  public var endReason: String?
  public var visibleUntil: Int64?
  public var inferred = false
  public var staleDate: Int64?
  /// Seq of the row whose content this is; nil if no content was ever given.
  public var contentSeq: Int64?
  public var key: String?
  public var device: String?
  public var build: String?
  public var attributesType: String?
  /// Applied updates, with the starts that folded as one (F3).
  public var updates = 0
  /// Alerts on applied acts, and applied ones that came alone.
  public var alerts = 0
  /// Seq of the first folded row of this life; orders lives of one name.
  public var firstSeq: Int64 = 0
  /// Largest seq of the folded rows of this life, applied or not.
  public var lastSeq: Int64 = 0
  public var notApplied: [ModelNotApplied] = []

  /// One line with every member that is set, in a fixed order.
  public var description: String {
    var parts = ["\(name) \(phase) since=\(ModelTime.text(since))"]
    func add(_ label: String, time: Int64?) {
      if let time { parts.append("\(label)=\(ModelTime.text(time))") }
    }
    func add(_ label: String, _ value: String?) {
      if let value { parts.append("\(label)=\(value)") }
    }
    add("started", time: startedAt)
    add("started-before", time: startedBefore)
    add("ended", time: endedAt)
    add("reason", endReason)
    add("visible-until", time: visibleUntil)
    add("stale-date", time: staleDate)
    add("content", contentSeq.map(String.init))
    add("key", key)
    add("device", device)
    add("build", build)
    add("type", attributesType)
    parts.append("updates=\(updates) alerts=\(alerts) seqs=\(firstSeq)...\(lastSeq)")
    if inferred { parts.append("inferred") }
    if !notApplied.isEmpty {
      parts.append("not=" + notApplied.map { "\($0.seq):\($0.name)" }.joined(separator: ","))
    }
    return parts.joined(separator: " ")
  }
}
