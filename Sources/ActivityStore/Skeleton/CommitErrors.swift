/// What a commit may hold; a batch beyond it is refused, bytes beyond it are malformed.
package enum CommitBounds {
  package static let rowsMax = 65_536
  package static let skeletonBytesMax = 4 << 20
  package static let payloadBytesMax = 4 << 20
  /// The subjects one commit introduces, as bytes. A names section holds two such blocks, so that
  /// a commit can always repeat what the one before it introduced.
  package static let namesBlockBytesMax = (2 << 20) - 8
  package static let namesBytesMax = 4 << 20
  /// Subjects of one block, entries of all inventories of a commit, words of a commit, each.
  package static let listedMax = 1 << 19
  /// Subjects of a segment: a reader may keep an array this long.
  package static let ordinalsMax = 1 << 24
}

/// Why a batch cannot become one commit. All but `unnamedOrdinal`, `notUTF8` and the payload's
/// three are cured by splitting it.
package enum UnencodableBatch: Error, Equatable {
  case tooManyRows(Int)
  case skeletonTooLarge(bytes: Int)
  case namesTooLarge(bytes: Int)
  case payloadTooLarge(bytes: Int)
  case tooManySubjects(Int)
  case tooManyWords(Int)
  case tooManyInventoryEntries(Int)
  /// The segment has given out all its ordinals: start another one.
  case ordinalsExhausted
  /// A row names an ordinal that the batch's subjects do not have.
  case unnamedOrdinal(Int64)
  /// A text that would not be read back.
  case notUTF8
  /// The payload was not read or is damaged, so that it cannot be written.
  case payloadMissing
  /// The payload has not one line a row.
  case payloadLines(Int, rows: Int)
}

/// Why bytes are no names or no skeleton of format v1, and where in the raw section.
package struct MalformedCommit: Error, Equatable {
  package enum Section: Equatable {
    case names
    case skeleton
  }

  package enum Reason: Equatable {
    case endsEarly
    case longerThanItsContent
    case numberTooLong
    case beyondLimit
    case unknownEncoding
    case unknownColumn
    case repeatedColumn
    case missingColumn
    case rowOutOfRange
    case codeOutOfRange
    case ordinalOutOfRange
    case unknownKind
    case repeatedWord
    case notUTF8
  }

  package let section: Section
  package let offset: Int
  package let reason: Reason
}
