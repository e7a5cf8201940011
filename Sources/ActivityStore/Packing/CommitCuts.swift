internal import ActivityCore

/// Where a commit of the source may be cut in two: behind a row by which the subjects met first are
/// exactly those with the lowest ordinals the commit introduces.
///
/// So both parts introduce dense ordinals, every ordinal stays what it was, and a commit that
/// introduces a subject has a row about it, which is what lets the subject index lead to names.
struct CommitCuts {
  /// Rows and bytes of payload up to a cut, from the commit's beginning, and the first ordinal not
  /// introduced by then.
  struct Cut: Equatable {
    var row: Int
    var byte: Int
    var ordinals: Int32
  }

  /// The last one is the commit's end.
  private(set) var cuts: [Cut] = []

  /// - Parameters:
  ///   - ordinals: Where the ordinals this commit introduces begin and end.
  ///   - payload: The batch's payload, one line a row.
  ///   - bytes: How much payload a part should have at least.
  ///   - rows: How many rows make a part whatever their payload.
  init(
    of batch: EventColumns, introducing ordinals: Range<Int32>, payload: [UInt8], bytes: Int,
    rows: Int
  ) {
    let whole = Cut(row: batch.count, byte: payload.count, ordinals: ordinals.upperBound)
    guard payload.count > bytes || batch.count > rows else {
      cuts = [whole]
      return
    }
    let lines = PayloadLines(batch)
    var met = MetOrdinals(ordinals, in: batch)
    var last = Cut(row: 0, byte: 0, ordinals: ordinals.lowerBound)
    for row in 0..<batch.count - 1 {
      met.take(row)
      guard let line = lines[row] else { break }
      let byte = line.upperBound + 1
      guard byte - last.byte >= bytes || row + 1 - last.row >= rows, met.areDense else { continue }
      last = Cut(row: row + 1, byte: byte, ordinals: met.end)
      cuts.append(last)
    }
    cuts.append(whole)
  }
}

/// Which of a commit's new ordinals its rows have named so far.
private struct MetOrdinals {
  private let range: Range<Int32>
  private let subject: [Int32]
  private let handles: [[Int64]]
  private let inventory: [EventColumns.InventoryEntry]
  private var entry = 0
  private var marks: [Bool]
  private var count: Int32 = 0
  private(set) var end: Int32

  init(_ range: Range<Int32>, in batch: EventColumns) {
    self.range = range
    subject = batch.subject
    handles = Member.allCases.filter { $0.storage == .handle }.map { batch[$0] }
      .filter { !$0.isEmpty }
    inventory = batch.inventory
    marks = [Bool](repeating: false, count: range.count)
    end = range.lowerBound
  }

  /// Those named so far are the lowest ones.
  var areDense: Bool { end - range.lowerBound == count }

  mutating func take(_ row: Int) {
    mark(Int64(subject[row]))
    for column in handles { mark(column[row]) }
    while entry < inventory.count, Int(inventory[entry].row) <= row {
      mark(Int64(inventory[entry].subject))
      entry += 1
    }
  }

  private mutating func mark(_ ordinal: Int64) {
    guard ordinal >= Int64(range.lowerBound), ordinal < Int64(range.upperBound) else { return }
    let place = Int(ordinal) - Int(range.lowerBound)
    guard !marks[place] else { return }
    marks[place] = true
    count += 1
    end = max(end, Int32(ordinal) + 1)
  }
}
