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
    let resolution = Resolution(selected)
    return Projector.states(resolution, view: view, until: until)
  }

  /// Resolves without folding, for whoever needs more than states.
  package consuming func resolution() -> Resolution { Resolution(selected) }

  /// The lives of all activities, or of some, in order of name and first row. An activity asked for
  /// that never came to be is one of phase `none`.
  package static func states(
    _ resolution: Resolution, view: LogView, until: Int64, of some: [Int]? = nil
  ) -> [ActivityState] {
    var states: [ActivityState] = []
    var fold = Fold(of: resolution, view: view, until: until, keepsSteps: false)
    for activity in some ?? Array(resolution.names.indices) {
      fold.take(activity)
      let opened = fold.folded.contains { $0.life.isOpen }
      for (number, folded) in fold.folded.enumerated() {
        let isShown =
          opened || some == nil ? folded.life.isOpen : number == fold.folded.count - 1
        guard isShown else { continue }
        states.append(
          ActivityState(folded.life, activity: activity, of: resolution, until: until))
      }
    }
    return states.sorted { ($0.name, $0.firstSeq) < ($1.name, $1.firstSeq) }
  }
}
