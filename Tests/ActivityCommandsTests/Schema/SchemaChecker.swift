import Foundation
import Testing

/// A JSON value as any reader of JSON has it: of a name that comes twice one is left.
enum SchemaValue: Decodable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([SchemaValue])
  case object([String: SchemaValue])

  init(_ text: String) throws {
    self = try JSONDecoder().decode(SchemaValue.self, from: Data(text.utf8))
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([SchemaValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: SchemaValue].self))
    }
  }

  var object: [String: SchemaValue] { if case .object(let value) = self { value } else { [:] } }
  var array: [SchemaValue] { if case .array(let value) = self { value } else { [] } }
  var string: String? { if case .string(let value) = self { value } else { nil } }
  var number: Double? { if case .number(let value) = self { value } else { nil } }

  func has(type: String) -> Bool {
    switch self {
    case .null: type == "null"
    case .bool: type == "boolean"
    case .number(let value): type == "number" || type == "integer" && value.rounded() == value
    case .string: type == "string"
    case .array: type == "array"
    case .object: type == "object"
    }
  }
}

/// Judges values by the part of JSON Schema (draft 2020-12) that our schema uses. A word it does
/// not know fails the test, since a schema that goes unchecked agrees with everything.
struct SchemaChecker {
  private let schema: SchemaValue
  /// Patterns of the definitions, compiled once.
  private let patterns: [String: Regex<AnyRegexOutput>]

  init(schema: SchemaValue) throws {
    self.schema = schema
    let definitions = schema.object["$defs"]?.object ?? [:]
    let texts = Set(definitions.values.compactMap { $0.object["pattern"]?.string })
    patterns = Dictionary(uniqueKeysWithValues: try texts.map { ($0, try Regex($0)) })
  }

  private static let annotations: Set = [
    "$schema", "$id", "$defs", "$comment", "title", "description", "examples",
  ]

  func accepts(_ value: SchemaValue) throws -> Bool { try accepts(value, schema) }

  private func accepts(_ value: SchemaValue, _ schema: SchemaValue) throws -> Bool {
    for (word, rule) in schema.object where !Self.annotations.contains(word) {
      guard try holds(word, rule, of: value, in: schema) else { return false }
    }
    return true
  }

  private func holds(
    _ word: String, _ rule: SchemaValue, of value: SchemaValue, in schema: SchemaValue
  ) throws -> Bool {
    switch word {
    case "type":
      let types = rule.string.map { [$0] } ?? rule.array.compactMap(\.string)
      return types.contains { value.has(type: $0) }
    case "const": return value == rule
    case "$ref": return try accepts(value, target(of: try #require(rule.string)))
    case "anyOf": return try rule.array.contains { try accepts(value, $0) }
    case "allOf": return try rule.array.allSatisfy { try accepts(value, $0) }
    case "if":
      guard try accepts(value, rule) else { return true }
      return try accepts(value, try #require(schema.object["then"]))
    case "then": return true
    case "minimum", "maximum", "exclusiveMaximum":
      return holds(word, try #require(rule.number), number: value.number)
    case "minLength", "maxLength", "pattern": return try holds(word, rule, text: value.string)
    case "maxItems", "items":
      guard case .array(let items) = value else { return true }
      if word == "maxItems" { return Double(items.count) <= rule.number ?? 0 }
      return try items.allSatisfy { try accepts($0, rule) }
    default:
      guard case .object(let members) = value else { return true }
      return try holds(word, rule, members: members, in: schema)
    }
  }

  private func holds(_ word: String, _ limit: Double, number: Double?) -> Bool {
    guard let number else { return true }
    switch word {
    case "minimum": return number >= limit
    case "maximum": return number <= limit
    default: return number < limit
    }
  }

  private func holds(_ word: String, _ rule: SchemaValue, text: String?) throws -> Bool {
    guard let text else { return true }
    switch word {
    case "minLength": return Double(text.unicodeScalars.count) >= rule.number ?? 0
    case "maxLength": return Double(text.unicodeScalars.count) <= rule.number ?? 0
    default: return text.contains(try #require(patterns[rule.string ?? ""]))
    }
  }

  private func holds(
    _ word: String, _ rule: SchemaValue, members: [String: SchemaValue], in schema: SchemaValue
  ) throws -> Bool {
    switch word {
    case "required": return rule.array.allSatisfy { members[$0.string ?? ""] != nil }
    case "minProperties": return Double(members.count) >= rule.number ?? 0
    case "maxProperties": return Double(members.count) <= rule.number ?? 0
    case "propertyNames": return try members.keys.allSatisfy { try accepts(.string($0), rule) }
    case "properties":
      return try rule.object.allSatisfy { name, inner in
        try members[name].map { try accepts($0, inner) } ?? true
      }
    case "additionalProperties":
      let listed = schema.object["properties"]?.object ?? [:]
      return try members.allSatisfy { try listed[$0] != nil || accepts($1, rule) }
    default:
      Issue.record("the checker does not know \(word)")
      return false
    }
  }

  private func target(of reference: String) throws -> SchemaValue {
    let name = try #require(reference.split(separator: "/").last)
    #expect(reference == "#/$defs/\(name)")
    return try #require(schema.object["$defs"]?.object[String(name)], "\(reference)")
  }
}
