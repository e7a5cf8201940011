public import ActivityCore

/// Instants as sources spell them: numbers in any unit, told apart by their size, and the spellings
/// of logs.
public struct SourceTime: Sendable {
  private let zone: (@Sendable (Int64) -> Int64)?

  /// - Parameter settings: which zone a time of day without one is in.
  public init(_ settings: SourceSettings) { zone = settings.zone }

  /// What a value says; nil when it is no instant, or has no zone and nobody named one.
  public func instant(_ value: JSONSlice?) -> Timestamp? {
    guard let value else { return nil }
    switch value.type {
    case .string: return value.string.flatMap { instant($0) }
    case .number: return number(value.spelling)
    case .object:
      // As protocol buffers and databases wrap them.
      if let seconds = value["seconds"] ?? value["_seconds"], seconds.type == .number {
        return Timestamp(unixSeconds: seconds.spelling).flatMap { Self.isOfYears($0) ? $0 : nil }
      }
      return instant(value["$date"])
    case .array, .true, .false, .null: return nil
    }
  }

  /// Whether an instant lies in the years 1 to 9999, outside which no event is.
  private static func isOfYears(_ instant: Timestamp) -> Bool {
    (-62_135_596_800_000_000..<253_402_300_800_000_000).contains(instant.microseconds)
  }

  /// What a text says.
  public func instant(_ text: String) -> Timestamp? {
    let text = text.trimmedBlanks
    return Timestamp(rfc3339: text) ?? number(text) ?? civil(text)
  }

  /// Whether a text is a time of day that only lacks its zone.
  public func lacksZone(_ text: String) -> Bool {
    guard zone == nil, text.utf8.contains(UInt8(ascii: ":")), instant(text) == nil else {
      return false
    }
    var settings = SourceSettings()
    settings.zone = { $0 }
    return SourceTime(settings).instant(text) != nil
  }

  /// A number in the unit its size tells (DOMAIN 2.7): seconds since 1970 or 2001, milliseconds,
  /// microseconds, nanoseconds. The ranges are disjoint for instants between 1990 and 2032.
  private func number(_ text: String) -> Timestamp? {
    guard let seconds = Timestamp(unixSeconds: text) else {
      // Micro- and nanoseconds of today lie beyond what seconds may be.
      guard let whole = Int64(text), whole > 0 else { return nil }
      return Timestamp(microseconds: whole >= 100_000_000_000_000_000 ? whole / 1_000 : whole)
    }
    switch seconds.wholeSeconds {
    case 500_000_000..<1_000_000_000:
      return Timestamp(microseconds: seconds.microseconds + 978_307_200_000_000)
    case 1_000_000_000..<100_000_000_000: return seconds
    case 100_000_000_000...: return Timestamp(microseconds: seconds.microseconds / 1_000)
    default: return nil
    }
  }

  /// `2026-11-20 18:04:05.123 +0100`, with slashes or a comma, and `20/Nov/2026:18:04:05 +0100`.
  private func civil(_ text: String) -> Timestamp? {
    guard let first = text.utf8.first, first >= 0x30, first <= 0x39 else { return nil }
    guard let parts = CivilText(plain: text) ?? CivilText(text) else { return nil }
    let asUTC = Timestamp(rfc3339: parts.dateTime + "Z")
    guard let asUTC else { return nil }
    if parts.zone.isEmpty { return zone.map { Timestamp(microseconds: $0(asUTC.microseconds)) } }
    return Timestamp(rfc3339: parts.dateTime + parts.zone)
  }
}

/// A date, a time of day and perhaps a zone, spelled anew as RFC 3339 has them.
struct CivilText {
  var dateTime = ""
  /// `Z`, `+01:00`, or empty when none is named.
  var zone = ""

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// The commonest spelling, `2026-11-20 18:04:05.123456+0100` with or without fraction, and with
  /// a zone; nil for any other.
  init?(plain text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count > 23, bytes.count <= 35, bytes[10] == 0x20 || bytes[10] == 0x54 else {
      return nil
    }
    let isDigit = { (byte: UInt8) in byte >= 0x30 && byte <= 0x39 }
    let sign = bytes.count - 5
    guard bytes[sign] == UInt8(ascii: "+") || bytes[sign] == UInt8(ascii: "-"),
      bytes[(sign + 1)...].allSatisfy(isDigit),
      zip(bytes, "0000-00-00 00:00:00".utf8).enumerated().allSatisfy({ index, pair in
        index == 10 || (pair.1 == 0x30 ? isDigit(pair.0) : pair.0 == pair.1)
      }),
      sign == 19
        || sign > 20 && bytes[19] == UInt8(ascii: ".")
          && bytes[20..<sign].allSatisfy(isDigit)
    else { return nil }
    let time = String(decoding: bytes[11..<sign], as: UTF8.self)
    dateTime = String(decoding: bytes[..<10], as: UTF8.self) + "T" + time
    zone = String(decoding: bytes[sign..<(sign + 3)], as: UTF8.self) + ":"
    zone += String(decoding: bytes[(sign + 3)...], as: UTF8.self)
  }

  init?(_ text: String) {
    var rest = Substring(text)
    guard let date = Self.date(&rest) else { return nil }
    guard let mark = rest.first, "T t:".contains(mark) else { return nil }
    rest.removeFirst()
    rest = rest.drop { $0 == " " }
    let time = rest.prefix { $0.isASCII && ($0.isNumber || ":.,".contains($0)) }
    rest = rest[time.endIndex...]
    let parts = time.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count == 2, parts[1].count == 2, parts[2].count >= 2 else {
      return nil
    }
    dateTime = "\(date)T" + time.replacing(",", with: ".")
    guard let zone = Self.zone(rest) else { return nil }
    self.zone = zone
  }

  private static func date(_ rest: inout Substring) -> String? {
    // Only behind the last part: names of months have a t too.
    var marks = 0
    let end = rest.firstIndex { character in
      if character == "-" || character == "/" { marks += 1 }
      return marks >= 2 && "T t:".contains(character)
    }
    guard let end else { return nil }
    let parts = rest[..<end].split { $0 == "-" || $0 == "/" }
    guard parts.count == 3 else { return nil }
    rest = rest[end...]
    if parts[0].count == 4, parts[1].count == 2, parts[2].count == 2 {
      return parts.joined(separator: "-")
    }
    guard let month = months.firstIndex(of: parts[1].lowercased()), parts[0].count == 2,
      parts[2].count == 4
    else { return nil }
    return "\(parts[2])-\(month < 9 ? "0" : "")\(month + 1)-\(parts[0])"
  }

  /// Go adds the zone's name and a monotonic reading behind the offset; neither says more.
  private static func zone(_ rest: Substring) -> String? {
    let words = rest.split(separator: " ")
    guard let word = words.first else { return "" }
    if ["Z", "z", "UTC", "GMT"].contains(word) { return "Z" }
    guard let sign = word.first, sign == "+" || sign == "-" else { return nil }
    let digits = word.dropFirst().filter { $0 != ":" }
    guard digits.count == 2 || digits.count == 4, digits.allSatisfy(\.isNumber) else { return nil }
    let minutes = digits.count == 4 ? String(digits.suffix(2)) : "00"
    return "\(sign)\(digits.prefix(2)):\(minutes)"
  }
}

extension String {
  /// Without the blanks at both ends.
  var trimmedBlanks: String {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    guard let first = utf8.first, let last = utf8.last, isBlank(first) || isBlank(last) else {
      return self
    }
    guard let start = utf8.firstIndex(where: { !isBlank($0) }),
      let end = utf8.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(self[start...end])
  }
}
