/// A device and a type of activity, the scope of what one phone is asked to show.
package struct DeviceAndType: Hashable, Sendable {
  package var device: Entry.Word
  package var type: Entry.Word

  package init(device: Entry.Word, type: Entry.Word) {
    self.device = device
    self.type = type
  }

  package init(_ life: Timeline) { self.init(device: life.deviceWord, type: life.type) }
}

extension Finding {
  /// A finding about a device and a type.
  package init(
    _ rule: RuleInfo, _ verdict: Verdict, tally: Tally, _ scope: DeviceAndType, _ log: AuditLog,
    message: String, severity: Severity? = nil
  ) {
    let device = log.text(scope.device)
    let type = log.text(scope.type)
    self.init(
      rule, verdict, tally: tally, identity: [device ?? "", type ?? ""], message: message,
      severity: severity)
    self.device = device
    attributesType = type
    devices = max(devices, device == nil ? 0 : 1)
  }
}
