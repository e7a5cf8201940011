/// The selected rows of a log, gathered from batches, and everything they share.
///
/// Costs 64 bytes a row while it lives, and 16 more where pushes have an `apns-id`; batches are not
/// kept.
package struct RowSet: Sendable {
  package let selection: Selection
  package let limits: SystemLimits

  /// Inventories' entries: rows of kind state follow their inventory's row directly.
  package var rows = RowList()
  /// Words and handles of all batches.
  package var texts = TextTable()
  package var scopes = Interned(empty: Scope())
  package var facts = Interned(empty: Facts())
  package var headers = Interned(empty: PushHeaders())
  /// `replaces`: pairs of token codes, with the row that says so.
  package var replacements: [(row: Int32, replaced: Int32)] = []
  package var coverages: [CoverageRow] = []
  package var works: [WorkRow] = []
  /// What resolving looks for, noted while the rows are at hand.
  var marked = MarkedRows()
  /// By recorder: rows with a clock that is ahead of the log's.
  package private(set) var ahead: [Int32: Ahead] = [:]
  /// Rows whose subject's name was lost by damage.
  package internal(set) var unnamed = 0

  /// What a recorder says it could see.
  package struct CoverageRow: Sendable {
    package var seq: Int64
    package var recorder: Int32
    package var from: Int64
    package var until: Int64
  }

  /// Rows of one recorder that say they happened after they were recorded, by more than
  /// `SystemLimits.lead`.
  package struct Ahead: Sendable {
    package var count = 0
    /// Microseconds; as they count, since they count as when they were recorded.
    package var first = Int64.max
    package var last = Int64.min
    /// How far the furthest was ahead, microseconds.
    package var most: Int64 = 0
    /// `seq` of the first ones recorded, at most five.
    package var seqs: [Int64] = []
  }

  /// What an order did.
  package struct WorkRow: Sendable {
    package var seq: Int64
    package var at: Int64
    package var key: Int32
    package var outcome: Int32
  }

  private var space = Int.min
  /// By ordinal: what the present space's subjects are; a scope of −1 stands for none.
  var subjects: [SubjectRef] = []

  /// What was looked at ahead, added up so that it is looked at at all.
  private var glanced: UInt64 = 0
  /// By row of the batch being gathered: what it names.
  var fetched: [NamedSubjects] = []

  /// The subject of a row, its token and its key.
  struct NamedSubjects: Sendable {
    var subject: SubjectRef
    var token: SubjectRef
    var key: SubjectRef
  }

  /// A subject in the vocabulary of the row set.
  struct SubjectRef: Sendable {
    var kind: HandleKind
    var name: Int32
    var scope: Int32

    static var none: SubjectRef { SubjectRef(kind: .app, name: -1, scope: -1) }
  }

  package init(_ selection: Selection, limits: SystemLimits = SystemLimits()) {
    self.selection = selection
    self.limits = limits
  }

  /// The text behind a code, nil for −1.
  package func text(_ code: Int32) -> String? { code < 0 ? nil : texts.string(Int(code)) }

  /// Takes what a batch has of the selection; batches come in the order of the log.
  package mutating func add(_ batch: EventColumns) {
    var words = BatchWords(batch)
    learn(batch, &words)
    guard batch.count > 0 else { return }
    rows.reserve(batch.count + batch.inventory.count)
    BatchColumns.lend(batch) { columns in
      gather(batch, columns, &words)
    }
  }

  /// Learns the subjects a batch introduces.
  private mutating func learn(_ batch: EventColumns, _ words: inout BatchWords) {
    if batch.space != space {
      space = batch.space
      subjects.removeAll(keepingCapacity: true)
    }
    let table = batch.subjects
    for name in table.name where name >= 0 && Int(name) < batch.texts.count {
      glanced &+= texts.glance(from: batch.texts, Int(name))
    }
    for index in 0..<table.count {
      let scope = Scope(
        environment: words.word(Int64(table.environment[index]), &texts),
        bundle: words.word(Int64(table.bundle[index]), &texts),
        device: words.word(Int64(table.device[index]), &texts))
      let ordinal = Int(table.ordinals[index])
      guard ordinal >= 0 else { continue }
      if subjects.count <= ordinal {
        let missing = ordinal + 1 - subjects.count
        subjects.append(
          contentsOf: repeatElement(SubjectRef.none, count: missing))
      }
      subjects[ordinal] = SubjectRef(
        kind: table.kind[index], name: words.word(Int64(table.name[index]), &texts),
        scope: scopes.index(of: scope))
    }
  }

  mutating func noteAhead(_ row: PackedRow, by lead: Int64) {
    var ahead = ahead[row.recorder] ?? Ahead()
    ahead.count += 1
    ahead.first = min(ahead.first, row.at)
    ahead.last = max(ahead.last, row.at)
    ahead.most = max(ahead.most, lead)
    if ahead.seqs.count < 5 { ahead.seqs.append(row.seq) }
    self.ahead[row.recorder] = ahead
  }
}

/// Rows that resolving asks for by what they are; indexes as the rows lie.
struct MarkedRows: Sendable {
  /// Rows that may answer an act (A1), and decode failures that name one by `apns-id`.
  var answers: [Int32] = []
  /// Inventories and authorizations that speak of what they do not name.
  var speakers: [Int32] = []
  /// Rows that join a token to an id.
  var joins: [Int32] = []
  /// Starts with a token alone, and folded rows with neither id nor token.
  var unsettled: [Int32] = []
  /// Decode failures.
  var decoding: [Int32] = []
  /// Whether the rows lie in order, and whether their seqs do at least.
  var isOrdered = true
  var seqsRise = true
}
