/// `schema`: what a line may look like, for programs that write or check lines.
struct SchemaCommand: Command {
  static let name = "schema"
  static let summary = "The JSON Schema of an event"
  static let group = CommandGroup.record
  static let examples = ["activitylog schema event > event.schema.json"]

  static let subject = Operand(
    "WHAT", help: "event: a line that ingest and append take", isPath: false, choices: ["event"])
  static let arguments: [Argument] = [.operand(subject)]

  init(_ given: Arguments) throws(UsageError) {
    _ = try given.operand(Self.subject)
  }

  func run(_ console: Console, _ environment: Environment) throws -> ExitStatus {
    try console.write(IndentedJSON.spread(EventSchema.json.bytes) + [UInt8(ascii: "\n")])
    return .fine
  }
}
