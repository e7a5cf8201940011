public import ActivityCore

/// What rules need of the JSON of rows, gathered while the batches of a log go by.
///
/// 16 bytes for each row and 4 more with a key path; the bytes themselves are not kept.
public struct Contents: Sendable {
  /// Whether any payload was read; without, rules that need content cannot be judged.
  public private(set) var isRead = false
  /// Every mark that any row has.
  private(set) var allMarks: ContentFacts.Marks = []
  /// By row: what its JSON says.
  private(set) var columns = ContentColumns()
  /// By row: the key that the content itself names; empty without a key path.
  private(set) var keys: [Int32] = []
  private var rare: [Int64: ContentFacts.Rare] = [:]
  private var words = TextTable()
  private var shapeList: [ContentShape] = []
  private var shapeOf: [UInt64: Int32] = [:]
  /// The shape met last, since most contents have that of the one before.
  private var lastShape: (digest: UInt64, number: Int32) = (0, -1)
  private var numberOf: [ContentShape: Int32] = [:]
  private let path: [[UInt8]]?
  /// What recorders say they lost.
  private(set) var losses = Losses()

  /// More shapes than this are no types' contents; those beyond have no number.
  static let shapesMax = 1024

  /// - Parameter keyPath: a JSON pointer such as `/content-state/order` to the business key.
  public init(keyPath: String? = nil) {
    path = keyPath.flatMap { text in
      guard text.hasPrefix("/") else { return nil }
      return text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        .map { Contents.unescaped(Array($0.utf8)) }
    }
  }

  /// A step of a JSON Pointer: `~1` is a slash and `~0` a tilde, in one pass.
  private static func unescaped(_ step: [UInt8]) -> [UInt8] {
    var name: [UInt8] = []
    var place = 0
    while place < step.count {
      let next = place + 1 < step.count ? step[place + 1] : 0
      let isEscape = step[place] == UInt8(ascii: "~") && (next == 0x30 || next == 0x31)
      name.append(isEscape ? (next == 0x30 ? UInt8(ascii: "~") : UInt8(ascii: "/")) : step[place])
      place += isEscape ? 2 : 1
    }
    return name
  }

  /// Whether contents are asked for the business key they name.
  var knowsKeyPath: Bool { path != nil }

  /// Makes room for rows that are about to come; never beyond a bound.
  package mutating func expect(_ rows: Int) {
    let rows = min(max(rows, 0), 1 << 22)
    columns.reserve(rows)
    if path != nil { keys.reserveCapacity(rows) }
  }

  /// Takes what a batch's payload says; batches come in the order of the log.
  public mutating func add(_ batch: EventColumns) {
    guard case .lines = batch.payload else { return }
    isRead = true
    losses.add(batch)
    let lines = PayloadLines(batch)
    var reader = ContentReader(path: path)
    let first = columns.extend(by: batch.count, from: batch.firstSeq)
    if path != nil { keys.append(contentsOf: repeatElement(-1, count: batch.count)) }
    lines.bytes.withUnsafeBytes { bytes in
      for row in 0..<batch.count {
        let kind = batch.kind[row]
        guard kind != .unknown, kind != .inventory, kind != .coverage, let range = lines[row],
          range.count > 2
        else { continue }
        let line = UnsafeRawBufferPointer(rebasing: bytes[range])
        guard let reading = reader.read(line, of: kind) else { continue }
        keep(reading, line, seq: batch.firstSeq + Int64(row), at: first + row)
      }
    }
  }

  private mutating func keep(
    _ reading: ContentReader.Reading, _ line: UnsafeRawBufferPointer, seq: Int64, at place: Int
  ) {
    let isRare = !reading.rare.isEmpty || reading.size > ContentFacts.Rare.sizeMin
    var marks = reading.marks.union(.known)
    if isRare { marks.insert(.rare) }
    allMarks.formUnion(marks)
    columns.put(
      marks, digest: reading.digest, relevance: reading.relevance.map { Float($0) } ?? .nan,
      shape: shape(reading, line), at: place)
    if let key = reading.key { keys[place] = Int32(words.intern(key)) }
    guard isRare else { return }
    var facts = ContentFacts.Rare()
    if reading.size > ContentFacts.Rare.sizeMin { facts.size = Int32(clamping: reading.size) }
    for (part, text) in reading.rare where facts[keyPath: part] < 0 {
      facts[keyPath: part] = Int32(words.intern(text))
    }
    rare[seq] = facts
  }

  /// The number of a shape; its members are spelled out when its digest is met first.
  private mutating func shape(
    _ reading: ContentReader.Reading, _ line: UnsafeRawBufferPointer
  ) -> Int32 {
    guard let digest = reading.shapeDigest else { return -1 }
    if digest == lastShape.digest { return lastShape.number }
    if let known = shapeOf[digest] {
      lastShape = (digest, known)
      return known
    }
    guard shapeOf.count < Contents.shapesMax else { return -1 }
    let shape = ContentReader.shape(of: UnsafeRawBufferPointer(rebasing: line[reading.content]))
    // Names may be spelled in two ways, and members written twice.
    let number = numberOf[shape] ?? Int32(shapeList.count)
    if numberOf.updateValue(number, forKey: shape) == nil { shapeList.append(shape) }
    shapeOf[digest] = number
    return number
  }

  /// What is known of the JSON of a row; nil when it has none of what rules ask for.
  package subscript(seq: Int64) -> ContentFacts? {
    guard let place = columns.place(of: seq), columns.briefs[place].marks.contains(.known) else {
      return nil
    }
    let relevance = columns.relevances[place]
    let marks = columns.briefs[place].marks.subtracting(.known)
    return ContentFacts(
      digest: columns.digests[place], relevance: relevance.isNaN ? nil : Double(relevance),
      shape: Int32(columns.briefs[place].shape), key: keys.isEmpty ? -1 : keys[place], marks: marks,
      rare: marks.contains(.rare) ? rare[seq] : nil)
  }

  /// What few rows have; at once nil for nearly all.
  func rare(of seq: Int64) -> ContentFacts.Rare? {
    guard !rare.isEmpty, let place = columns.place(of: seq),
      columns.briefs[place].marks.contains(.rare)
    else { return nil }
    return rare[seq]
  }

  /// Every key that contents name, as its code in a vocabulary; a key that the vocabulary does not
  /// have gets a number below −1 of its own.
  func keyCodes(in texts: TextTable) -> [Int32] {
    (0..<words.count).map { word in
      texts.code(of: words[word]).map { Int32($0) } ?? Int32(-2 - word)
    }
  }

  /// The spelling of a word of rare facts; nil for −1.
  package func text(_ word: Int32) -> String? { word < 0 ? nil : words.string(Int(word)) }

  /// The members behind a shape's number.
  package func shape(_ number: Int32) -> ContentShape? {
    shapeList.indices.contains(Int(number)) ? shapeList[Int(number)] : nil
  }
}
