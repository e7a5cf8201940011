package import ActivityCore

/// What the log says of each broadcast channel: who listens, what was sent, when it came and went.
package struct ChannelNotes: Sendable {
  /// One push to a channel.
  package struct Broadcast: Sendable {
    package var at: Timestamp
    package var seq: Int64
    package var isEnd: Bool
    package var isRefused: Bool
    package var key: Entry.Word
  }

  /// One card that listens.
  package struct Listener: Sendable {
    package var opening: Timestamp
    package var openingSeq: Int64
    package var endedAt: Timestamp?
    package var seenUntil: Timestamp
    package var key: Entry.Word
    package var device: Entry.Word
  }

  /// Everything about one channel.
  package struct Notes: Sendable {
    package var channel: Entry.Word
    package fileprivate(set) var broadcasts: [Broadcast] = []
    package fileprivate(set) var listeners: [Listener] = []
    /// How far those who broadcast to it saw, where no card is known to listen.
    package fileprivate(set) var seenUntil: Timestamp?
    package fileprivate(set) var created: Entry?
    package fileprivate(set) var deletedAt: Timestamp?
    fileprivate var keys: Set<Entry.Word> = []
    fileprivate var first = Timestamp(microseconds: .max)
  }

  private var notes: [Entry.Word: Notes] = [:]

  package init() {}

  /// Keeps what a life has to do with channels.
  package mutating func add(_ life: Timeline) {
    if life.isChannel {
      guard let channel = life.entries.first(where: { !$0.channel.isAbsent })?.channel else {
        return
      }
      let known = notes[channel]?.seenUntil ?? life.seenUntil
      notes[channel, default: Notes(channel: channel)].seenUntil = max(known, life.seenUntil)
      return
    }
    for entry in life.entries where entry.kind == .start && !entry.isRefused {
      listen(entry, life)
    }
  }

  private mutating func listen(_ entry: Entry, _ life: Timeline) {
    let channel = entry.inputPushChannel.isAbsent ? entry.channel : entry.inputPushChannel
    guard !channel.isAbsent, entry.source != .broadcast else { return }
    notes[channel, default: Notes(channel: channel)].listeners.append(
      Listener(
        opening: life.opening, openingSeq: entry.seq, endedAt: life.endedAt,
        seenUntil: life.seenUntil, key: life.key, device: life.deviceWord))
  }

  /// All channels by their ids, everything about each in order.
  package func all(_ log: AuditLog) -> [Notes] {
    var all = notes
    for row in log.broadcasts {
      all[row.channel, default: Notes(channel: row.channel)].broadcasts.append(
        Broadcast(
          at: row.at, seq: row.seq, isEnd: row.kind == .end, isRefused: row.isRefused, key: row.key)
      )
    }
    let (create, delete) = (log.word("create"), log.word("delete"))
    for row in log.rows(of: .channel) where !row.channel.isAbsent {
      var note = all[row.channel] ?? Notes(channel: row.channel)
      if row.word == create { (note.created, note.deletedAt) = (row, nil) }
      if row.word == delete { note.deletedAt = row.at }
      if !row.key.isAbsent { note.keys.insert(row.key) }
      note.first = min(note.first, row.at)
      all[row.channel] = note
    }
    return all.values.map { $0.sorted() }
      .sorted { (log.text($0.channel) ?? "") < (log.text($1.channel) ?? "") }
  }
}

extension ChannelNotes.Notes {
  fileprivate func sorted() -> Self {
    var note = self
    note.listeners.sort { ($0.opening, $0.openingSeq) < ($1.opening, $1.openingSeq) }
    for broadcast in broadcasts where !broadcast.key.isAbsent { note.keys.insert(broadcast.key) }
    if note.keys.isEmpty { note.keys = Set(listeners.map(\.key).filter { !$0.isAbsent }) }
    let times = [note.broadcasts.first?.at, note.listeners.first?.opening].compactMap(\.self)
    note.first = times.reduce(note.first, min)
    return note
  }

  /// When all work that the channel is for was finished or cancelled; nil while some goes on. The
  /// keys are those of its own rows and pushes, else those of the cards that listen.
  package func finishedAt(_ log: AuditLog) -> Timestamp? {
    guard !keys.isEmpty else { return nil }
    let ends = keys.map { log.finish(of: $0, from: first, until: log.now) }
    return ends.contains(nil) ? nil : ends.compactMap(\.self).max()
  }
}
