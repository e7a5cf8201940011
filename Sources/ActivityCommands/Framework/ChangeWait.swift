internal import ActivityCore
internal import ActivityStore

/// How a command that follows something sleeps until there is something to do: until the system
/// tells of a change, or the clock brings something.
///
/// Where the system cannot tell of changes, one line on standard error says so, and it looks five
/// times a second.
struct ChangeWait {
  private let untilChange: ((Timestamp.Span?) -> Bool)?
  private let environment: Environment

  /// How often it looks where nothing tells of changes.
  private static let lookAgain = Timestamp.Span(microseconds: 200_000)

  /// Begins to watch; what changes from here on is not missed.
  init(_ places: [WatchedPlace], _ console: Console, _ environment: Environment) {
    self.environment = environment
    do throws(LogError) {
      untilChange = try environment.watch(places)
    } catch {
      untilChange = nil
      console.note(
        "\(error.file ?? ""): changes cannot be waited for, so it is looked at five times a "
          + "second: \(error.detail)")
    }
  }

  /// Sleeps until something may have changed, and no longer than that; false when a person or the
  /// system asked the run to end.
  ///
  /// - Parameters:
  ///   - span: nil where the clock brings nothing.
  ///   - interval: how long it sleeps at most where nothing tells of changes.
  func wait(atMost span: Timestamp.Span?, looking interval: Timestamp.Span = lookAgain) -> Bool {
    if let untilChange { return untilChange(span) }
    return environment.pause(min(span ?? interval, interval))
  }

  /// How long a place that cannot be watched at the moment is left alone.
  private static let blindSpan = Timestamp.Span.seconds(1)

  /// Watches by what the system offers.
  static func system(
    _ places: [WatchedPlace]
  ) throws(LogError) -> ((Timestamp.Span?) -> Bool)? {
    let watch = try ChangeWatch(places)
    return { span in
      let longest = watch.isBlind ? min(span ?? blindSpan, blindSpan) : span
      return Process.wait(watch, atMost: longest)
    }
  }
}
