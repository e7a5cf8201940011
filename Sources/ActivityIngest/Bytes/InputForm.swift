/// A form of bytes that is not text, as its beginning shows.
enum InputForm: Sendable {
  case gzip
  case lz4
  case lz4Legacy
  case segment
  case zstd
  case xz
  case bzip2
  case compress
  case zip
  case sevenZip
  case tar
  case tracev3
  case propertyList
  case sqlite
  case pdf
  case utf32
  case binary

  /// With its article, as it stands in a sentence.
  var name: String {
    switch self {
    case .gzip: "gzip data"
    case .lz4: "LZ4 data"
    case .lz4Legacy: "LZ4 data of the legacy kind"
    case .segment: "a segment of an activity log"
    case .zstd: "zstd data"
    case .xz: "xz data"
    case .bzip2: "bzip2 data"
    case .compress: "data of compress (.Z)"
    case .zip: "a zip archive"
    case .sevenZip: "a 7-Zip archive"
    case .tar: "a tar archive (a sysdiagnose is one)"
    case .tracev3: "a binary unified log (tracev3)"
    case .propertyList: "a binary property list"
    case .sqlite: "an SQLite database"
    case .pdf: "a PDF document"
    case .utf32: "UTF-32 text"
    case .binary: "binary"
    }
  }

  /// Whether one command turns it from standard input to standard output.
  var isStream: Bool { !streamCommand.isEmpty }

  /// The command that turns a stream of it into text; empty when there is none.
  var streamCommand: String {
    switch self {
    case .gzip, .compress: "gzip -dc"
    case .lz4, .lz4Legacy: "lz4 -dc"
    case .zstd: "zstd -dc"
    case .xz: "xz -dc"
    case .bzip2: "bzip2 -dc"
    case .utf32: "iconv -f UTF-32 -t UTF-8"
    case .segment, .zip, .sevenZip, .tar, .tracev3, .propertyList, .sqlite, .pdf, .binary: ""
    }
  }

  /// What makes text of it.
  var remedy: String {
    switch self {
    case .gzip, .compress, .lz4, .lz4Legacy, .zstd, .xz, .bzip2, .utf32:
      "\(streamCommand) FILE | activitylog ingest LOG -"
    case .segment: "activitylog export FILE | activitylog ingest LOG -"
    case .zip: "unzip -p FILE NAME | activitylog ingest LOG -; unzip -l FILE lists the names"
    case .sevenZip: "7z e -so FILE NAME | activitylog ingest LOG -; 7z l FILE lists the names"
    case .tar:
      "tar -xf FILE, and give the files in it; for system_logs.logarchive, on a Mac: "
        + "log show --archive system_logs.logarchive --style ndjson > X.ndjson"
    case .tracev3: LogArchive.remedy
    case .propertyList: "plutil -convert json -o X.json FILE, on a Mac"
    case .sqlite: "sqlite3 -json FILE 'SELECT * FROM table' > X.json"
    case .pdf: "export the log as text where the document was made"
    case .binary: ""
    }
  }
}

/// Beginnings that tell a form, and how a beginning is compared with them.
enum InputSignature {
  enum Verdict: Equatable {
    /// More bytes may make a form of it.
    case undecided
    case form(InputForm)
    /// None of the forms, whatever follows.
    case none
  }

  /// After so many bytes there is a verdict.
  static let length = 16

  private typealias Pattern = [ClosedRange<UInt8>]

  private static let any: Pattern = [0...0xFF]

  /// A segment is a row of LZ4 frames too, so it stands before them.
  private static let patterns: [(form: InputForm, pattern: Pattern)] = [
    (.gzip, exact([0x1F, 0x8B])),
    (.compress, exact([0x1F, 0x9D])),
    (.segment, exact([0x50, 0x2A, 0x4D, 0x18]) + any + any + any + any + exact("ALOG-SEG")),
    (.lz4, exact([0x04, 0x22, 0x4D, 0x18])),
    (.lz4, [0x50...0x5F] + exact([0x2A, 0x4D, 0x18])),
    (.lz4Legacy, exact([0x02, 0x21, 0x4C, 0x18])),
    (.zstd, exact([0x28, 0xB5, 0x2F, 0xFD])),
    (.xz, exact([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00])),
    (.bzip2, exact("BZh") + [0x31...0x39] + exact([0x31, 0x41, 0x59, 0x26, 0x53, 0x59])),
    (.bzip2, exact("BZh") + [0x31...0x39] + exact([0x17, 0x72, 0x45, 0x38, 0x50, 0x90])),
    (.zip, exact("PK") + exact([0x03, 0x04])),
    (.zip, exact("PK") + exact([0x05, 0x06])),
    (.zip, exact("PK") + exact([0x07, 0x08])),
    (.sevenZip, exact([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C])),
    (.tracev3, exact([0x00, 0x10, 0x00, 0x00, 0x11, 0x00, 0x00, 0x00])),
    (.propertyList, exact("bplist00")),
    (.sqlite, exact("SQLite format 3\0")),
    (.pdf, exact("%PDF-")),
    (.utf32, exact([0xFF, 0xFE, 0x00, 0x00])),
    (.utf32, exact([0x00, 0x00, 0xFE, 0xFF])),
  ]

  /// The form that bytes begin with.
  ///
  /// - Parameter isWhole: whether nothing follows them. Of gzip and LZ4 a part of the signature is
  ///   then enough when it begins with a control character, as no text does: the file is cut short.
  static func look(at bytes: [UInt8], isWhole: Bool) -> Verdict {
    guard !bytes.isEmpty else { return isWhole ? .none : .undecided }
    for (form, pattern) in patterns where zip(bytes, pattern).allSatisfy({ $1.contains($0) }) {
      if bytes.count >= pattern.count { return .form(form) }
      guard isWhole else { return .undecided }
      if form == .gzip || form == .lz4, bytes[0] < 0x20 { return .form(form) }
    }
    return .none
  }

  private static func exact(_ bytes: [UInt8]) -> Pattern { bytes.map { $0...$0 } }

  private static func exact(_ text: String) -> Pattern { exact(Array(text.utf8)) }
}
