// Whole columns are read through buffer pointers: bounds are checked once for a column, before its
// loop, and each array is made by its initializer instead of being filled with zeros first. That
// is most of what decoding a commit costs.

extension SectionReader {
  /// Numbers written by `SectionWriter.integers`; every row of the list has one.
  package mutating func integers(_ count: Int) throws(MalformedCommit) -> [Int64] {
    guard count > 0 else { return [] }
    let shape = ColumnShape(rawValue: try byte())
    guard shape.presence == .all, !shape.isSeconds, !shape.isPredicted else {
      throw malformed(.unknownEncoding)
    }
    var part = try part()
    let values = try part.values(shape, count)
    try part.finish()
    return values
  }

  /// Numbers all of which are in a range, as a place in a list of so many.
  package mutating func indices(_ count: Int, below limit: Int) throws(MalformedCommit) -> [Int64] {
    let values = try integers(count)
    guard values.allBelow(limit) else { throw malformed(.codeOutOfRange) }
    return values
  }

  /// The values of a column, present rows only.
  package mutating func values(_ shape: ColumnShape, _ count: Int) throws(MalformedCommit)
    -> [Int64]
  {
    guard let encoding = shape.encoding, encoding == .plain || !shape.hasExceptions else {
      throw malformed(.unknownEncoding)
    }
    return switch encoding {
    case .constant: [Int64](repeating: try zigzag(), count: count)
    case .plain: try plain(count, shape.hasExceptions)
    case .delta: try delta(count)
    case .dictionary: try dictionary(count)
    case .packed: try packedRun(count)
    case .steps: try steps(count)
    case .codes: try codes(count)
    case .grouped: throw malformed(.unknownEncoding)
    }
  }

  private mutating func plain(
    _ count: Int, _ hasExceptions: Bool
  ) throws(MalformedCommit) -> [Int64] {
    let base = try zigzag()
    let width = Int(try byte())
    guard width == 1 || width == 2 || width == 4 || width == 8 else {
      throw malformed(.unknownEncoding)
    }
    let exceptions = hasExceptions ? try exceptions(of: count) : []
    let start = offset
    try skip(count * width)
    var values =
      switch width {
      case 1: fixed(UInt8.self, start, count) { base &+ Int64($0) }
      case 2: fixed(UInt16.self, start, count) { base &+ Int64(UInt16(littleEndian: $0)) }
      case 4: fixed(UInt32.self, start, count) { base &+ Int64(UInt32(littleEndian: $0)) }
      default:
        fixed(UInt64.self, start, count) { base &+ Int64(bitPattern: UInt64(littleEndian: $0)) }
      }
    for exception in exceptions { values[exception.index] = exception.value }
    return values
  }

  /// `count` numbers of one width from `start`; that they are there has been checked.
  @inline(__always)
  private func fixed<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type, _ start: Int, _ count: Int, _ value: (Number) -> Int64
  ) -> [Int64] {
    bytes.withUnsafeBytes { source in
      [Int64](unsafeUninitializedCapacity: count) { values, filled in
        var place = start
        for index in 0..<count {
          values[index] = value(source.loadUnaligned(fromByteOffset: place, as: type))
          place &+= MemoryLayout<Number>.size
        }
        filled = count
      }
    }
  }

  private mutating func delta(_ count: Int) throws(MalformedCommit) -> [Int64] {
    let unit: Int64
    switch try byte() {
    case 0: unit = 1
    case 3: unit = 1_000
    case 6: unit = 1_000_000
    default: throw malformed(.unknownEncoding)
    }
    let first = try zigzag()
    // Each difference is a byte at least, so no more is allocated than eight times what is there.
    guard count - 1 <= remaining else { throw malformed(.endsEarly) }
    var place = offset
    let values = bytes.withUnsafeBufferPointer { source in
      [Int64](unsafeUninitializedCapacity: count) { values, filled in
        values[0] = first
        filled = SectionReader.differences(source, &place, end, unit, values)
      }
    }
    guard values.count == count else { throw malformed(.numberTooLong) }
    try skip(place - offset)
    return values
  }

  /// How many of the values could be read; the first is there.
  private static func differences(
    _ source: UnsafeBufferPointer<UInt8>, _ place: inout Int, _ end: Int, _ unit: Int64,
    _ values: UnsafeMutableBufferPointer<Int64>
  ) -> Int {
    var value = values[0]
    var offset = place
    let bytes = UnsafeRawBufferPointer(source)
    for index in 1..<values.count {
      if offset &+ 8 <= end {
        let word = UInt64(
          littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        let stops = ~word & 0x8080_8080_8080_8080
        if stops != 0 {
          value &+= unzigzagged(packed(word & (stops ^ (stops &- 1)))) &* unit
          values[index] = value
          offset &+= stops.trailingZeroBitCount >> 3 &+ 1
          continue
        }
      }
      guard offset < end else { return index }
      var number = UInt64(source[offset])
      offset &+= 1
      if number >= 0x80 {
        number &= 0x7F
        var shift: UInt64 = 7
        while true {
          guard offset < end else { return index }
          let byte = UInt64(source[offset])
          offset &+= 1
          guard shift < 63 || byte <= 1 else { return index }
          number |= (byte & 0x7F) &<< shift
          if byte < 0x80 { break }
          shift &+= 7
        }
      }
      value &+= unzigzagged(number) &* unit
      values[index] = value
    }
    place = offset
    return values.count
  }

  /// The low seven bits of each byte side by side: numbers of mixed lengths, which a branch on each
  /// byte would mispredict, take the same few steps.
  @inline(__always)
  private static func packed(_ bytes: UInt64) -> UInt64 {
    let sevens = bytes & 0x7F7F_7F7F_7F7F_7F7F
    let pairs = (sevens & 0x007F_007F_007F_007F) | (sevens & 0x7F00_7F00_7F00_7F00) >> 1
    let fours = (pairs & 0x0000_3FFF_0000_3FFF) | (pairs & 0x3FFF_0000_3FFF_0000) >> 2
    return (fours & 0x0FFF_FFFF) | (fours & 0x0FFF_FFFF_0000_0000) >> 4
  }

  private mutating func dictionary(_ count: Int) throws(MalformedCommit) -> [Int64] {
    let size = try self.count(limit: min(65_536, remaining))
    var entries: [Int64] = []
    entries.reserveCapacity(size)
    for _ in 0..<size { entries.append(try zigzag()) }
    let start = offset
    let isNarrow = size <= 256
    try skip(count * (isNarrow ? 1 : 2))
    let codes =
      isNarrow
      ? fixed(UInt8.self, start, count) { Int64($0) }
      : fixed(UInt16.self, start, count) { Int64(UInt16(littleEndian: $0)) }
    guard codes.allBelow(size) else { throw malformed(.codeOutOfRange) }
    return codes.each { entries[Int($0)] }
  }
}

extension [Int64] {
  /// Whether all are in 0 ..< limit.
  package func allBelow(_ limit: Int) -> Bool {
    // Negative numbers are the largest as unsigned ones; a running maximum has no branch.
    var high: UInt64 = 0
    for value in self { high = Swift.max(high, UInt64(bitPattern: value)) }
    return isEmpty || high < UInt64(limit)
  }

  /// Whether all that are not absent are in 0 ..< limit.
  package func allAbsentOrBelow(_ limit: Int) -> Bool {
    var high: UInt64 = 0
    for value in self { high = Swift.max(high, value == .min ? 0 : UInt64(bitPattern: value)) }
    return high < UInt64(limit) || allSatisfy { $0 == .min }
  }

  /// Changes each value.
  @inline(__always)
  package mutating func change(_ change: (Int64) -> Int64) {
    withUnsafeMutableBufferPointer { values in
      for index in 0..<values.count { values[index] = change(values[index]) }
    }
  }

  /// A new column with something made of each value.
  @inline(__always)
  package func each<Value>(_ transform: (Int64) -> Value) -> [Value] {
    withUnsafeBufferPointer { source in
      [Value](unsafeUninitializedCapacity: source.count) { target, filled in
        for index in 0..<source.count {
          target.initializeElement(at: index, to: transform(source[index]))
        }
        filled = source.count
      }
    }
  }

  /// Changes each value by one of another column at least as long.
  @inline(__always)
  package mutating func combine(_ other: [Int64], _ change: (Int64, Int64) -> Int64) {
    precondition(other.count >= count, "Columns of one batch are equally long.")
    withUnsafeMutableBufferPointer { target in
      other.withUnsafeBufferPointer { other in
        for index in 0..<target.count { target[index] = change(target[index], other[index]) }
      }
    }
  }

  /// A column of `count` values: these in the given rows, which must lie in it, else absent.
  package func scattered(_ rows: [Int32], of count: Int) -> [Int64] {
    precondition(rows.count == self.count, "Every row has a value.")
    return [Int64](unsafeUninitializedCapacity: count) { target, filled in
      target.initialize(repeating: .min)
      for (index, row) in rows.enumerated() { target[Int(row)] = self[index] }
      filled = count
    }
  }
}
