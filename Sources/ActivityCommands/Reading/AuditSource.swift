internal import ActivityAudit
internal import ActivityCore
internal import ActivityStore

/// A log being read for an audit, with what its payloads said so far: both are one source, so that
/// payloads are read on the core that decodes them.
struct AuditSource: Sendable {
  var reader: LogReader
  var contents: Contents

  /// The next batch, its payload read; nil at the end.
  mutating func next() -> Result<EventColumns?, LogError> {
    do throws(LogError) {
      guard let batch = try reader.next() else { return .success(nil) }
      contents.add(batch)
      return .success(batch)
    } catch {
      return .failure(error)
    }
  }
}
