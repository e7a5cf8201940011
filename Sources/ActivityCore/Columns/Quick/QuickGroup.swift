extension QuickLine {
  /// A line of a group.
  typealias Pointer = UnsafeMutablePointer<QuickLine>

  /// Lends a group of lines that have their tables and lists on the stack.
  @inline(__always)
  static func withLines(
    _ count: Int, _ scanner: QuickScanner, _ body: (Pointer) -> Void
  ) {
    QuickName.words.entries.withUnsafeBufferPointer { names in
      EventKind.quickWords.entries.withUnsafeBufferPointer { kinds in
        QuickLists.withLists(count) { lists in
          withFollowing { following in
            withUnsafeTemporaryAllocation(of: QuickLine.self, capacity: count) { lines in
              guard let first = lines.baseAddress, let names = names.baseAddress,
                let kinds = kinds.baseAddress
              else { return }
              for index in 0..<count {
                (first + index).initialize(
                  to: QuickLine(
                    scanner, names: names, kinds: kinds, lists: lists.part(index),
                    following: following))
              }
              body(first)
            }
          }
        }
      }
    }
  }

  /// Lends the memory of which name follows which; nothing is expected yet.
  @inline(__always)
  private static func withFollowing(_ body: (UnsafeMutablePointer<UInt8>) -> Void) {
    let count = QuickWord.tableSize + 1
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { following in
      following.initialize(repeating: UInt8(QuickWord.unnamed))
      if let start = following.baseAddress { body(start) }
    }
  }
}

extension QuickLists {
  /// Lends lists for so many lines, `part` by `part`.
  @inline(__always)
  fileprivate static func withLists(_ count: Int, _ body: (QuickLists) -> Void) {
    let limit = QuickLine.memberLimit * count
    withUnsafeTemporaryAllocation(of: QuickLine.Found.self, capacity: limit) { found in
      withUnsafeTemporaryAllocation(of: QuickLine.Place.self, capacity: 2 * limit) { places in
        withUnsafeTemporaryAllocation(
          of: (member: Int, value: Int64).self, capacity: limit
        ) { values in
          guard let found = found.baseAddress, let places = places.baseAddress,
            let values = values.baseAddress
          else { return }
          body(
            QuickLists(found: found, kept: places, values: values, texts: places + limit))
        }
      }
    }
  }

  fileprivate func part(_ index: Int) -> QuickLists {
    let start = index * QuickLine.memberLimit
    return QuickLists(
      found: found + start, kept: kept + start, values: values + start, texts: texts + start)
  }
}
