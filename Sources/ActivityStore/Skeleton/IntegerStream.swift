/// How the numbers of one column are kept; raw values are numbers on disk.
package enum IntegerEncoding: UInt8 {
  /// One value for all.
  case constant = 0
  /// Offsets of 1, 2, 4 or 8 bytes from a base, rare values beyond them listed apart.
  case plain = 1
  /// Zigzag differences to the value before, in a unit of 1, 10³ or 10⁶.
  case delta = 2
  /// Codes of 1 or 2 bytes into a list of the values, in order of first use.
  case dictionary = 3
  /// Offsets of so many bits from a base, rare values beyond them listed apart.
  case packed = 4
  /// Differences to the value before, or to the highest so far, packed.
  case steps = 5
  /// For each group of forms numbers of their own.
  case grouped = 6
  /// Codes of as many bits as they need into a list of the values.
  case codes = 7
}

/// Which encodings may be used: those every reader knows, or those that only readers know that
/// know the segment's feature bit.
package enum ColumnEncodings: Sendable {
  case first
  case packed
}

/// The byte before every column that says how to read it.
package struct ColumnShape: Equatable {
  /// Bits 0–2 encoding, 3 exceptions, 4 whole seconds, 5 difference to prediction, 6–7 presence.
  package var rawValue: UInt8

  package static let exceptions: UInt8 = 8
  package static let seconds: UInt8 = 16
  package static let predicted: UInt8 = 32

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package init(_ encoding: IntegerEncoding) { rawValue = encoding.rawValue }

  package var encoding: IntegerEncoding? { IntegerEncoding(rawValue: rawValue & 7) }
  package var hasExceptions: Bool { rawValue & ColumnShape.exceptions != 0 }
  package var isSeconds: Bool { rawValue & ColumnShape.seconds != 0 }
  package var isPredicted: Bool { rawValue & ColumnShape.predicted != 0 }
  package var presence: PresenceForm {
    get { PresenceForm(rawValue: rawValue >> 6) ?? .all }
    set { rawValue = rawValue & 0x3F | newValue.rawValue << 6 }
  }
}

/// Which rows have a value; raw values are numbers on disk. A column nobody has is left out.
package enum PresenceForm: UInt8 {
  case all = 0
  /// One bit a row, the lowest bit first.
  case bitmap = 1
  /// How many, then the first row and each row's distance to the one before.
  case list = 2
  /// The number of an earlier column that the same rows have.
  case sameAs = 3
}
