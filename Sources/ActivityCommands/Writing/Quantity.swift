/// Counts and sizes in words.
package enum Quantity {
  /// `1 event`, `12 events`.
  package static func count(_ number: some BinaryInteger, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  /// `713 bytes`, `71.3 kB`, `713.2 MB`: thousands, one digit behind the point, cut.
  package static func bytes(_ number: some BinaryInteger) -> String {
    var unit = -1
    var tenths = Int64(clamping: number)
    guard tenths >= 1_000 else { return count(tenths, "byte") }
    tenths *= 10
    while tenths >= 10_000, unit < 3 {
      tenths /= 1_000
      unit += 1
    }
    return "\(tenths / 10).\(tenths % 10) \(["kB", "MB", "GB", "TB"][unit])"
  }

  /// A share in percent with one digit: `98.9 %`; `–` of nothing.
  package static func share(_ part: Int64, of whole: Int64) -> String {
    guard whole > 0 else { return "–" }
    let tenths = (Double(part) / Double(whole) * 1_000).rounded(.down)
    return "\(tenths / 10) %"
  }

  /// Seconds with one digit.
  package static func seconds(_ microseconds: Int64) -> String {
    let tenths = max(0, microseconds) / 100_000
    return "\(tenths / 10).\(tenths % 10) s"
  }
}
