/// The keys and channels that rows without id and update token ask for: only activities whose rows
/// say one of them are looked at for claims and for what fans out.
struct AskedWords {
  /// By code; empty where nothing is asked for.
  private var keys: [Bool] = []
  private var channels: [Bool] = []
  /// Rows that say an asked word, in order.
  var rows: [Int32] = []
  /// Activities of ids and tokens that have such a row, and perhaps more.
  var activities: Set<Int> = []

  init() {}

  init(_ set: RowSet) {
    guard !set.marked.unsettled.isEmpty else { return }
    keys = [Bool](repeating: false, count: set.texts.count)
    for index in set.marked.unsettled {
      let row = set.rows.packed[Int(index)]
      if row.key >= 0 { keys[Int(row.key)] = true }
      let channel = set.rows.details(of: row).channel
      guard channel >= 0 else { continue }
      if channels.isEmpty { channels = [Bool](repeating: false, count: set.texts.count) }
      channels[Int(channel)] = true
    }
  }

  /// Whether a row says a word that is asked for; rows that few say are not looked at closely.
  @inline(__always)
  func isAsked(_ row: PackedRow) -> Bool {
    if keys.isEmpty { return false }
    if row.key >= 0, keys[Int(row.key)] { return true }
    return !channels.isEmpty && row.kind == .start
  }
}
