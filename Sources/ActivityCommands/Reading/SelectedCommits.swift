internal import ActivityCore
internal import ActivityStore

extension LogSelection {
  /// What an audit reads: everything of the commits a selection of rows can rest on.
  static func audited(_ selection: Selection) -> LogSelection {
    var window = window(of: selection)
    window.withContent = true
    window.members = Member.allCases.filter { $0 != .id && $0 != .os }
    return window
  }

  /// The commits a selection of rows can rest on, without their content.
  static func window(of selection: Selection) -> LogSelection {
    var window = LogSelection.columns
    window.members = foldedMembers
    window.atNoEarlierThan = selection.from
    if selection.lastSeq != .max {
      window.seqs = 1...max(1, selection.lastSeq)
    } else if selection.clock == .occurred {
      window.atNoLaterThan = selection.until
    } else {
      window.recordedNoLaterThan = selection.until
    }
    return window
  }

  /// What identity and fold read; `id`, headers and the like stay closed.
  private static let foldedMembers: [Member] = Member.allCases.filter { member in
    switch member {
    case .id, .os, .host, .apnsTopic, .apnsPushType, .apnsPriority, .apnsExpiration, .pushType:
      false
    case .recorder, .source, .token, .channel, .key, .build, .producer, .attributesType,
      .timestamp, .staleDate, .dismissalDate, .dismissalPolicy, .endReason, .startDate, .style,
      .inputPushChannel, .apnsID, .attempt, .bytes, .status, .reason, .by, .state, .complete,
      .operation,
      .tokenKind, .replaces, .enabled, .outcome, .from, .until, .contentBytes:
      true
    }
  }
}
