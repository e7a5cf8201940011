internal import ActivityCore

/// One life of one activity as its sender believes it and as its device shows it.
struct ViewPair {
  let activity: Int
  let name: String
  /// Nil when its sender never asked for anything.
  let sent: Life?
  /// Nil when the device never showed it.
  let device: Life?
  let sentState: ActivityState?
  let deviceState: ActivityState?

  /// The lives of every activity that came to be in at least one of the views.
  static func all(of resolution: Resolution, until: Int64) -> [ViewPair] {
    resolution.names.indices.flatMap { activity -> [ViewPair] in
      func lives(_ view: LogView) -> [Life] {
        Fold(activity, of: resolution, view: view, until: until, keepsSteps: false)
          .lives.map(\.life).filter(\.isOpen)
      }
      var sent = lives(.sent)
      var pairs = lives(.device).map { device -> ViewPair in
        // The lives of the two views need not be the same: the one that shares rows is meant.
        let place = sent.lastIndex {
          $0.firstSeq <= device.lastSeq && $0.lastSeq >= device.firstSeq
        }
        return ViewPair(
          activity, place.map { sent.remove(at: $0) }, device, resolution, until)
      }
      pairs += sent.map { ViewPair(activity, $0, nil, resolution, until) }
      return pairs
    }
  }

  private init(
    _ activity: Int, _ sent: Life?, _ device: Life?, _ resolution: Resolution, _ until: Int64
  ) {
    func state(_ life: Life?) -> ActivityState? {
      life.map { ActivityState($0, activity: activity, of: resolution, until: until) }
    }
    self.activity = activity
    self.sent = sent
    self.device = device
    name = resolution.names[activity].printed(resolution.set.texts)
    sentState = state(sent)
    deviceState = state(device)
  }

  /// Tells lives apart in this reading and in one that has more rows at its end.
  var card: String {
    let state = deviceState ?? sentState
    let scope = [state?.environment, state?.bundleID, state?.device].map { $0 ?? "" }
    return ([name] + scope + ["\(state?.firstSeq ?? 0)"]).joined(separator: "\u{0}")
  }
}
