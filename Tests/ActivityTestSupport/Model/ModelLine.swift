/// The members of one object by name, each in the type the caller expects, else absent.
struct ModelLine {
  let members: [String: ModelNode]

  func has(_ name: String) -> Bool {
    guard let node = members[name] else { return false }
    if case .null = node.value { return false }
    return true
  }

  func bytes(_ name: String) -> Int {
    has(name) ? members[name]?.bytes ?? 0 : 0
  }

  func text(_ name: String) -> String? {
    guard case .string(let text) = members[name]?.value else { return nil }
    return text
  }

  func bool(_ name: String) -> Bool? {
    guard case .bool(let value) = members[name]?.value else { return nil }
    return value
  }

  func integer(_ name: String) -> Int64? {
    guard case .number(let text) = members[name]?.value else { return nil }
    return Int64(text) ?? ModelTime.micros(decimal: text).map(ModelTime.wholeSeconds)
  }

  /// Unix seconds or RFC 3339 (EVENTS 1), as microseconds.
  func time(_ name: String) -> Int64? {
    switch members[name]?.value {
    case .number(let text): ModelTime.micros(decimal: text)
    case .string(let text): ModelTime.micros(rfc3339: text)
    default: nil
    }
  }

  func objects(_ name: String) -> [ModelLine] {
    guard case .array(let items) = members[name]?.value else { return [] }
    return items.compactMap { item in
      if case .object(let members) = item.value { ModelLine(members: members) } else { nil }
    }
  }
}
