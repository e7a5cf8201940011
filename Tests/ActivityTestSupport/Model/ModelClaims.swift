/// I7: starts by a device's start token, and the activities that they claim.
struct ModelClaims {
  /// Starts that are attempts of one another, in order; the first speaks for them.
  private struct Request {
    var rows: [ModelRow]
    /// The first row's, with the device that its token addresses.
    var scope: ModelScope
    /// Whether every attempt was refused.
    var isRefused: Bool
  }

  private let answers: ModelAnswers
  /// The `token` rows of kind `start`, in order.
  private let startTokens: [ModelRow]

  init(_ selected: [ModelRow], answers: ModelAnswers) {
    self.answers = answers
    startTokens = selected.filter { $0.event == "token" && $0.tokenKind == "start" }
  }

  /// The activities of I4 with the starts that claimed them, then those of the other starts.
  ///
  /// - Parameter starts: the rows named `start:<seq>`, in order.
  func claim(_ groups: [ModelGroup], by starts: [ModelRow]) -> [ModelGroup] {
    let requests = requests(starts)
    var groups = groups
    var claimed: Set<Int> = []
    var alone: [ModelGroup] = []
    for request in requests.filter({ !$0.isRefused }) + requests.filter(\.isRefused) {
      if let index = choice(of: request, among: groups, claimed: claimed) {
        claimed.insert(index)
        groups[index].scope = groups[index].scope.filled(from: request.scope)
        groups[index].rows = (groups[index].rows + request.rows).sorted { $0.precedes($1) }
      } else {
        let name = ModelName(kind: .start, text: "\(request.rows[0].seq)")
        alone.append(ModelGroup(name: name, scope: request.scope, rows: request.rows))
      }
    }
    return groups + alone
  }

  // MARK: - Attempts

  /// The starts put together that are attempts of one another, and so on from one to the next.
  private func requests(_ starts: [ModelRow]) -> [Request] {
    var parts: [[ModelRow]] = []
    for row in starts {
      let linked = parts.filter { part in part.contains { isAttempt(row, of: $0) } }
      parts.removeAll { part in part.contains { isAttempt(row, of: $0) } }
      parts.append(linked.flatMap { $0 } + [row])
    }
    let requests = parts.map { part in
      let rows = part.sorted { $0.precedes($1) }
      return Request(
        rows: rows, scope: addressedScope(rows[0]), isRefused: rows.allSatisfy(answers.isRefused))
    }
    return requests.sorted { $0.rows[0].precedes($1.rows[0]) }
  }

  private func isAttempt(_ row: ModelRow, of earlier: ModelRow) -> Bool {
    if let id = row.apnsID, id == earlier.apnsID { return true }
    guard row.token == earlier.token, row.key == earlier.key,
      let timestamp = row.explicitTimestamp, timestamp == earlier.explicitTimestamp
    else { return false }
    return !answers.isAccepted(earlier)
  }

  /// The scope a start says, its device if need be that of the start token it addresses.
  private func addressedScope(_ row: ModelRow) -> ModelScope {
    var scope = ModelScope(row)
    if scope.device == nil {
      let announced = startTokens.last { token in
        token.token == row.token && token.precedes(row)
          && row.at - token.at <= 36 * ModelTime.hour
      }
      scope.device = announced?.device
    }
    return scope
  }

  // MARK: - Claims

  /// Which activity a request claims: of its key, else of its device and type.
  private func choice(
    of request: Request, among groups: [ModelGroup], claimed: Set<Int>
  ) -> Int? {
    let row = request.rows[0]
    var byKey: [Int] = []
    var byType: [Int] = []
    for index in groups.indices where !claimed.contains(index) {
      let group = groups[index]
      let after = group.rows[0].at - row.at
      guard after >= 0, after <= 12 * ModelTime.hour, !group.scope.contradicts(request.scope)
      else { continue }
      // A request that got through makes a card of its own beside one that the app asked for.
      if !request.isRefused, let start = group.rows.first(where: { $0.event == "start" }),
        !start.isByPush
      {
        continue
      }
      let key = group.rows.first { $0.key != nil }?.key
      if let key, key == row.key {
        byKey.append(index)
        continue
      }
      let type = group.rows.first { $0.attributesType != nil }?.attributesType
      if let device = request.scope.device, device == group.scope.device,
        let type, type == row.attributesType, key == nil || row.key == nil,
        after <= 120 * ModelTime.second
      {
        byType.append(index)
      }
    }
    return earliest(byKey, of: groups) ?? earliest(byType, of: groups)
  }

  /// The first by first row; of equal ones the first in the order of I4.
  private func earliest(_ indices: [Int], of groups: [ModelGroup]) -> Int? {
    guard var best = indices.first else { return nil }
    for index in indices where groups[index].rows[0].precedes(groups[best].rows[0]) { best = index }
    return best
  }
}
