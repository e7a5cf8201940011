internal import ActivityCore

/// How records of a source that no dialect knows become events, as `--map` says it: a JSON object
/// with `format`, and `rows` of clauses that say which records they read, what they set and what
/// they take from where.
///
/// A record is read by every clause it fits; each gives one event. `Mapping` in this module's
/// documentation has the form with examples.
public struct EventMap: Sendable {
  /// How long a map may be, in bytes.
  public static let bytesMax = 1 << 20
  /// How many clauses it may have.
  public static let clausesMax = 1_000

  /// `json` or `csv` where there are clauses; else the dialect that reads the source.
  public let format: String
  /// The offset of times that name no zone, in microseconds east of UTC.
  let zone: Int64?
  /// Empty where `format` says it all.
  let clauses: [MapClause]

  /// Reads a map.
  ///
  /// - Throws: what is wrong, where in the map, and what to do.
  public init(_ bytes: [UInt8]) throws(MapError) {
    self = try MapParser.map(bytes)
  }

  init(format: String, zone: Int64?, clauses: [MapClause]) {
    self.format = format
    self.zone = zone
    self.clauses = clauses
  }
}

/// What is wrong with a map.
public struct MapError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where in the map, as a JSON Pointer; empty for the map itself.
  public var pointer: String
  /// What is wrong there and what to do, as the rest of a sentence that begins with the place.
  public var problem: String

  /// One line.
  public var description: String {
    "the map\(pointer.isEmpty ? "" : " at \(pointer)") \(problem)"
  }
}

/// One of a map's `rows`: which records it reads, and the event each of them gives.
struct MapClause: Sendable {
  /// What a value must be.
  enum Condition: Sendable {
    case text(TextGlob)
    case number(String)
    case truth(Bool)
    /// Nothing lies there, or what says nothing.
    case absent
  }

  /// What a date of content counts in that is not Unix seconds.
  enum Unit: String, CaseIterable, Sendable {
    case milliseconds
    case rfc3339
    case since2001
  }

  /// All must hold; of each, one of several conditions.
  var when: [(path: PathPattern, anyOf: [Condition])] = []
  /// Members that every event of this clause has, in order.
  var constants: [(name: String, value: JSONSlice)] = []
  /// Where members come from, in order; of two for one member the first that is there counts.
  var takes: [(path: PathPattern, targets: [String])] = []
  /// What a request and its answer have in common.
  var join: PathPattern?
  var units: [String: Unit] = [:]
  /// Other words for a member's values; null for a value that is left out.
  var words: [String: [(word: TextGlob, value: JSONSlice)]] = [:]
  /// Whether what nothing took is kept too.
  var keepsRest = false

  /// Whether this clause reads a record.
  func fits(_ record: [(name: String, value: JSONSlice)]) -> Bool {
    when.allSatisfy { path, anyOf in
      let values = path.find(in: record).map(\.value).filter(\.saysSomething)
      return anyOf.contains { condition in
        switch condition {
        case .absent: values.isEmpty
        case .text(let glob): values.contains { glob.matches($0.plain) }
        case .number(let number): values.contains { Self.isNumber($0, number) }
        case .truth(let truth): values.contains { $0.plain == (truth ? "true" : "false") }
        }
      }
    }
  }

  /// 200 is 200.0 here, and the text "200".
  private static func isNumber(_ value: JSONSlice, _ number: String) -> Bool {
    guard value.type == .number || value.type == .string else { return false }
    let text = value.plain
    guard text != number else { return true }
    guard let a = Double(text), let b = Double(number) else { return false }
    return a == b
  }
}
