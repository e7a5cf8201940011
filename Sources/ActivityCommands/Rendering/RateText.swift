/// Rates for people and programs.
enum RateText {
  /// One digit after the point, `1,204.5`; `∞` where there is nothing to count over.
  static func text(_ rate: Double) -> String {
    guard rate.isFinite, rate < 1e15 else { return "∞" }
    let tenths = Int64((rate * 10).rounded())
    return "\(ReportText.grouped(tenths / 10)).\(tenths % 10)"
  }

  /// Three digits after the point at most; nil where there is nothing to count over.
  static func number(_ rate: Double) -> Double? {
    rate.isFinite ? (rate * 1_000).rounded() / 1_000 : nil
  }
}
