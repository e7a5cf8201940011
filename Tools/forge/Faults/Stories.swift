/// The lines of all stories, to be written between those of the day.
struct Stories {
  private let plot: Plot?
  /// Places of lines, by their instant.
  private let order: [Int]
  private var next = 0
  /// The number of each line among all lines of the day, by its place.
  private var numbers: [Int: Int] = [:]

  init(_ order: DayOrder) {
    let plot = order.hasStories ? Plot(seed: order.seed, day: order.start) : nil
    self.plot = plot
    let rows = plot?.rows ?? []
    self.order = rows.indices.sorted { (rows[$0].at, $0) < (rows[$1].at, $1) }
  }

  /// Writes the lines of an instant and before, after `count` others; how many that were.
  mutating func write(until instant: Int64, after count: Int, to sink: ByteSink) -> Int {
    guard let plot else { return 0 }
    let first = next
    while next < order.count, plot.rows[order[next]].at <= instant {
      sink.line(plot.rows[order[next]].line)
      next += 1
      numbers[order[next - 1]] = count + next - first
    }
    return next - first
  }

  /// What must be found, once every line is written.
  var truth: [String] {
    (plot?.findings ?? []).map { finding in
      finding.line(name: finding.row.flatMap { numbers[$0] }.map { "start:\($0)" } ?? finding.name)
    }
  }
}
