/// The smallest way to write some numbers, found before a byte is written.
package struct IntegerPlan {
  package enum Form {
    case constant
    case plain(base: Int64, width: Int, exceptions: [Int])
    case delta(unit: Int64)
    case dictionary(values: [Int64], codes: [UInt16])
    case packed(PackedRun)
    case steps(PackedSteps)
    case codes(values: [Int64], codes: [Int64], width: Int)
  }

  /// How the values are written.
  var form: Form
  /// Exact bytes of the values, without shape and length.
  var size: Int

  /// At least one value.
  package init(_ values: [Int64], _ encodings: ColumnEncodings) {
    var low = values[0]
    var high = values[0]
    for value in values {
      low = min(low, value)
      high = max(high, value)
    }
    form = .constant
    size = SectionWriter.zigzagSize(low)
    guard low != high else { return }
    switch encodings {
    case .first:
      planPlain(values, low, high)
      planDelta(values)
      planDictionary(values)
    case .packed: planPacked(values, low, high)
    }
  }

  mutating func keep(_ other: Form, _ bytes: Int) {
    guard bytes < size else { return }
    form = other
    size = bytes
  }

  // MARK: Plain

  /// The width of plain offsets that holds every value.
  mutating func planWhole(_ values: [Int64], _ low: Int64, _ high: Int64) -> Int {
    let span = UInt64(bitPattern: high &- low)
    let whole = [1, 2, 4].first { span <= IntegerPlan.reach($0) } ?? 8
    form = .plain(base: low, width: whole, exceptions: [])
    size = SectionWriter.zigzagSize(low) + 1 + values.count * whole
    return whole
  }

  private mutating func planPlain(_ values: [Int64], _ low: Int64, _ high: Int64) {
    let whole = planWhole(values, low, high)
    guard whole > 1 else { return }
    let sample = stride(from: 0, to: values.count, by: max(1, values.count / 256))
      .map { values[$0] }.sorted()
    for width in [1, 2, 4] where width < whole {
      guard let base = IntegerPlan.base(of: sample, reach: IntegerPlan.reach(width)) else {
        continue
      }
      planExceptions(values, max(base, low), width)
    }
  }

  /// The largest offset of a width.
  package static func reach(_ width: Int) -> UInt64 {
    width == 8 ? .max : (1 << (8 * UInt64(width))) - 1
  }

  /// Where a window of this reach lies that holds most of a sorted sample, unless that is less than
  /// three in four.
  private static func base(of sample: [Int64], reach: UInt64) -> Int64? {
    var first = 0
    var best = (count: 0, low: 0, high: 0)
    for last in sample.indices {
      while UInt64(bitPattern: sample[last] &- sample[first]) > reach { first += 1 }
      if last - first + 1 > best.count { best = (last - first + 1, first, last) }
    }
    guard best.count * 4 >= sample.count * 3 else { return nil }
    let used = UInt64(bitPattern: sample[best.high] &- sample[best.low])
    let slack = Int64((reach - used) / 2)
    let (base, overflow) = sample[best.low].subtractingReportingOverflow(slack)
    return overflow ? Int64.min : base
  }

  private mutating func planExceptions(_ values: [Int64], _ base: Int64, _ width: Int) {
    let reach = IntegerPlan.reach(width)
    var bytes = SectionWriter.zigzagSize(base) + 1 + values.count * width
    var exceptions: [Int] = []
    var last = 0
    for (index, value) in values.enumerated()
    where value < base || UInt64(bitPattern: value &- base) > reach {
      bytes += SectionWriter.varintSize(UInt64(index - last)) + SectionWriter.zigzagSize(value)
      guard bytes < size else { return }
      exceptions.append(index)
      last = index
    }
    if !exceptions.isEmpty { bytes += SectionWriter.varintSize(UInt64(exceptions.count)) }
    keep(.plain(base: base, width: width, exceptions: exceptions), bytes)
  }

  // MARK: Delta

  private mutating func planDelta(_ values: [Int64]) {
    var bytes = 1 + SectionWriter.zigzagSize(values[0])
    var unit: Int64 = 1_000_000
    var previous = values[0]
    for value in values.dropFirst() {
      let (difference, overflow) = value.subtractingReportingOverflow(previous)
      bytes += SectionWriter.zigzagSize(difference)
      while unit > 1, overflow || difference % unit != 0 { unit /= 1_000 }
      previous = value
    }
    if unit > 1 {
      bytes = 1 + SectionWriter.zigzagSize(values[0])
      previous = values[0]
      for value in values.dropFirst() {
        bytes += SectionWriter.zigzagSize((value - previous) / unit)
        previous = value
      }
    }
    // Differences take longer to read than offsets: they must save a sixteenth.
    guard bytes < size - size / 16 else { return }
    keep(.delta(unit: unit), bytes)
  }

  // MARK: Dictionary

  private mutating func planDictionary(_ values: [Int64]) {
    guard size > values.count + 4 else { return }
    if planDictionary(values, limit: min(256, values.count / 2), width: 1) { return }
    guard size > values.count * 2 + values.count / 4 else { return }
    planDictionary(values, limit: min(65_536, values.count / 4), width: 2)
  }

  /// Whether there are few enough different values.
  @discardableResult
  private mutating func planDictionary(_ values: [Int64], limit: Int, width: Int) -> Bool {
    guard limit > 1 else { return false }
    guard let (entries, codes, entryBytes) = IntegerPlan.entries(of: values, limit: limit) else {
      return false
    }
    let codeWidth = entries.count <= 256 ? 1 : 2
    let bytes =
      entryBytes + SectionWriter.varintSize(UInt64(entries.count)) + values.count * codeWidth
    keep(.dictionary(values: entries, codes: codes), bytes)
    return true
  }

  /// The different values in order of first use, each value's place among them, and how many bytes
  /// they take; nil where there are more than `limit`.
  static func entries(
    of values: [Int64], limit: Int
  ) -> (entries: [Int64], codes: [UInt16], bytes: Int)? {
    let slotCount = 1 << (Int.bitWidth - (limit * 2).leadingZeroBitCount)
    var slots = [Int32](repeating: 0, count: slotCount)
    var entries: [Int64] = []
    var codes: [UInt16] = []
    codes.reserveCapacity(values.count)
    var bytes = 0
    for value in values {
      let mixed = UInt64(bitPattern: value) &* 0x9E37_79B9_7F4A_7C15
      var slot = Int(truncatingIfNeeded: mixed >> 32) & (slotCount - 1)
      while slots[slot] != 0, entries[Int(slots[slot]) - 1] != value {
        slot = (slot + 1) & (slotCount - 1)
      }
      if slots[slot] == 0 {
        guard entries.count < limit else { return nil }
        entries.append(value)
        slots[slot] = Int32(entries.count)
        bytes += SectionWriter.zigzagSize(value)
      }
      codes.append(UInt16(slots[slot] - 1))
    }
    return (entries, codes, bytes)
  }
}

// MARK: Writing

extension IntegerPlan {
  /// The shape without presence and transformation.
  package var shape: ColumnShape {
    switch form {
    case .constant: ColumnShape(.constant)
    case .plain(_, _, let exceptions):
      ColumnShape(
        rawValue: IntegerEncoding.plain.rawValue
          | (exceptions.isEmpty ? 0 : ColumnShape.exceptions))
    case .delta: ColumnShape(.delta)
    case .dictionary: ColumnShape(.dictionary)
    case .packed: ColumnShape(.packed)
    case .steps: ColumnShape(.steps)
    case .codes: ColumnShape(.codes)
    }
  }

  /// The values' bytes, `size` of them.
  package func write(_ values: [Int64], to writer: inout SectionWriter) {
    switch form {
    case .constant: writer.zigzag(values[0])
    case .plain(let base, let width, let exceptions):
      writer.zigzag(base)
      writer.byte(UInt8(width))
      writePlain(values, base, width, exceptions, to: &writer)
    case .delta(let unit):
      writer.byte(unit == 1 ? 0 : unit == 1_000 ? 3 : 6)
      writer.zigzag(values[0])
      var differences = Array(values.dropFirst())
      differences.combine(values) { $0 &- $1 }
      if unit > 1 { differences = differences.each { $0 / unit } }
      writer.zigzags(differences)
    case .dictionary(let entries, let codes):
      writer.varint(entries.count)
      for entry in entries { writer.zigzag(entry) }
      if entries.count <= 256 {
        writer.append(codes.map { UInt8($0) })
      } else {
        writer.append(codes.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
      }
    case .packed(let run): run.write(values, to: &writer)
    case .steps(let steps): steps.write(first: values[0], to: &writer)
    case .codes(let entries, let codes, let width):
      writer.varint(entries.count)
      for entry in entries { writer.zigzag(entry) }
      writer.bits(codes, 0, width)
    }
  }

  private func writePlain(
    _ values: [Int64], _ base: Int64, _ width: Int, _ exceptions: [Int],
    to writer: inout SectionWriter
  ) {
    var regular = values
    if !exceptions.isEmpty {
      writer.varint(exceptions.count)
      var last = 0
      for index in exceptions {
        writer.varint(index - last)
        writer.zigzag(values[index])
        last = index
        regular[index] = base
      }
    }
    switch width {
    case 1: writer.fixed(regular.each { UInt8(truncatingIfNeeded: $0 &- base) })
    case 2: writer.fixed(regular.each { UInt16(truncatingIfNeeded: $0 &- base).littleEndian })
    case 4: writer.fixed(regular.each { UInt32(truncatingIfNeeded: $0 &- base).littleEndian })
    default: writer.fixed(regular.each { ($0 &- base).littleEndian })
    }
  }
}

extension SectionWriter {
  /// Numbers that all rows of a list have: shape, length, bytes; nothing for no numbers.
  package mutating func integers(_ values: [Int64], _ encodings: ColumnEncodings) {
    guard !values.isEmpty else { return }
    let plan = IntegerPlan(values, encodings)
    byte(plan.shape.rawValue)
    varint(plan.size)
    plan.write(values, to: &self)
  }
}
