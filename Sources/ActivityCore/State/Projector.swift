/// S(clock, T): every activity of the selected rows, as it stood.
///
/// Give it batches in any number, then ask once:
///
///     var projector = Projector(selection)
///     for batch in batches { projector.add(batch) }
///     let states = projector.states(view: .device)
public struct Projector {
  private var selected: RowSet

  /// A projector for one selection; nothing is read yet.
  public init(_ selection: Selection, limits: SystemLimits = SystemLimits()) {
    selected = RowSet(selection, limits: limits)
  }

  /// Takes what a batch has of the selection; batches come in the order of the log.
  public mutating func add(_ batch: EventColumns) { selected.add(batch) }

  /// Rows whose subject's name was lost to damage; they are in no state.
  public var unnamedRows: Int { selected.unnamed }

  /// All activities that came to be, in order of name and first row.
  public consuming func states(view: LogView) -> [ActivityState] {
    let until = selected.selection.until
    let resolution = resolution()
    return Projector.states(resolution, view: view, until: until)
  }

  /// Resolves without folding, for whoever needs more than states.
  package consuming func resolution() -> Resolution {
    let set = take()
    return Resolution(set)
  }

  /// The rows, which nobody else has any more: what resolving changes in them is changed in place.
  private mutating func take() -> RowSet {
    let set = selected
    selected = RowSet(set.selection, limits: set.limits)
    return set
  }

  /// Makes room for rows that are about to come, and for inventories' entries beside them, so that
  /// none is copied for want of it. A hint: no more than a bound is ever asked for, and memory that
  /// no row touches costs nothing.
  package mutating func expect(_ rows: Int) {
    let rows = min(max(rows, 0), 1 << 22)
    selected.rows.reserve(rows + rows / 8)
  }

  /// The lives of all activities, or of some, in order of name and first row. An activity asked for
  /// that never came to be is one of phase `none`. Only phases that `isShown` lets through are
  /// spelled out, which costs more than folding.
  package static func states(
    _ resolution: Resolution, view: LogView, until: Int64, of some: [Int]? = nil,
    where isShown: (Phase) -> Bool = { _ in true }
  ) -> [ActivityState] {
    var lives: [NamedLife] = []
    var fold = Fold(of: resolution, view: view, until: until, keepsSteps: false)
    for activity in some ?? Array(resolution.names.indices) {
      fold.take(activity)
      let isOpen = fold.folded.contains { $0.life.isOpen }
      let shown = isOpen || some == nil ? fold.folded.filter(\.life.isOpen) : fold.folded.suffix(1)
      for folded in shown where isShown(folded.life.phase) {
        let name = resolution.names[activity].printed(resolution.set.texts)
        lives.append(NamedLife(name: name, activity: activity, life: folded.life))
      }
    }
    return NamedLife.order(lives).map { number in
      ActivityState(
        lives[number].life, named: lives[number].name, activity: lives[number].activity,
        of: resolution, until: until)
    }
  }
}

/// A life with the name it is printed and sorted by.
private struct NamedLife {
  var name: String
  var activity: Int
  var life: Life

  /// What most comparisons of names need: eight bytes of one in ASCII.
  private struct SortKey {
    var prefix: UInt64
    var isASCII: Bool
    var number: Int
  }

  /// The numbers of lives in order of name and first row. Strings are compared by their bytes only
  /// where that is how they compare.
  static func order(_ lives: [NamedLife]) -> [Int] {
    var keys: [SortKey] = []
    keys.reserveCapacity(lives.count)
    for (number, life) in lives.enumerated() {
      var prefix: UInt64 = 0
      for byte in life.name.utf8.prefix(8) { prefix = prefix << 8 | UInt64(byte) }
      prefix <<= UInt64(8 * max(0, 8 - life.name.utf8.count))
      let isASCII = life.name.utf8.allSatisfy { $0 < 128 }
      keys.append(SortKey(prefix: prefix, isASCII: isASCII, number: number))
    }
    keys.sort { one, other in
      if one.prefix != other.prefix, one.isASCII, other.isASCII { return one.prefix < other.prefix }
      let (a, b) = (lives[one.number], lives[other.number])
      return a.name != b.name ? a.name < b.name : a.life.firstSeq < b.life.firstSeq
    }
    return keys.map(\.number)
  }
}
