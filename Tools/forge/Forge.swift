/// Makes the project's synthetic logs: the same arguments give the same bytes, always.
enum Forge {
  static let usage = """
    forge: deterministic Live Activity logs, as NDJSON on standard output

      forge incident             the evening the push sender lost its credentials
      forge incident --truth     what was planted in it, as JSON
      forge day [options]        one synthetic day
        --events N               lines to write, about (2640000)
        --seed S                 another day of the same kind (1)
        --start TIME             first instant, RFC 3339 UTC (2026-11-01T00:00:00Z)
        --clean                  plant nothing: no rule may fire
        --faults                 a clean day, and stories in which every rule finds something
        --strange                add what only states are compared over: see README.md
        --truth FILE             what was planted, NDJSON: rule, name, key …

    """

  /// Runs one command line and leaves the process: 0 done, 2 not understood or not writable.
  static func main(_ arguments: [String]) -> Never {
    switch arguments.first {
    case "incident": incident(Array(arguments.dropFirst()))
    case "day": day(Array(arguments.dropFirst()))
    case "--help", "-h": System.leave(saying: usage, code: 0)
    default: System.leave(saying: usage, code: 2)
    }
  }

  private static func incident(_ arguments: [String]) -> Never {
    let incident = Incident()
    let output = ByteSink(descriptor: 1)
    switch arguments {
    case []: for line in incident.lines { output.line(line) }
    case ["--truth"]: output.line(incident.truth.json)
    default: System.leave(saying: usage, code: 2)
    }
    output.flush()
    System.leave(code: 0)
  }

  private static func day(_ arguments: [String]) -> Never {
    guard let order = DayOrder(arguments) else { System.leave(saying: usage, code: 2) }
    let output = ByteSink(descriptor: 1)
    let truth = Day(order).write(to: output)
    output.flush()
    if let path = order.truth {
      let file = ByteSink(path: path)
      for line in truth { file.line(line) }
      file.flush()
    }
    System.leave(code: 0)
  }
}
