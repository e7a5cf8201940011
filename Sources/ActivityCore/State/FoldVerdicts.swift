/// Why acts take no effect.
extension Fold {
  /// F1 and V1, the first that holds.
  func notApplied(_ row: PackedRow, _ index: Int32) -> Outcome? {
    let over = life.phase.isOver || life.isOpen && row.at >= life.limit
    let fansOut = fansOut(row)
    let homeless = !life.isOpen && (row.kind == .alert || fansOut)
    if view == .sent { return over ? .afterEnd : homeless ? .noLife : nil }
    if row.answer.refuses { return .refused }
    if homeless { return .noLife }
    let ordered = row.kind == .update || row.kind == .start && !life.phase.isOver
    if ordered, life.isOpen, row.version < life.mark { return .older }
    // I5: a start after the end is a new life's, and fails by its own fault alone.
    let isNewLife =
      row.kind == .start && !fansOut && life.phase.isOver && !isWitness(row)
    if over, !isNewLife { return .afterEnd }
    return unfit(row, index)
  }

  /// What makes an act inapplicable to any life.
  func unfit(_ row: PackedRow, _ index: Int32) -> Outcome? {
    guard row.kind.isContentAct else { return nil }
    let at = Timestamp(microseconds: row.at).wholeSeconds
    if row.version.subtractingClamped(at) > limits.future.microseconds / 1_000_000 {
      return .future
    }
    if row.marks.contains(.tooBig) { return .tooBig }
    if row.kind == .start, row.isByPush, !row.flags.contains(.alert) { return .noAlert }
    let failed = row.marks.contains(.undecodable) || undecodable.contains(index)
    return failed ? .undecodable : nil
  }

  /// Why a start would open nothing, whatever life came before it.
  func refusal(_ row: PackedRow, _ index: Int32) -> Outcome? {
    if view == .sent { return nil }
    return row.answer.refuses ? .refused : unfit(row, index)
  }
}
