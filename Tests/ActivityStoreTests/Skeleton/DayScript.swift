import ActivityCore
import ActivityStore

/// Batches that look like a working day's: a few forms of rows, ids that come again in answers,
/// names that count up, clocks that rise.
enum DayScript {
  static func batch(_ dice: inout Dice, rows: Int) -> EventColumns {
    var batch = EventColumns()
    var at: Int64 = 1_790_000_000_000_000
    var sent: [Int] = []
    let words = ["gateway-1", "gateway-2", "push"].map { batch.texts.intern($0) }
    let bundle = Int32(batch.texts.intern("com.example.day"))
    while batch.count < rows {
      at += Int64(dice.below(60_000))
      let late = dice.chance(3) ? Int64(dice.below(90_000_000)) : 0
      switch dice.below(4) {
      case 0: start(&dice, at - late, bundle, &batch)
      case 1, 2: sent.append(update(&dice, at - late, words, &batch))
      default:
        let row = batch.appendRow(
          kind: .response, flags: [], subject: app(&batch), at: at, recordedAt: at)
        let isKnown = !sent.isEmpty && dice.chance(90)
        let id = isKnown ? sent[sent.count - 1 - dice.below(min(40, sent.count))] : nil
        batch.set(
          .apnsID, row, Int64(id ?? batch.texts.append(dice.uuid(upper: true).utf8)))
        batch.set(.status, row, dice.chance(97) ? 200 : 410)
      }
    }
    batch.squareUp()
    batch.payload = .lines(Array(String(repeating: "{}\n", count: batch.count).utf8))
    return batch
  }

  private static func app(_ batch: inout EventColumns) -> Int32 {
    if let place = batch.subjects.kind.firstIndex(of: .app) {
      return batch.subjects.ordinals[place]
    }
    return add(.app, -1, -1, -1, &batch)
  }

  private static func add(
    _ kind: HandleKind, _ name: Int, _ bundle: Int32, _ device: Int, _ batch: inout EventColumns
  ) -> Int32 {
    let ordinal = Int32(batch.subjects.count)
    batch.subjects.append(
      ordinal: ordinal, kind: kind, name: Int32(name), environment: -1, bundle: bundle,
      device: Int32(device))
    return ordinal
  }

  /// A start and its token, with a device; both names come again without one.
  private static func start(
    _ dice: inout Dice, _ at: Int64, _ bundle: Int32, _ batch: inout EventColumns
  ) {
    let number = batch.count
    let device = batch.texts.intern("d\(number)")
    let id = batch.texts.intern(dice.uuid(upper: true))
    let key = batch.texts.intern("A-\(100_000 + number)")
    let subject = add(.activity, id, bundle, device, &batch)
    let row = batch.appendRow(
      kind: .start, flags: .init(rawValue: 6), subject: subject, at: at,
      recordedAt: at)
    batch.set(.key, row, Int64(add(.key, key, bundle, device, &batch)))
    batch.set(.staleDate, row, (at / 1_000_000 + 900 + Int64(dice.below(600))) * 1_000_000)
  }

  /// The code of its apns-id.
  private static func update(
    _ dice: inout Dice, _ at: Int64, _ words: [Int], _ batch: inout EventColumns
  ) -> Int {
    let token = batch.texts.intern("sha256:" + dice.uuid(upper: false).filter { $0 != "-" })
    let subject = add(.token, token, -1, -1, &batch)
    let row = batch.appendRow(
      kind: .update, flags: .init(rawValue: 2), subject: subject, at: at, recordedAt: at)
    let known = batch.subjects.kind.indices.filter { batch.subjects.kind[$0] == .key }
    if let place = known.last {
      batch.set(.key, row, Int64(add(.key, Int(batch.subjects.name[place]), -1, -1, &batch)))
    }
    batch.set(.recorder, row, Int64(words[dice.below(words.count)]))
    batch.set(.timestamp, row, at / 1_000_000 * 1_000_000)
    let id = batch.texts.append(dice.uuid(upper: true).utf8)
    batch.set(.apnsID, row, Int64(id))
    return id
  }
}
