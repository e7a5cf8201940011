package import ActivityCore

/// Push starts by device and type, and whether anything was seen of them.
package struct PushStarts: Sendable {
  /// Where a start goes: a device, or its start token where nobody says which device that is.
  package struct Place: Hashable, Sendable {
    package var device: Entry.Word
    package var token: Entry.Word
    package var type: Entry.Word
  }

  /// One start that was not refused, with all its attempts.
  package struct Start: Sendable {
    package var at: Timestamp
    package var seq: Int64
    package var card: Int
    package var isAccepted: Bool
    /// Whether the device, or a token that it handed over, shows that a card came to be.
    package var isSeen: Bool
  }

  private var starts: [Place: [Start]] = [:]
  /// By device's code: when it was last heard of, microseconds.
  private var heard: [Int64] = []

  package init() {}

  package mutating func observe(_ life: Timeline) {
    guard !life.isChannel else { return }
    let device = life.deviceWord
    var isSeen = false
    var pushed: [Entry] = []
    for entry in life.entries {
      guard let kind = entry.kind else { continue }
      if PushStarts.isFromDevice(entry, kind) {
        isSeen = true
        if !device.isAbsent { hear(device, entry.at) }
      } else if kind == .start {
        if entry.isAppliedAct, entry.isByPush, !entry.isNamedByKeyAlone { pushed.append(entry) }
      } else if !entry.token.isAbsent {
        isSeen = true
      }
    }
    guard !pushed.isEmpty else { return }
    var acts: [Int: Int] = [:]
    for (entry, act) in zip(pushed, Acts(pushed).number) {
      let place = Place(
        device: device, token: device.isAbsent ? entry.token : Entry.Word(-1), type: life.type)
      if let number = acts[act] {
        if entry.isAccepted { starts[place]?[number].isAccepted = true }
        continue
      }
      acts[act] = starts[place]?.count ?? 0
      starts[place, default: []].append(
        Start(
          at: entry.at, seq: entry.seq, card: life.number, isAccepted: entry.isAccepted,
          isSeen: isSeen))
    }
  }

  /// Takes a life without push starts in: only what its device showed.
  mutating func count(_ facts: LifeFacts) {
    guard !facts.isChannel, facts.device >= 0, facts.heardAt != Life.absent else { return }
    hear(Entry.Word(facts.device), Timestamp(microseconds: facts.heardAt))
  }

  private static func isFromDevice(_ entry: Entry, _ kind: EventKind) -> Bool {
    switch kind {
    case .token, .state, .stale, .dismiss, .inventory: true
    case .start, .update, .alert, .end: !entry.isByPush && !entry.isNamedByKeyAlone
    case .unknown, .response, .failure, .authorization, .channel, .work, .coverage: false
    }
  }

  private mutating func hear(_ device: Entry.Word, _ at: Timestamp) {
    let place = Int(device.code)
    if place >= heard.count {
      heard.append(contentsOf: repeatElement(Life.absent, count: place + 1024 - heard.count))
    }
    heard[place] = max(heard[place], at.microseconds)
  }

  /// Takes what devices say outside cards, and puts the starts of each place in order.
  package mutating func settle(_ log: AuditLog) -> [(place: Place, starts: [Start])] {
    guard !starts.isEmpty else { return [] }
    for kind in [EventKind.token, .inventory, .authorization] {
      log.forEachRow(of: kind) { entry in
        let device = log.device(of: entry)
        if !device.isAbsent { hear(device, entry.at) }
      }
    }
    return starts.map { place, starts in
      (place, starts.sorted { ($0.at, $0.seq) < ($1.at, $1.seq) })
    }
  }

  /// Whether a start was taken by APNs, and the device, heard of later, shows nothing of it.
  package func isLost(_ start: Start, _ place: Place, after grace: Timestamp.Span) -> Bool {
    let device = Int(place.device.code)
    guard start.isAccepted, !start.isSeen, heard.indices.contains(device),
      let last = heard[device].stamp
    else { return false }
    return last - start.at > grace
  }
}
