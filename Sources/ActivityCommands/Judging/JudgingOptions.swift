internal import ActivityAudit

/// The options of `audit` that judge a report as a whole: groups, baseline, gates, suppressions,
/// required coverage.
struct JudgingOptions: Sendable {
  static let groupBy = Option(
    "group-by", choices: CardGrouping.self, help: "Compare by rates")
  static let baseline = Option(
    "baseline", value: "FILE", help: "An earlier report (-o json) to compare with", isPath: true)
  static let failOn = Option(
    "fail-on", value: "error|warning|info|worse[:F]",
    help: "Exit 1 on such a finding")
  static let suppress = Option(
    "suppress", value: "FILE", help: "Findings to leave out, one a line", repeats: true,
    isPath: true)
  static let requireCoverage = Option(
    "require-coverage", value: "NAMES", help: "Exit 4 unless these recorders saw it all",
    repeats: true)
  static let arguments: [Argument] = [
    .option(groupBy), .option(baseline), .option(failOn), .option(suppress),
    .option(requireCoverage),
  ]

  let grouping: CardGrouping?
  let baseline: String?
  let gate: Gate?
  let suppressions: [String]
  let required: RequiredCoverage

  init(_ given: Arguments, _ format: AuditFormat) throws(UsageError) {
    grouping = try given.choice(Self.groupBy, of: CardGrouping.self)
    baseline = given.value(Self.baseline)
    if let text = given.value(Self.failOn) { gate = try Gate(text) } else { gate = nil }
    suppressions = given.all(Self.suppress)
    required = try RequiredCoverage(given.all(Self.requireCoverage))
    if grouping != nil, !format.compares {
      let places = AuditFormat.allCases.filter(\.compares).map(\.rawValue)
      throw UsageError(
        "--group-by has no place in -o \(format.rawValue)",
        hint: "-o \(places.joined(separator: ", "))")
    }
    if gate?.factor != nil, baseline == nil {
      throw UsageError(
        "--fail-on worse: than what? --baseline is missing",
        hint: "--baseline REPORT.json, as audit -o json wrote it")
    }
  }
}

/// What those options name, read before the log is.
struct Judge {
  let baseline: Baseline?
  let suppressions: SuppressionFile
  private let gate: Gate?

  init(_ options: JudgingOptions) throws {
    baseline = try options.baseline.map { try Baseline(path: $0) }
    suppressions = try SuppressionFile(paths: options.suppressions)
    gate = options.gate
  }

  /// How the run ends because of what was found, with the reasons on standard error.
  func status(of page: AuditPage, _ format: AuditFormat, _ console: Console) -> ExitStatus {
    if let change = page.change, !format.tellsChange {
      console.note(change.summary)
    }
    for worse in page.change?.worse ?? [] { console.note(worse.line) }
    for missing in page.uncovered {
      console.note("\(missing.recorder): does not cover the window: \(missing.why)")
    }
    let isTripped = gate?.isTripped(by: page.report, page.change) ?? false
    if isTripped, case .severity(let severity)? = gate {
      let count = page.report.count(atLeast: severity)
      console.note("--fail-on \(severity.rawValue): \(ReportText.count(count, "finding"))")
    }
    let coverage = page.uncovered.isEmpty ? ExitStatus.fine : .uncovered
    return coverage.and(isTripped ? .gate : .fine)
  }
}
