/// What rules know of the JSON of one row.
///
/// Words are codes of `Contents`, −1 for none; `Contents.text` spells them.
package struct ContentFacts: Sendable {
  /// A digest of the exact bytes of `content-state`; equal contents have equal digests.
  package var digest: UInt64 = 0
  /// `relevance-score`, when it is a number.
  package var relevance: Double?
  /// Which members `content-state` has, of which JSON types: a number of `Contents.shape`.
  package var shape: Int32 = -1
  /// The business key that the content itself names, when a key path is known.
  package var key: Int32 = -1
  package var marks: Marks = []
  /// What few rows have; nil for the others.
  package var rare: Rare?

  /// What a row's JSON shows, yes or no.
  package struct Marks: OptionSet, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }
    /// `alert` has a title, if an empty one.
    package static let title = Marks(rawValue: 1)
    /// `alert` has a body, if an empty one.
    package static let body = Marks(rawValue: 2)
    /// `input-push-token` is 1 or true.
    package static let inputPushToken = Marks(rawValue: 4)
    /// `frequent` is false: the person, or the app, does not allow frequent pushes.
    package static let infrequent = Marks(rawValue: 8)
    /// `frequent` is true.
    package static let frequent = Marks(rawValue: 16)
    /// `content-state` is an object without members.
    package static let empty = Marks(rawValue: 32)
    /// An act's `timestamp`, `stale-date` or `dismissal-date` is a text, which no device reads.
    package static let textDate = Marks(rawValue: 64)
    /// An act other than an end has a `dismissal-date`.
    package static let strayDismissal = Marks(rawValue: 128)
    /// Some text looks like a card number.
    package static let card = Marks(rawValue: 256)
    /// The row has rare facts.
    static let rare = Marks(rawValue: 512)
    /// The row's JSON was read, and has something that rules ask for.
    static let known = Marks(rawValue: 1024)
  }

  /// Facts of few rows.
  package struct Rare: Sendable {
    /// Where a value looks like personal data or a raw token, such as `/content-state/phone`.
    package var sensitive: Int32 = -1
    /// What it looks like: `e-mail`, `phone`, `card`, `token`.
    package var looksLike: Int32 = -1
    /// A member that APNs or ActivityKit would not know under this name, such as `contentState`.
    package var alias: Int32 = -1
    /// Of a failure: `case`, `code`, `message`.
    package var failureCase: Int32 = -1
    package var failureCode: Int32 = -1
    package var message: Int32 = -1
    /// `message-storage-policy` of a channel: 0 keeps nothing.
    package var storagePolicy: Int32 = -1
    /// Bytes of attributes and content-state together where they are more than `sizeMin`, else 0.
    package var size: Int32 = 0

    /// Smaller contents are far from every limit.
    package static let sizeMin = 2048
  }

  package var hasTitle: Bool { marks.contains(.title) }
  package var hasBody: Bool { marks.contains(.body) }
}

/// The members of a content by name, each with its JSON type; null counts as absent.
package struct ContentShape: Sendable, Hashable {
  /// What Swift's decoding tells apart; whole and fractional numbers are two types.
  package enum Kind: UInt8, Sendable {
    case string = 1
    case integer, fraction, boolean, object, array

    /// As a finding says it.
    package var word: String { String(describing: self) }
  }

  /// By name.
  package var members: [String: Kind] = [:]
}
