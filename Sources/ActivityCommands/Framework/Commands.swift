/// The registry: every command of the folder `Commands/`, in the order the overview lists them.
package enum Commands {
  /// One line per file in `Commands/`.
  package static let all: [any Command.Type] = [
    AppendCommand.self,
    IngestCommand.self,
    SchemaCommand.self,
    TailCommand.self,
    ReplayCommand.self,
    StateCommand.self,
    ShowCommand.self,
    DiffCommand.self,
    AuditCommand.self,
    RulesCommand.self,
    FingerprintCommand.self,
    ExportCommand.self,
    SealCommand.self,
    PackCommand.self,
    VerifyCommand.self,
    InfoCommand.self,
  ]

  /// What the framework itself offers for the shell.
  package static let builtIn: [any Command.Type] = [
    CompletionCommand.self,
    ManualCommand.self,
  ]
}
