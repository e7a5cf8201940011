/// When to colour.
package enum ColourChoice: String, CaseIterable, Sendable {
  case auto
  case always
  case never

  /// `NO_COLOR` beats `FORCE_COLOR`, both beat the terminal; the command line beats all.
  package func isOn(_ environment: Environment) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      func isSet(_ name: String) -> Bool { environment.variables[name].map { $0 != "" } ?? false }
      if isSet("NO_COLOR") { return false }
      if isSet("FORCE_COLOR") { return true }
      return environment.outputIsTerminal && environment.variables["TERM"] != "dumb"
    }
  }
}

/// What a piece of text is meant to look like.
package enum Style: String, Sendable {
  case plain = ""
  case bold = "1"
  case dim = "2"
  case red = "31"
  case green = "32"
  case yellow = "33"
  case cyan = "36"
}

/// Text with styles, harmless whatever it was made from: pieces are escaped as they come in.
package struct Styled: Equatable, Sendable, ExpressibleByStringLiteral {
  private struct Piece: Equatable, Sendable {
    var text: String
    var style: Style
  }

  private var pieces: [Piece]

  package init(_ text: String, _ style: Style = .plain) {
    pieces = [Piece(text: Escape.text(text), style: style)]
  }

  package init(stringLiteral text: String) { self.init(text) }

  /// The characters a person sees.
  package var text: String { pieces.map(\.text).joined() }

  /// Columns it fills, one per character a person sees.
  package var width: Int { pieces.reduce(0) { $0 + $1.text.count } }

  package static func + (a: Styled, b: Styled) -> Styled {
    var sum = a
    sum.pieces += b.pieces
    return sum
  }

  package static func += (a: inout Styled, b: Styled) { a = a + b }

  /// What is printed.
  package func rendered(colours: Bool) -> String {
    guard colours else { return text }
    return pieces.map { piece in
      piece.style == .plain || piece.text.isEmpty
        ? piece.text : "\u{1B}[\(piece.style.rawValue)m\(piece.text)\u{1B}[0m"
    }.joined()
  }

  /// At most `width` columns of it; what is cut shows as `…`.
  package func shortened(to width: Int) -> Styled {
    guard self.width > width else { return self }
    var short = Styled("")
    var room = max(0, width - 1)
    for piece in pieces {
      let kept = piece.text.prefix(room)
      short.pieces.append(Piece(text: String(kept), style: piece.style))
      room -= kept.count
    }
    return width > 0 ? short + "…" : short
  }
}
