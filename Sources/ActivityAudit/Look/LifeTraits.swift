/// What there is in a life at all, as far as some rule asks: a rule looks only at lives with a
/// trait that it wants, and nearly all lives have none.
///
/// A trait may be there where a close look finds nothing; it is never missing where a rule would
/// find something. What exactly a trait says is where `LifeScan` and `LifeReader` set it.
package struct LifeTraits: OptionSet, Sendable {
  package let rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  // Computed, so that masks are constants in the loops that test them.
  private static func bit(_ number: UInt64) -> LifeTraits { LifeTraits(rawValue: 1 << number) }

  /// What every life has: for rules that look at all.
  package static var life: LifeTraits { bit(63) }

  // Acts that did not do what they were for.
  package static var lostStart: LifeTraits { bit(0) }
  package static var lostUpdate: LifeTraits { bit(1) }
  package static var lostEnd: LifeTraits { bit(2) }
  package static var undecodable: LifeTraits { bit(3) }
  /// Dropped or flagged for an older timestamp.
  package static var older: LifeTraits { bit(4) }
  package static var afterEnd: LifeTraits { bit(5) }
  /// A refused push.
  package static var refusal: LifeTraits { bit(6) }
  /// One that was refused because of who sent it, or never reached APNs.
  package static var senderRefusal: LifeTraits { bit(7) }

  // Starts.
  package static var pushStart: LifeTraits { bit(8) }
  /// By push without an alert that says anything.
  package static var bareStart: LifeTraits { bit(9) }
  package static var manyStarts: LifeTraits { bit(10) }
  /// One of its own that did not take effect, for whatever reason.
  package static var strangeStart: LifeTraits { bit(11) }
  /// With a date later than itself.
  package static var scheduled: LifeTraits { bit(12) }
  /// A life, and no start of it.
  package static var startless: LifeTraits { bit(13) }
  /// Something to do with a channel.
  package static var channel: LifeTraits { bit(14) }

  // Ends.
  /// Nobody ended it, or leak rules leave it alone.
  package static var undecided: LifeTraits { bit(15) }
  package static var manyEnds: LifeTraits { bit(16) }
  /// Without content, and not gone at once.
  package static var bareEnd: LifeTraits { bit(17) }
  /// Left to the default policy, and not seen to be gone soon.
  package static var defaultEnd: LifeTraits { bit(18) }
  /// Later than its work or its own timestamp.
  package static var late: LifeTraits { bit(19) }
  package static var endedByPerson: LifeTraits { bit(20) }
  /// An update or alert after it was over.
  package static var sendAfterEnd: LifeTraits { bit(21) }
  /// Gone nearly at once.
  package static var brief: LifeTraits { bit(22) }
  /// A date of dismissal that cannot be meant.
  package static var strangeDismissal: LifeTraits { bit(23) }

  // What a device showed.
  /// It turned stale.
  package static var stale: LifeTraits { bit(24) }
  /// Life after what only comes behind life.
  package static var shownAfterOver: LifeTraits { bit(25) }
  /// Life after an end that APNs took.
  package static var shownAfterEnd: LifeTraits { bit(26) }
  /// Contents, where the app had updated it itself.
  package static var localUpdates: LifeTraits { bit(27) }

  // Dates, sizes, alerts, headers and contents.
  /// A date in no unit that is read.
  package static var wrongDate: LifeTraits { bit(28) }
  /// A version ahead of its time.
  package static var ahead: LifeTraits { bit(29) }
  /// A stale date that was past when it came.
  package static var pastStale: LifeTraits { bit(30) }
  /// Content without a stale date, on a card that lived for some time.
  package static var undated: LifeTraits { bit(31) }
  /// Long without news, and no stale date said so.
  package static var longPause: LifeTraits { bit(32) }
  package static var large: LifeTraits { bit(33) }
  /// A push without something most pushes have.
  package static var lacking: LifeTraits { bit(34) }
  /// JSON with something few rows have.
  package static var rareContent: LifeTraits { bit(35) }
  /// The same content twice in a row.
  package static var sameContent: LifeTraits { bit(36) }
  /// Content that names another key.
  package static var strangeKey: LifeTraits { bit(37) }
  /// Alerts without a title.
  package static var untitled: LifeTraits { bit(38) }
  /// Many alerts, or on most updates.
  package static var ringing: LifeTraits { bit(39) }
  /// Many urgent pushes, or updates close to one another.
  package static var dense: LifeTraits { bit(40) }
  package static var strangeHeaders: LifeTraits { bit(41) }
  /// A priority that does not fit, or a sender whose priorities do not.
  package static var strangePriority: LifeTraits { bit(42) }
  /// A start or end that APNs tries once.
  package static var once: LifeTraits { bit(43) }

  // Tokens.
  /// Two different tokens.
  package static var tokensDiffer: LifeTraits { bit(44) }
  /// A push to a token that is not its card's, or to a start token nobody announced.
  package static var wrongToken: LifeTraits { bit(45) }
  /// No push had a token, and none came in time.
  package static var unaddressed: LifeTraits { bit(46) }
  /// An update answered 410.
  package static var gone: LifeTraits { bit(47) }
  /// A token that was seen with another id too.
  package static var tiedToken: LifeTraits { bit(48) }

  // Names, and what else the log says of them.
  package static var keysDiffer: LifeTraits { bit(49) }
  /// An id that names other activities too.
  package static var sharedID: LifeTraits { bit(50) }
  /// One of several lives of its activity.
  package static var severalLives: LifeTraits { bit(51) }
  /// A device with other activities.
  package static var sharedDevice: LifeTraits { bit(52) }
  /// A key that other activities say too; known when all lives were read.
  package static var sharedKey: LifeTraits { bit(53) }
  /// A type and build with contents of several shapes; known when all lives were read.
  package static var mixedShapes: LifeTraits { bit(54) }
  /// Acts of several recorders, some of which may be one.
  package static var severalRecorders: LifeTraits { bit(55) }
  /// Acts that may be one and the same.
  package static var repeated: LifeTraits { bit(56) }
  /// Named by a decode failure that tied itself to no act.
  package static var stray: LifeTraits { bit(57) }
  /// A key or device of a request that failed.
  package static var besideFailure: LifeTraits { bit(58) }
  /// An id whose updates the system refused.
  package static var refusedUpdates: LifeTraits { bit(59) }
  /// A device that once said what it does not allow.
  package static var restrictedDevice: LifeTraits { bit(60) }
  /// An id that was hidden: no rule judges it.
  package static var redacted: LifeTraits { bit(61) }
}
