Forge.main(Array(CommandLine.arguments.dropFirst()))
