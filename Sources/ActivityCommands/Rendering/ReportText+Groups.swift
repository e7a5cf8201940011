internal import ActivityAudit
internal import ActivityCore

/// Findings cause by cause, five examples each.
extension ReportText {
  /// The finding that explains a group; nil when its findings share no cause.
  func cause(of group: FindingGroup) -> Finding? {
    group.cause == nil ? nil : group.examples.first { $0.rule == group.rule }
  }

  func show(
    _ group: FindingGroup, number: Int, examplesMax: Int, _ report: AuditReport
  ) throws {
    let cause = cause(of: group)
    var head = Styled("\(number). ") + Styled(group.rule, .bold) + Styled("  ")
    head += ReportText.severity(group.severity)
    head += Styled("  " + summary(group, isCause: cause != nil))
    try console.line(head)
    if let cause {
      try wrapped(cause.message + ". It caused " + caused(by: cause, report) + ".", indent: 3)
    }
    var table = Table([
      .text(""), .text(""), .text(""), .text(""), .text("", shrinks: true),
    ])
    let examples = group.examples.prefix(examplesMax)
    for finding in examples where finding.fingerprint != cause?.fingerprint {
      table.add([
        Styled("   " + label(finding)), Styled(span(finding)),
        Styled(finding.rule == group.rule ? finding.verdict.rawValue : finding.rule),
        Styled(finding.device ?? ""), Styled(finding.message),
      ])
    }
    for line in table.lines(width: console.width) { try console.line(line) }
    let shown = table.isEmpty ? 1 : examples.count
    if group.count > shown {
      try console.line(
        Styled("   … \(group.count - shown) more: \(command) --all", .dim))
    }
  }

  private func summary(_ group: FindingGroup, isCause: Bool) -> String {
    var parts: [String] = []
    let findings = isCause ? group.count - 1 : group.count
    parts.append(
      (isCause ? "caused " : "") + ReportText.count(findings, "finding"))
    if group.confirmed > 0, group.inferred > 0 {
      parts[0] += " (\(group.confirmed) confirmed, \(group.inferred) inferred)"
    } else if findings > 0 {
      parts[0] += group.inferred > 0 ? ", inferred" : ", confirmed"
    }
    let wrong = group.headline.confirmed.wrongCard.microseconds
      .addingClamped(group.headline.inferred.wrongCard.microseconds)
    if wrong > 0 { parts.append(ReportText.minutes(Timestamp.Span(microseconds: wrong))) }
    if let type = group.attributesType {
      parts.append(type + (group.build.map { " build \($0)" } ?? ""))
    }
    parts.append(beginning(group))
    return parts.joined(separator: " · ")
  }

  /// From when to when a cause lasted; else when its findings began.
  private func beginning(_ group: FindingGroup) -> String {
    if let cause = cause(of: group), let until = cause.until {
      return "\(time.clock(cause.from)) to \(time.clock(until))"
    }
    let last = time.clock(group.last)
    return "began \(time.clock(group.first))" + (group.last > group.first ? " to \(last)" : "")
  }

  /// From when to when, and how long that was.
  private func span(_ finding: Finding) -> String {
    let from = time.clock(finding.from)
    guard let until = finding.until else { return "\(from) →" }
    guard until > finding.from else { return from }
    return "\(from) → \(time.clock(until))"
  }
}
