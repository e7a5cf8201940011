public import ActivityCore

/// What rules need of the JSON of rows, gathered while the batches of a log go by.
///
/// 40 bytes for each row that carries content or an alert; the bytes themselves are not kept.
public struct Contents: Sendable {
  /// Whether any payload was read; without, rules that need content cannot be judged.
  public private(set) var isRead = false
  private var seqs: [Int64] = []
  private var digests: [UInt64] = []
  private var relevances: [Float] = []
  private var shapes: [Int32] = []
  private var marks: [ContentFacts.Marks] = []
  private var rare: [Int64: ContentFacts.Rare] = [:]
  private var words = TextTable()
  private var shapeList: [ContentShape] = []
  private var shapeOf: [UInt64: Int32] = [:]
  private let keyPath: [UInt8]?

  /// - Parameter keyPath: a JSON pointer such as `/content-state/order` to the business key.
  public init(keyPath: String? = nil) {
    self.keyPath = keyPath.map { Array($0.utf8) }
  }

  /// Whether contents are asked for the business key they name.
  var knowsKeyPath: Bool { keyPath != nil }

  /// Takes what a batch's payload says; batches come in the order of the log.
  public mutating func add(_ batch: EventColumns) {
    guard case .lines = batch.payload else { return }
    isRead = true
    let lines = PayloadLines(batch)
    var reader = ContentReader(
      lines.bytes, keyPath: keyPath.map { String(decoding: $0, as: UTF8.self) })
    for row in 0..<batch.count {
      let kind = batch.kind[row]
      guard kind != .unknown, kind != .inventory, kind != .coverage, let range = lines[row],
        range.count > 2
      else { continue }
      guard let reading = reader.read(range, of: kind) else { continue }
      keep(reading, seq: batch.firstSeq + Int64(row))
    }
  }

  private mutating func keep(_ reading: ContentReader.Reading, seq: Int64) {
    seqs.append(seq)
    digests.append(reading.digest)
    relevances.append(reading.relevance.map { Float($0) } ?? .nan)
    marks.append(reading.marks)
    shapes.append(shape(reading))
    guard !reading.rare.isEmpty else { return }
    var facts = ContentFacts.Rare()
    for (part, text) in reading.rare {
      facts[keyPath: part] = Int32(words.intern(Array(text.utf8)[...]))
    }
    rare[seq] = facts
  }

  /// The number of a shape; its members are spelled out when it is met first.
  private mutating func shape(_ reading: ContentReader.Reading) -> Int32 {
    guard let digest = reading.shapeDigest else { return -1 }
    if let known = shapeOf[digest] { return known }
    let number = Int32(shapeList.count)
    shapeList.append(reading.shape())
    shapeOf[digest] = number
    return number
  }

  /// What is known of the JSON of a row; nil when it has none of what rules ask for.
  package subscript(seq: Int64) -> ContentFacts? {
    var low = 0
    var high = seqs.count
    while low < high {
      let middle = (low + high) / 2
      if seqs[middle] < seq { low = middle + 1 } else { high = middle }
    }
    guard low < seqs.count, seqs[low] == seq else { return nil }
    let relevance = relevances[low]
    return ContentFacts(
      digest: digests[low], relevance: relevance.isNaN ? nil : Double(relevance),
      shape: shapes[low], marks: marks[low], rare: rare.isEmpty ? nil : rare[seq])
  }

  /// The spelling of a word of rare facts; nil for −1.
  package func text(_ word: Int32) -> String? { word < 0 ? nil : words.string(Int(word)) }

  /// The members behind a shape's number.
  package func shape(_ number: Int32) -> ContentShape? {
    shapeList.indices.contains(Int(number)) ? shapeList[Int(number)] : nil
  }
}
