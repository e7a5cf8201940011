import ActivityCore
import ActivityStore
import Testing

@Suite("Packed encodings made by hand to do harm")
struct HostileEncodingTests {
  /// Numbers of a shape, as `integers` reads them.
  private func numbers(_ shape: UInt8, _ content: [UInt8]) -> [UInt8] {
    [shape, UInt8(content.count)] + content
  }

  private func reason(_ bytes: [UInt8], _ count: Int) -> MalformedCommit.Reason? {
    var reader = SectionReader(bytes, .skeleton)
    do throws(MalformedCommit) {
      _ = try reader.integers(count)
      return nil
    } catch {
      return error.reason
    }
  }

  @Test("A packed run: too wide, too short, exceptions out of its rows or more than its rows")
  func run() {
    // Base 0, then the width.
    #expect(reason(numbers(4, [0, 57] + [UInt8](repeating: 0, count: 64)), 4) == .unknownEncoding)
    #expect(reason(numbers(4, [0, 0x7F, 0]), 1) == .unknownEncoding)
    #expect(reason(numbers(4, [0, 8, 1, 2, 3]), 4) == .endsEarly)
    #expect(reason(numbers(4, [0, 8, 1, 2, 3, 4, 5]), 4) == .longerThanItsContent)
    #expect(reason(numbers(4, [0, 0x88, 1, 4, 9, 1, 2, 3, 4]), 4) == .rowOutOfRange)
    #expect(reason(numbers(4, [0, 0x88, 2, 2, 9, 2, 9, 1, 2, 3, 4]), 4) == .rowOutOfRange)
    #expect(reason(numbers(4, [0, 0x88, 5, 0, 9, 1, 2, 3, 4]), 4) == .beyondLimit)
    #expect(reason(numbers(4, [0, 0]), 65_536) == nil)
    // The shape's own bit for exceptions belongs to plain numbers.
    #expect(reason(numbers(4 | 8, [0, 8, 1, 2, 3, 4]), 4) == .unknownEncoding)
  }

  @Test("Steps: an unknown unit, too few differences, sums beyond all numbers")
  func steps() throws {
    #expect(reason(numbers(5, [1, 0, 0, 0]), 2) == .unknownEncoding)
    #expect(reason(numbers(5, [0x85, 0, 0, 0]), 2) == .unknownEncoding)
    #expect(reason(numbers(5, [0, 0, 0, 8, 1]), 3) == .endsEarly)
    #expect(reason(numbers(5, [0]), 3) == .endsEarly)
    // Differences that overflow wrap; nothing traps.
    let far: [UInt8] = [0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1]
    #expect(reason(numbers(5, [0x86] + far + far + [0]), 1_000) == nil)
  }

  @Test("Codes: beyond their values, of no values, of more values than may be")
  func codes() {
    #expect(reason(numbers(7, [3, 2, 4, 6, 0b1111_1111]), 4) == .codeOutOfRange)
    #expect(reason(numbers(7, [0]), 4) == .codeOutOfRange)
    #expect(reason(numbers(7, [0x81, 0x20]), 4) == .beyondLimit)
    #expect(reason(numbers(7, [3, 2, 4, 6]), 4) == .endsEarly)
    #expect(reason(numbers(7, [1, 2]), 65_536) == nil)
  }

  @Test("Numbers of groups stand only where rows have forms")
  func grouped() {
    #expect(reason(numbers(6, [0, 1, 0]), 1) == .unknownEncoding)
    // Kind, flags, then subjects that are grouped without a table of forms.
    let skeleton: [UInt8] = [0, 5, 64, 0, 1, 2, 65, 0, 1, 0, 66, 6, 3, 0, 1, 0]
    #expect(skeletonReason(skeleton, 1) == .unknownEncoding)
  }

  private func skeletonReason(_ bytes: [UInt8], _ count: Int) -> MalformedCommit.Reason? {
    do throws(MalformedCommit) {
      _ = try CommitCoding.decode(
        skeleton: bytes, count: count, CommitCoding.Context(firstSeq: 1, space: 0))
      return nil
    } catch {
      return error.reason
    }
  }

  /// A skeleton of two forms over four rows, and what follows its table.
  private func formed(_ table: [UInt8], _ rest: [UInt8], columns: UInt8 = 4) -> [UInt8] {
    [0, columns, 69, 0, UInt8(table.count)] + table + rest
  }

  /// Two forms, both apart: updates, and responses with a status; rows 0 1 0 1.
  private let table: [UInt8] = {
    let status = UInt64(1) << UInt64(Member.status.rawValue)
    var writer = SectionWriter()
    writer.append([2, 2, EventKind.update.rawValue, 0, 0, EventKind.response.rawValue, 0])
    writer.varint(status)
    writer.append([4, 3, 0, 1, 0b1010])
    return writer.bytes
  }()
  /// Subject, recorded-at and at, each a constant.
  private let rest: [UInt8] = [66, 0, 1, 0, 67, 0, 1, 0, 68, 0, 1, 0]

  @Test("Forms: no form, a form nobody has, groups that have other rows than the column")
  func forms() {
    let status = Member.status.rawValue
    #expect(skeletonReason(formed(table, rest), 4) == nil)
    #expect(skeletonReason(formed([0, 0, 0, 1, 0], rest), 4) == .codeOutOfRange)
    #expect(skeletonReason(formed([0x81, 2, 0], rest), 4) == .beyondLimit)
    #expect(skeletonReason(formed([1, 2, 0, 0, 0, 0, 1, 0], rest), 4) == .beyondLimit)
    #expect(skeletonReason(formed([1, 1, 0xEE, 0, 0, 0, 1, 0], rest), 4) == .unknownKind)
    // Rows that have the form's member, as numbers of one group: right, and of too many rows.
    let same: [UInt8] = [status, 3 << 6, 2, RowColumn.forms.rawValue, 8]
    #expect(skeletonReason(formed(table, rest + same, columns: 5), 4) == nil)
    let groups: [UInt8] = [status, 6 | 3 << 6, 4, RowColumn.forms.rawValue, 0, 1, 8]
    #expect(skeletonReason(formed(table, rest + groups, columns: 5), 4) == nil)
    let all: [UInt8] = [status, 6, 6, 0, 1, 8, 0, 1, 8]
    #expect(skeletonReason(formed(table, rest + all, columns: 5), 4) == nil)
    // Three rows by a bitmap, but the forms give two.
    let bitmap: [UInt8] = [status, 6 | 1 << 6, 4, 0b0111, 0, 1, 8]
    #expect(skeletonReason(formed(table, rest + bitmap, columns: 5), 4) == .rowOutOfRange)
    // Rows of forms under another column's number.
    let other: [UInt8] = [status, 3 << 6, 2, 70, 8]
    #expect(skeletonReason(formed(table, rest + other, columns: 5), 4) == .rowOutOfRange)
  }

  @Test("References to a text that comes later, and a column that ends before its texts")
  func references() {
    let id = Member.apnsID.rawValue
    func column(_ back: [UInt8], _ texts: [UInt8]) -> [UInt8] {
      let part = back + texts
      return formed(table, rest + [id, 4, UInt8(part.count)] + part, columns: 5)
    }
    let text: [UInt8] = [0, 1, 0, 0, 1, 2, 0x61]
    // 0 1 1 1: one new text, thrice again.
    #expect(skeletonReason(column([4, 3, 0, 1, 0b1110], text), 4) == nil)
    #expect(skeletonReason(column([4, 3, 0, 1, 0b1111], text), 4) == .codeOutOfRange)
    #expect(skeletonReason(column([4, 3, 0, 2, 0b1000], text), 4) != nil)
    #expect(skeletonReason(column([0, 1, 1], text), 4) == .codeOutOfRange)
    #expect(skeletonReason(column([4, 3, 0, 1, 0b1110], Array(text.dropLast())), 4) == .endsEarly)
  }

  private func namesReason(_ block: [UInt8]) -> MalformedCommit.Reason? {
    do throws(MalformedCommit) {
      _ = try CommitCoding.decodeNames([0x80, 0, UInt8(block.count)] + block + [0])
      return nil
    } catch {
      return error.reason
    }
  }

  /// Two keys in one scope without texts, whatever scopes and names say.
  private func block(_ scopes: [UInt8], _ names: [UInt8]) -> [UInt8] {
    [0, 2, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 8] + scopes + names
  }

  @Test("Names: scopes that are none, a name further back than there are names")
  func names() {
    let one: [UInt8] = [0, 0, 1, 0]
    let text: [UInt8] = [0, 1, 0, 0, 1, 2, 0x61]
    // New, then one back.
    let again: [UInt8] = [4, 3, 0, 1, 0b10, 0, 1, 0] + text
    #expect(namesReason(block(one, again)) == nil)
    #expect(namesReason(block([1, 0, 1, 0], again)) == .beyondLimit)
    #expect(namesReason(block([0, 0, 1, 2], again)) == .codeOutOfRange)
    #expect(namesReason(block([0, 0, 1, 6], again)) == .codeOutOfRange)
    #expect(namesReason(block(one, [4, 3, 0, 1, 0b10, 0, 1, 2] + text)) == .codeOutOfRange)
    #expect(namesReason(block(one, [4, 3, 0, 1, 0b01, 0, 1, 0] + text)) == .codeOutOfRange)
    #expect(namesReason(block(one, [0, 1, 2, 0, 1, 0])) == .codeOutOfRange)
    #expect(namesReason(block(one, [0, 1, 4] + text)) == .codeOutOfRange)
  }

  @Test("Numbered texts: too many or too long prefixes, none, no text, a number too large")
  func numbered() {
    func reason(_ bytes: [UInt8]) -> MalformedCommit.Reason? {
      var reader = SectionReader(bytes, .names)
      var table = TextTable()
      do throws(MalformedCommit) {
        try reader.texts(2, into: &table)
        return nil
      } catch {
        return error.reason
      }
    }
    let spellings: [UInt8] = [0, 1, 8]
    #expect(reason(spellings + [1, 1, 0x61, 0, 1, 0, 0, 1, 14]) == nil)
    #expect(reason(spellings + [65]) == .beyondLimit)
    #expect(reason(spellings + [1, 49]) == .beyondLimit)
    #expect(reason(spellings + [1, 1, 0xFF, 0, 1, 0, 0, 1, 14]) == .notUTF8)
    #expect(reason(spellings + [0, 0, 1, 0, 0, 1, 14]) == .codeOutOfRange)
    #expect(reason(spellings + [1, 1, 0x61, 0, 1, 2, 0, 1, 14]) == .codeOutOfRange)
    #expect(reason(spellings + [1, 1, 0x61, 0, 1, 0, 0, 1, 1]) == .codeOutOfRange)
    let large: [UInt8] = [0, 10, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1]
    #expect(reason(spellings + [1, 1, 0x61, 0, 1, 0] + large) == .codeOutOfRange)
    #expect(reason([0, 1, 14]) == .codeOutOfRange)
    // Random UUIDs: 15 bytes each, then two bits each.
    let bytes = [UInt8](repeating: 0xFF, count: 30)
    #expect(reason([0, 1, 10] + bytes.dropLast()) == .endsEarly)
    #expect(reason([0, 1, 10] + bytes) == .endsEarly)
    #expect(reason([0, 1, 10] + bytes + [0xFF]) == nil)
  }
}
