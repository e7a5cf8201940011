/// Aligned columns of styled text, two spaces apart, no trailing spaces.
package struct Table {
  /// One column: its title and how its cells lie.
  package struct Column: Sendable {
    enum Alignment: Sendable {
      case left
      case right
    }

    let title: String
    let alignment: Alignment
    let shrinks: Bool

    /// Text, at the left; one that shrinks gives way when the terminal is too narrow.
    package static func text(_ title: String, shrinks: Bool = false) -> Column {
      Column(title: title, alignment: .left, shrinks: shrinks)
    }

    /// Numbers, at the right.
    package static func number(_ title: String) -> Column {
      Column(title: title, alignment: .right, shrinks: false)
    }
  }

  private let columns: [Column]
  private var rows: [[Styled]] = []

  /// A table without titles prints no first line when all titles are empty.
  package init(_ columns: [Column]) { self.columns = columns }

  /// Adds a row; cells left out are empty.
  package mutating func add(_ cells: [Styled]) {
    precondition(cells.count <= columns.count, "A row has no more cells than there are columns.")
    rows.append(cells + Array(repeating: "", count: columns.count - cells.count))
  }

  package var isEmpty: Bool { rows.isEmpty }

  /// The lines; with a width, columns that shrink are cut so that lines fit it.
  package func lines(width: Int? = nil) -> [Styled] {
    let titled = columns.contains { $0.title != "" }
    let all = (titled ? [columns.map { Styled($0.title, .dim) }] : []) + rows
    var widths = columns.indices.map { index in all.map { $0[index].width }.max() ?? 0 }
    if let width { shrink(&widths, to: width) }
    return all.map { line($0, widths) }
  }

  private func shrink(_ widths: inout [Int], to limit: Int) {
    var excess = widths.reduce(0, +) + 2 * max(0, widths.count - 1) - limit
    for index in columns.indices.reversed() where columns[index].shrinks && excess > 0 {
      let cut = min(excess, max(0, widths[index] - 8))
      widths[index] -= cut
      excess -= cut
    }
  }

  private func line(_ cells: [Styled], _ widths: [Int]) -> Styled {
    var line = Styled("")
    var pending = 0
    for (index, cell) in cells.enumerated() {
      let shown = cell.shortened(to: widths[index])
      let gap = widths[index] - shown.width
      let alignment = columns[index].alignment
      if alignment == .right { pending += gap }
      if shown.width > 0 {
        line += Styled(String(repeating: " ", count: pending)) + shown
        pending = 0
      }
      if alignment == .left { pending += gap }
      pending += 2
    }
    return line
  }
}
