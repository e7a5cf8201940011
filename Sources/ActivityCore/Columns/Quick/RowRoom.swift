/// The rows of a batch while lines are read into it, in memory that is kept from batch to batch.
///
/// Raw memory, because a row is some twenty stores and an array would check each one. What keeps
/// the stores in bounds: a `LineReader` makes room for a row and its payload before it adds them,
/// and members number below `Member.columnLimit`.
///
/// Unchecked, and still safe to send: only a `LineReader` holds one, never hands it out, and copies
/// it before it changes one that another reader holds too. So whoever changes it has it alone.
final class RowRoom: @unchecked Sendable {
  private(set) var count = 0
  private(set) var payloadCount = 0
  let capacity: Int
  let payloadCapacity: Int

  private let kind: UnsafeMutablePointer<EventKind>
  private let flags: UnsafeMutablePointer<RowFlags>
  private let subject: UnsafeMutablePointer<Int32>
  private let at: UnsafeMutablePointer<Int64>
  private let recordedAt: UnsafeMutablePointer<Int64>
  /// Column by column, each `capacity` long; pages of columns that nobody uses are never touched.
  private let cells: UnsafeMutablePointer<Int64>
  /// How many rows of each column are written.
  private let filled: UnsafeMutablePointer<Int>
  private let payload: UnsafeMutableRawPointer

  init(rows: Int, payload bytes: Int) {
    capacity = rows
    payloadCapacity = bytes
    kind = .allocate(capacity: rows)
    flags = .allocate(capacity: rows)
    subject = .allocate(capacity: rows)
    at = .allocate(capacity: rows)
    recordedAt = .allocate(capacity: rows)
    cells = .allocate(capacity: rows * Member.columnLimit)
    filled = .allocate(capacity: Member.columnLimit)
    filled.initialize(repeating: 0, count: Member.columnLimit)
    payload = .allocate(byteCount: bytes + QuickScanner.margin, alignment: 16)
  }

  /// An empty room as large as another.
  convenience init(like room: RowRoom) {
    self.init(rows: room.capacity, payload: room.payloadCapacity)
  }

  deinit {
    kind.deallocate()
    flags.deallocate()
    subject.deallocate()
    at.deallocate()
    recordedAt.deallocate()
    cells.deallocate()
    filled.deallocate()
    payload.deallocate()
  }

  /// The same rows in a room of their own, which may be larger.
  func copy(rows: Int, payload bytes: Int) -> RowRoom {
    let copy = RowRoom(rows: max(rows, capacity), payload: max(bytes, payloadCapacity))
    copy.count = count
    copy.payloadCount = payloadCount
    copy.kind.update(from: kind, count: count)
    copy.flags.update(from: flags, count: count)
    copy.subject.update(from: subject, count: count)
    copy.at.update(from: at, count: count)
    copy.recordedAt.update(from: recordedAt, count: count)
    for member in 0..<Member.columnLimit {
      copy.filled[member] = filled[member]
      (copy.cells + member * copy.capacity).update(
        from: cells + member * capacity, count: filled[member])
    }
    copy.payload.copyMemory(from: payload, byteCount: payloadCount)
    return copy
  }

  /// Adds a row without members, for which there must be room.
  @inline(__always)
  func appendRow(
    kind: EventKind, flags: RowFlags, subject: Int32, at: Int64, recordedAt: Int64
  ) {
    self.kind[count] = kind
    self.flags[count] = flags
    self.subject[count] = subject
    self.at[count] = at
    self.recordedAt[count] = recordedAt
    count &+= 1
  }

  /// Sets the last row's value of a member, which it does not have yet.
  @inline(__always)
  func set(_ member: Int, _ value: Int64) {
    let row = count &- 1
    let column = cells + member &* capacity
    var next = filled[member]
    while next < row {
      column[next] = EventColumns.absent
      next &+= 1
    }
    column[row] = value
    filled[member] = row &+ 1
  }

  /// Adds bytes of payload, for which there must be room.
  @inline(__always)
  func appendPayload(_ bytes: UnsafeRawPointer, _ length: Int) {
    (payload + payloadCount).copyMemory(from: bytes, byteCount: length)
    payloadCount &+= length
  }

  /// The same by sixteen bytes at a time: `margin` bytes behind `bytes` must be readable, as many
  /// of the room are writable.
  @inline(__always)
  func appendPayload(loosely bytes: UnsafeRawPointer, _ length: Int) {
    let target = payload + payloadCount
    var place = 0
    repeat {
      target.storeBytes(
        of: bytes.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self),
        toByteOffset: place, as: SIMD16<UInt8>.self)
      place &+= 16
    } while place < length
    payloadCount &+= length
  }

  /// Adds one byte of payload, for which there must be room.
  @inline(__always)
  func appendPayload(_ byte: UInt8) {
    payload.storeBytes(of: byte, toByteOffset: payloadCount, as: UInt8.self)
    payloadCount &+= 1
  }

  /// The rows as a batch, without texts, subjects and inventories.
  func columns() -> EventColumns {
    var columns = EventColumns()
    columns.setRows(
      kind: Self.array(kind, count), flags: Self.array(flags, count),
      subject: Self.array(subject, count), at: Self.array(at, count),
      recordedAt: Self.array(recordedAt, count))
    for member in Member.allCases where filled[Int(member.rawValue)] > 0 {
      let number = Int(member.rawValue)
      let column = cells + number * capacity
      for row in filled[number]..<count { column[row] = EventColumns.absent }
      filled[number] = count
      columns.setColumn(member, Self.array(column, count))
    }
    columns.payload = .lines(
      Array(UnsafeRawBufferPointer(start: payload, count: payloadCount)))
    return columns
  }

  /// Forgets the rows.
  func clear() {
    count = 0
    payloadCount = 0
    filled.update(repeating: 0, count: Member.columnLimit)
  }

  private static func array<T>(_ start: UnsafeMutablePointer<T>, _ count: Int) -> [T] {
    Array(UnsafeBufferPointer(start: start, count: count))
  }
}
