import ActivityAudit
import ActivityCore
import Foundation
import Testing

/// Reads event lines as a file without a log is read: seq = line number, recorded-at = the line's,
/// else its `at`.
enum Logs {
  /// A resolution over all rows; Now is the last `at` unless given.
  static func resolution(
    _ lines: [String], now: Int64? = nil, limits: SystemLimits = SystemLimits()
  ) throws -> Resolution {
    let batch = try columns(lines)
    let last = (0..<batch.count).map { batch.countedAt($0) }.max() ?? 0
    var projector = Projector(
      Selection(clock: .occurred, allUntil: now ?? last), limits: limits)
    projector.add(batch)
    return projector.resolution()
  }

  static func columns(_ lines: [String]) throws -> EventColumns {
    var reader = LineReader()
    for (number, line) in lines.enumerated() {
      let outcome = reader.read(Array(line.utf8)[...], number: number + 1)
      guard case .row = outcome else {
        Issue.record("line \(number + 1) was not taken: \(outcome): \(line)")
        continue
      }
    }
    var batch = reader.finish()
    batch.firstSeq = 1
    for row in 0..<batch.count {
      if batch.recordedAt[row] == EventColumns.absent { batch.recordedAt[row] = batch.at[row] }
      if batch.at[row] == EventColumns.absent { batch.at[row] = batch.recordedAt[row] }
    }
    return batch
  }

  static func report(
    _ lines: [String], now: Int64? = nil, _ options: AuditOptions = AuditOptions()
  ) throws -> AuditReport {
    var contents = Contents(keyPath: "/content-state/key")
    contents.add(try columns(lines))
    return Audit.report(
      of: try resolution(lines, now: now), contents: contents, unnamedRows: 0, options: options)
  }

  /// A report of a script; `now` in its short form.
  static func report(
    of script: String, now: String? = nil, _ options: AuditOptions = AuditOptions()
  ) throws -> AuditReport {
    let instant = now.flatMap { RuleScript.seconds(Substring($0)) }.map {
      (RuleScript.origin + $0) * 1_000_000
    }
    return try report(RuleScript.lines(script), now: instant, options)
  }

  /// `rule severity verdict name` of every finding, sorted; infos only of the rules asked for,
  /// since any small story has some.
  static func summary(_ report: AuditReport, infosOf rules: Set<String> = []) -> [String] {
    report.findings.filter { $0.severity > .info || rules.contains($0.rule) }
      .map { "\($0.rule) \($0.severity) \($0.verdict) \($0.name)" }.sorted()
  }

  /// The folder of stories.
  static let scenarios = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Logs/scenarios")

  static func lines(_ file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
  }
}
