internal import ActivityCore

/// What nothing took, kept under its own name: whole where nothing in it was taken.
struct RequestLeftovers {
  private let taken: [[String]]
  private var names: Set<String> = []

  init(_ found: RequestFields, _ facts: RequestFacts) {
    var paths = found.consumed
    for (field, isUsed) in zip(facts.fields, facts.isUsed) where isUsed { paths.append(field.path) }
    if let payload = found.payload { paths.append(payload.path) }
    taken = paths.filter { !$0.isEmpty }
  }

  mutating func keep(_ record: JSONSlice, in draft: inout EventDraft) {
    keep(record, [], taken, &draft)
  }

  /// - Parameter taken: what was taken inside this object.
  private mutating func keep(
    _ object: JSONSlice, _ outer: [String], _ taken: [[String]], _ draft: inout EventDraft
  ) {
    let depth = outer.count
    for (name, value) in object.members where value.type != .null {
      var isTaken = false
      var isEntered = false
      for path in taken where path[depth] == name {
        if path.count == depth + 1 { isTaken = true } else { isEntered = true }
      }
      if isTaken { continue }
      let path = outer + [name]
      guard isEntered else {
        keepWhole(name, value, path, &draft)
        continue
      }
      let inside = taken.filter { $0.count > depth + 1 && $0[depth] == name }
      if value.type == .object {
        keep(value, path, inside, &draft)
      } else if let text = value.string, let inner = JSONSlice(Array(text.utf8)) {
        keep(inner, path, inside, &draft)
      }
    }
  }

  private mutating func keepWhole(
    _ name: String, _ value: JSONSlice, _ path: [String], _ draft: inout EventDraft
  ) {
    let text = value.string
    if Self.isNothing(value, text) || Self.isSecret(value, path) { return }
    // The same name twice, from two objects: the second says where it stood.
    let own = names.insert(name).inserted ? name : path.joined(separator: ".")
    names.insert(own)
    if let text, RequestFields.key(name).holds("token"), TokenText.looksLikeToken(text) {
      let digest = MemberSpelling.quoted(TokenDigest.digest(of: text))
      if let digest = JSONSlice(digest) { draft.keep(own, digest) }
    } else if let text, APNsHeaders.target(text) != nil {
      let redacted = MemberSpelling.quoted(RequestFacts.redacted(text))
      if let redacted = JSONSlice(redacted) { draft.keep(own, redacted) }
    } else {
      draft.keep(own, value)
    }
  }

  /// What says nothing: empty texts and objects, and the zero of Go's dates.
  private static func isNothing(_ value: JSONSlice, _ text: String?) -> Bool {
    switch value.type {
    case .object: value.members.isEmpty
    case .string: text?.utf8.isEmpty == true || text?.hasPrefix("0001-01-01T00:00:00") == true
    case .array: value.elements.isEmpty
    case .number, .true, .false, .null: false
    }
  }

  /// Objects of tokens and keys are not kept at all.
  private static func isSecret(_ value: JSONSlice, _ path: [String]) -> Bool {
    guard value.type != .string else { return false }
    let key = RequestFields.key(path.last ?? "")
    return ["headers", "token", "tokens", "auth", "credentials"].contains(key)
  }
}
