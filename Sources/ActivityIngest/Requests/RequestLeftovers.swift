internal import ActivityCore

/// What nothing took, kept under its own name: whole where nothing in it was taken.
struct RequestLeftovers {
  private let taken: Set<[String]>
  private var names: Set<String> = []

  init(_ found: RequestFields, _ facts: RequestFacts) {
    var paths = facts.used.map { facts.fields[$0].path } + found.consumed
    if let payload = found.payload { paths.append(payload.path) }
    taken = Set(paths)
  }

  mutating func keep(_ record: JSONSlice, in draft: inout EventDraft) {
    keep(record, [], &draft)
  }

  private mutating func keep(_ object: JSONSlice, _ outer: [String], _ draft: inout EventDraft) {
    for (name, value) in object.members where value.type != .null {
      let path = outer + [name]
      if taken.contains(path) { continue }
      guard taken.contains(where: { $0.starts(with: path) }) else {
        keepWhole(name, value, path, &draft)
        continue
      }
      if value.type == .object {
        keep(value, path, &draft)
      } else if let text = value.string, let inner = JSONSlice(Array(text.utf8)) {
        keep(inner, path, &draft)
      }
    }
  }

  private mutating func keepWhole(
    _ name: String, _ value: JSONSlice, _ path: [String], _ draft: inout EventDraft
  ) {
    if Self.isNothing(value) || Self.isSecret(value, path) { return }
    // The same name twice, from two objects: the second says where it stood.
    let own = names.insert(name).inserted ? name : path.joined(separator: ".")
    names.insert(own)
    if let text = value.string, RequestFields.key(name).contains("token"),
      RequestFacts.looksLikeToken(text)
    {
      var digest: [UInt8] = []
      JSONText.append(TokenDigest.digest(of: text).utf8, to: &digest)
      if let digest = JSONSlice(digest) { draft.keep(own, digest) }
    } else if let text = value.string, APNsHeaders.target(text) != nil {
      let redacted = MemberSpelling.quoted(RequestFacts.redacted(text))
      if let redacted = JSONSlice(redacted) { draft.keep(own, redacted) }
    } else {
      draft.keep(own, value)
    }
  }

  /// What says nothing: empty texts and objects, and the zero of Go's dates.
  private static func isNothing(_ value: JSONSlice) -> Bool {
    switch value.type {
    case .object: value.members.isEmpty
    case .string: value.string == "" || value.string?.hasPrefix("0001-01-01T00:00:00") == true
    case .array: value.elements.isEmpty
    case .number, .true, .false, .null: false
    }
  }

  /// Objects of tokens and keys are not kept at all.
  private static func isSecret(_ value: JSONSlice, _ path: [String]) -> Bool {
    let key = RequestFields.key(path.last ?? "")
    return ["headers", "token", "tokens", "auth", "credentials"].contains(key)
      && value.type != .string
  }
}
