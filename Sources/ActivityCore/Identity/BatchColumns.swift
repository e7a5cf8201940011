/// The columns of a batch that rows are made of, for one pass over its rows.
///
/// Every pointer is good for as many values as the batch has rows: that is checked once for each
/// column here, and not for every row and column of every commit, which is what makes a pass over
/// millions of rows fast. A column that the batch does not have is one run of absent values, which
/// all such columns share. The pointers never outlive the closure they are handed to.
struct BatchColumns {
  typealias Column = UnsafePointer<Int64>

  let timestamp, staleDate, recorder, source: Column
  let token, channel, key: Column
  let build, attributesType, producer, style: Column
  let apnsID, attempt, reason, contentBytes, bytes, status: Column
  let host, topic, apnsPushType, priority, expiration: Column
  let startDate, pushType, inputPushChannel: Column
  let dismissalDate, dismissalPolicy, endReason: Column
  let state, by, complete, enabled, operation: Column
  let tokenKind, replaces, outcome, from, until: Column
  let at, recordedAt: Column
  let subject: UnsafePointer<Int32>
  let kind: UnsafePointer<EventKind>
  let flags: UnsafePointer<RowFlags>
  /// Whether the batch records any header of a push, any fact of an activity, any answer.
  let hasHeaders, hasFacts: Bool

  private static let members: [Member] = [
    .timestamp, .staleDate, .recorder, .source, .token, .channel, .key, .build, .attributesType,
    .producer, .style, .apnsID, .attempt, .reason, .contentBytes, .bytes, .status, .host,
    .apnsTopic, .apnsPushType, .apnsPriority, .apnsExpiration, .startDate, .pushType,
    .inputPushChannel, .dismissalDate, .dismissalPolicy, .endReason, .state, .by, .complete,
    .enabled, .operation, .tokenKind, .replaces, .outcome, .from, .until,
  ]

  private init(
    _ columns: [Column], _ batch: EventColumns, at: Column, recordedAt: Column,
    subject: UnsafePointer<Int32>, kind: UnsafePointer<EventKind>,
    flags: UnsafePointer<RowFlags>
  ) {
    (timestamp, staleDate, recorder, source) = (columns[0], columns[1], columns[2], columns[3])
    (token, channel, key) = (columns[4], columns[5], columns[6])
    (build, attributesType, producer, style) = (columns[7], columns[8], columns[9], columns[10])
    (apnsID, attempt, reason) = (columns[11], columns[12], columns[13])
    (contentBytes, bytes, status) = (columns[14], columns[15], columns[16])
    (host, topic, apnsPushType) = (columns[17], columns[18], columns[19])
    (priority, expiration) = (columns[20], columns[21])
    (startDate, pushType, inputPushChannel) = (columns[22], columns[23], columns[24])
    (dismissalDate, dismissalPolicy, endReason) = (columns[25], columns[26], columns[27])
    (state, by, complete) = (columns[28], columns[29], columns[30])
    (enabled, operation, tokenKind) = (columns[31], columns[32], columns[33])
    (replaces, outcome, from, until) = (columns[34], columns[35], columns[36], columns[37])
    (self.at, self.recordedAt) = (at, recordedAt)
    (self.subject, self.kind, self.flags) = (subject, kind, flags)
    hasFacts = BatchColumns.members[7...10].contains { !batch[$0].isEmpty }
    hasHeaders = BatchColumns.members[17...21].contains { !batch[$0].isEmpty }
  }

  /// Lends the columns of a batch that has rows.
  static func lend(_ batch: EventColumns, _ body: (BatchColumns) -> Void) {
    let count = batch.count
    precondition(
      batch.at.count == count && batch.recordedAt.count == count && batch.subject.count == count
        && batch.kind.count == count && batch.flags.count == count,
      "The five columns of every row are as long as the batch.")
    let absent = [Int64](repeating: EventColumns.absent, count: count)
    absent.withUnsafeBufferPointer { absent in
      batch.at.withUnsafeBufferPointer { at in
        batch.recordedAt.withUnsafeBufferPointer { recordedAt in
          batch.subject.withUnsafeBufferPointer { subject in
            batch.kind.withUnsafeBufferPointer { kind in
              batch.flags.withUnsafeBufferPointer { flags in
                guard let absent = absent.baseAddress, let at = at.baseAddress,
                  let recordedAt = recordedAt.baseAddress, let subject = subject.baseAddress,
                  let kind = kind.baseAddress, let flags = flags.baseAddress
                else { return }
                lend(batch, absent, []) { columns in
                  body(
                    BatchColumns(
                      columns, batch, at: at, recordedAt: recordedAt, subject: subject,
                      kind: kind, flags: flags))
                }
              }
            }
          }
        }
      }
    }
  }

  /// Lends the next member's column and all after it.
  private static func lend(
    _ batch: EventColumns, _ absent: Column, _ lent: [Column], _ body: ([Column]) -> Void
  ) {
    guard lent.count < members.count else { return body(lent) }
    let column = batch[members[lent.count]]
    precondition(
      column.isEmpty || column.count == batch.count, "A column has one value for each row.")
    column.withUnsafeBufferPointer { values in
      let start = values.isEmpty ? absent : values.baseAddress ?? absent
      lend(batch, absent, lent + [start], body)
    }
  }
}
