/// One line to come: what it says follows from its activity and these few numbers.
struct DayEvent {
  enum Kind: UInt8 {
    case start
    case token
    case newToken
    case active
    case update
    case alert
    case end
    case appEnd
    case ended
    case dismiss
    case work
    case inventory
    case response
    case authorization
    case secondStart
    case pushStart
    case limit
    case disabled
  }

  /// What APNs said.
  enum Answer: UInt8 {
    case accepted
    case badToken
    case unavailable
    case gone
  }

  /// Salts of apns-ids that are no update's step.
  static let alertPush: UInt8 = 100
  static let endPush: UInt8 = 101
  static let repeatedEnd: UInt8 = 102
  static let lateUpdate: UInt8 = 103
  static let startPush: UInt8 = 104

  /// Microseconds since the day began, when the log took it.
  var recorded: Int64
  var activity: UInt32
  /// Milliseconds between happening and recording; negative for a recorder whose clock is ahead.
  var lag: Int32 = 0
  var kind: Kind
  /// Which push of the activity, for the lines that are one or answer one.
  var push: UInt8 = 0
  var attempt: UInt8 = 1
  var answer: Answer = .accepted

  var at: Int64 { recorded - Int64(lag) * 1000 }
}
