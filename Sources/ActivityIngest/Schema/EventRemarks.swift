internal import ActivityCore

/// What is odd about lines that the reader takes: names that are nearly ours, members of other
/// kinds, words and kinds that mean nothing.
///
/// None of it is an error, since what is unknown is kept; all of it is worth a look before a log is
/// written. What a line is refused for is the reader's to say.
package struct EventRemarks: Sendable {
  /// One oddity, however often it was met.
  package struct Remark: Hashable, Sendable {
    /// `unknown-event`, `misspelled-member`, `member-of-other-kind` or `unknown-word`.
    package var code: String
    /// The member it is about, as the line spells it: text of the input, to be escaped as such.
    package var member: String
    /// How often it was met.
    package var count: Int
    /// The number of the first line that has it.
    package var firstLine: Int
    /// What it is and what it may have been meant to be; quotes the input.
    package var sentence: String
  }

  /// Different remarks kept; of more only their number is known.
  package static let limit = 256
  /// Bytes of a name or a word that are looked at.
  private static let spellingLimit = 64
  /// Different names and words remembered; beyond them memory begins anew.
  private static let memoryLimit = 65_536

  /// In order of first appearance.
  package private(set) var remarks: [Remark] = []
  /// How often something was met that had no room among `limit` different remarks.
  package private(set) var omitted = 0

  private let vocabulary = EventVocabulary()
  /// Remarks by their sentence.
  private var places: [String: Int] = [:]
  /// What was met, by kind and spelling, and what was thought of it.
  private var met = TextTable()
  private var thoughts: [Thought] = []
  // Kept between lines for their memory.
  private var members: [JSONMember] = []
  private var scratch: [UInt8] = []
  private var key: [UInt8] = []

  private enum Verdict: Sendable {
    case fine
    /// An index in `remarks`.
    case remark(Int)
    case omitted
  }

  private struct Thought: Sendable {
    var verdict = Verdict.fine
    /// Of a member: whether its words are known ones.
    var hasWords = false
  }

  /// Remarks on nothing yet.
  package init() {}

  /// Looks at a line, without its line end; one that is no JSON object says nothing.
  ///
  /// - Parameter number: the line's number, as the caller counts.
  package mutating func look(at line: UnsafeRawBufferPointer, number: Int) {
    guard line.count <= LineReader.lineLimit,
      case .success(.object) = JSONScanner.members(of: line, into: &members)
    else { return }
    let found = members
    guard let event = found.first(where: { Self.isEvent($0, line) }), event.value.type == .string
    else { return }
    let word = Self.text(event.value.inner, event.value.hasEscapes, line)
    let kind = vocabulary.kind(word)
    if kind == .unknown {
      _ = think(of: line[event.value.inner], as: 0, kind, number) { vocabulary in
        (vocabulary.remark(onEvent: word), false)
      }
    }
    for member in found where member.value.type != .null {
      look(at: member, of: kind, line, number)
    }
  }

  private mutating func look(
    at member: JSONMember, of kind: EventKind, _ line: UnsafeRawBufferPointer, _ number: Int
  ) {
    let about = think(of: line[member.name], as: 1, kind, number) { vocabulary in
      let name = Self.text(member.name, member.nameHasEscapes, line)
      return (
        vocabulary.remark(onMember: name, of: kind), vocabulary.hasWords(name, on: kind)
      )
    }
    guard about.hasWords, let (place, hasEscapes) = word(of: member.value, line) else { return }
    scratch.removeAll(keepingCapacity: true)
    scratch.append(contentsOf: line[member.name])
    scratch.append(UInt8(ascii: "\""))
    scratch.append(contentsOf: line[place].prefix(Self.spellingLimit))
    let pair = scratch
    pair.withUnsafeBytes { bytes in
      _ = think(of: bytes[...], as: 2, kind, number) { vocabulary in
        let name = Self.text(member.name, member.nameHasEscapes, line)
        let word = Self.text(place, hasEscapes, line)
        return (vocabulary.remark(onWord: word, of: name, on: kind), false)
      }
    }
  }

  /// What is thought of a name or word as a line spells it: found once, then counted.
  ///
  /// - Parameter role: tells spellings apart that stand for different things.
  private mutating func think(
    of spelling: Slice<UnsafeRawBufferPointer>, as role: UInt8, _ kind: EventKind, _ number: Int,
    _ find: (EventVocabulary) -> (EventVocabulary.Finding?, hasWords: Bool)
  ) -> Thought {
    key.removeAll(keepingCapacity: true)
    key.append(role)
    key.append(kind.rawValue)
    key.append(contentsOf: spelling.prefix(role == 2 ? spelling.count : Self.spellingLimit))
    if met.count >= Self.memoryLimit {
      met = TextTable()
      thoughts = []
    }
    let code = met.intern(key)
    if code == thoughts.count {
      let (finding, hasWords) = find(vocabulary)
      thoughts.append(Thought(verdict: verdict(finding, number), hasWords: hasWords))
    }
    let thought = thoughts[code]
    switch thought.verdict {
    case .fine: break
    case .remark(let place): remarks[place].count += 1
    case .omitted: omitted += 1
    }
    return thought
  }

  private mutating func verdict(
    _ finding: EventVocabulary.Finding?, _ number: Int
  ) -> Verdict {
    guard let finding else { return .fine }
    if let place = places[finding.sentence] { return .remark(place) }
    guard remarks.count < Self.limit else { return .omitted }
    places[finding.sentence] = remarks.count
    remarks.append(
      Remark(
        code: finding.code, member: finding.member, count: 0, firstLine: number,
        sentence: finding.sentence))
    return .remark(remarks.count - 1)
  }

  /// Where the word of a value stands: a text, or the only name in Swift's own coding of an enum.
  private func word(
    of value: JSONPlace, _ line: UnsafeRawBufferPointer
  ) -> (Range<Int>, hasEscapes: Bool)? {
    if value.type == .string { return (value.inner, value.hasEscapes) }
    var cases: [JSONMember] = []
    guard value.type == .object,
      case .success(.object) = JSONScanner.members(
        of: UnsafeRawBufferPointer(rebasing: line[value.range]), into: &cases),
      cases.count == 1
    else { return nil }
    let start = value.range.lowerBound
    let name = cases[0].name
    return ((start + name.lowerBound)..<(start + name.upperBound), cases[0].nameHasEscapes)
  }

  private static func isEvent(_ member: JSONMember, _ line: UnsafeRawBufferPointer) -> Bool {
    guard member.nameHasEscapes else { return line[member.name].elementsEqual("event".utf8) }
    return text(member.name, true, line) == "event"
  }

  /// A name or word in the clear; of a long one its beginning.
  private static func text(
    _ place: Range<Int>, _ hasEscapes: Bool, _ line: UnsafeRawBufferPointer
  ) -> String {
    let spelled = line[place]
    var bytes: [UInt8] = []
    if hasEscapes {
      JSONText.unescape(spelled, into: &bytes)
    } else {
      bytes.append(contentsOf: spelled.prefix(spellingLimit + 1))
    }
    guard bytes.count > spellingLimit else { return String(decoding: bytes, as: UTF8.self) }
    return String(decoding: bytes.prefix(spellingLimit), as: UTF8.self) + "…"
  }
}
