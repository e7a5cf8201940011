import ActivityCommands
import ActivityCore
import Testing

/// The anchor is Friday, 2026-11-20, 18:30:00 UTC; the wall clock is a day later.
@Suite("Times as text")
struct TimeTests {
  private static let anchor = Timestamp(seconds: 1_795_199_400)

  private func resolved(_ text: String, _ zone: Zone = .utc) -> String? {
    TimeExpression(text).map {
      TimeText(.utc).precise(
        $0.resolved(anchor: Self.anchor, now: Self.anchor + .hours(24), zone: zone))
    }
  }

  @Test(
    "Every form of a time is understood",
    arguments: [
      ("2026-11-20T18:04:05Z", "2026-11-20T18:04:05.000000Z"),
      ("2026-11-20t18:04:05.25z", "2026-11-20T18:04:05.250000Z"),
      ("2026-11-20T18:04:05.1234569Z", "2026-11-20T18:04:05.123456Z"),
      ("2026-11-20T18:04:05+02:00", "2026-11-20T16:04:05.000000Z"),
      ("2026-11-20T18:04:05-0530", "2026-11-20T23:34:05.000000Z"),
      ("2026-11-20 18:00 +01", "2026-11-20T17:00:00.000000Z"),
      ("2026-11-20 18:00 UTC", "2026-11-20T18:00:00.000000Z"),
      ("2026-11-20 18:00", "2026-11-20T18:00:00.000000Z"),
      ("2026-11-20", "2026-11-20T00:00:00.000000Z"),
      ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000000Z"),
      ("2024-02-29", "2024-02-29T00:00:00.000000Z"),
      ("0001-01-01", "0001-01-01T00:00:00.000000Z"),
      ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"),
      ("@1700000000", "2023-11-14T22:13:20.000000Z"),
      ("@1700000000.5", "2023-11-14T22:13:20.500000Z"),
      ("@1700000000123", "2023-11-14T22:13:20.123000Z"),
      ("@-1.5", "1969-12-31T23:59:58.500000Z"),
      ("now", "2026-11-21T18:30:00.000000Z"),
      ("today", "2026-11-20T00:00:00.000000Z"),
      ("Yesterday", "2026-11-19T00:00:00.000000Z"),
      ("-90m", "2026-11-20T17:00:00.000000Z"),
      ("-1h30m", "2026-11-20T17:00:00.000000Z"),
      ("+5m", "2026-11-20T18:35:00.000000Z"),
      ("1d3h5m2s", "2026-11-19T15:24:58.000000Z"),
      ("2 h 14 min", "2026-11-20T16:16:00.000000Z"),
      ("18:30", "2026-11-20T18:30:00.000000Z"),
      ("18:30:01", "2026-11-19T18:30:01.000000Z"),
      ("18:04:05", "2026-11-20T18:04:05.000000Z"),
      ("18:04Z", "2026-11-20T18:04:00.000000Z"),
      ("18:04+02:00", "2026-11-20T16:04:00.000000Z"),
      (" 00:00 ", "2026-11-20T00:00:00.000000Z"),
    ])
  func forms(_ text: String, _ instant: String) {
    #expect(resolved(text) == instant)
  }

  @Test(
    "What is no time is refused",
    arguments: [
      "", " ", "noon", "2026-13-01", "2026-02-30", "2023-02-29", "2026-11-20T", "2026-11-20T18",
      "2026-11-20T24:00", "2026-11-20T18:60", "2026-11-20T18:00:61Z", "2026-11-20T18:00:60Z",
      "2026-11-20T18:00:00.Z", "2026-11-20T18:00:00+24:00", "2026-11-20T18:00:00Zx",
      "2026-11-20  18:00", "0000-01-01", "0001-01-01T00:00:00+00:01",
      "9999-12-31T23:59:59-00:01", "@", "@x", "@1.", "@99999999999999999999", "@999999999999",
      "@17000000000000000", "5", "-", "-5", "--5m", "-5x", "+", "18", "18:", "1:00", "18:0",
      "1e3s", "1.2.3s", ".", "99999999999w", "١٨:٠٠", "2026-11-20\u{0}",
    ])
  func refused(_ text: String) {
    #expect(resolved(text) == nil)
  }

  @Test("A time without offset is read in the zone given")
  func zones() {
    let zone = Zone.fixed(2 * 3_600)
    #expect(resolved("2026-11-20 18:00", zone) == "2026-11-20T16:00:00.000000Z")
    #expect(resolved("today", zone) == "2026-11-19T22:00:00.000000Z")
    #expect(resolved("20:30", zone) == "2026-11-20T18:30:00.000000Z")
    #expect(resolved("20:31", zone) == "2026-11-19T18:31:00.000000Z")
    #expect(resolved("00:30", .fixed(-19 * 3_600)) == "2026-11-19T19:30:00.000000Z")
  }

  @Test("What is printed as a time is read back as the same")
  func roundTrip() {
    for step in Int64(-350)...1_400 {
      let instant = Timestamp(microseconds: step * 172_800_123_456_789)
      for zone in [Zone.utc, .fixed(20_700), .fixed(-12_600)] {
        let text = TimeText(zone).precise(instant)
        #expect(TimeExpression(text) == .instant(instant), "\(text)")
      }
    }
  }

  @Test("Instants print in the zone given")
  func printed() {
    let instant = Timestamp(microseconds: 1_795_197_845_250_000)
    #expect(TimeText(.utc).instant(instant) == "2026-11-20T18:04:05Z")
    #expect(TimeText(.utc).clock(instant) == "18:04:05")
    #expect(TimeText(.fixed(-19_800)).instant(instant) == "2026-11-20T12:34:05-05:30")
    #expect(TimeText(.fixed(0)).instant(instant) == "2026-11-20T18:04:05+00:00")
    #expect(TimeText(.fixed(25_200)).date(instant) == "2026-11-21")
    #expect(TimeText(.utc).instant(Timestamp(seconds: 1_795_197_845_000)) == "@1795197845000")
    #expect(
      TimeText(.utc).precise(Timestamp(microseconds: -1)) == "1969-12-31T23:59:59.999999Z")
  }

  @Test("The local zone follows TZ through a change of its clocks")
  func local() async {
    await #expect(processExitsWith: .success) {
      useZone("CET-1CEST,M3.5.0,M10.5.0/3")
      for (text, instant) in [
        ("2026-07-01 12:00", "2026-07-01T10:00:00Z"),
        ("2026-12-01 12:00", "2026-12-01T11:00:00Z"),
        ("2026-03-29 02:30", "2026-03-29T01:30:00Z"),
        ("2026-10-25 02:30", "2026-10-25T00:30:00Z"),
      ] {
        let zero = Timestamp(seconds: 0)
        let time = TimeExpression(text)?.resolved(anchor: zero, now: zero, zone: .local)
        #expect(time.map { TimeText(.utc).instant($0) } == instant)
      }
      let summer = Timestamp(seconds: 1_782_900_000)
      #expect(TimeText(.local).instant(summer) == "2026-07-01T12:00:00+02:00")
    }
  }

  @Test(
    "Lengths of time print in their two largest units",
    arguments: [
      (0, "0 s"), (250, "250 µs"), (350_000, "350 ms"), (12_900_000, "12 s"),
      (60_000_000, "1 min"), (90_000_000, "1 min 30 s"), (2_400_000_000, "40 min"),
      (2_459_000_000, "40 min"), (8_040_000_000, "2 h 14 min"), (28_800_000_000, "8 h"),
      (97_200_000_000, "1 d 3 h"), (-12_000_000, "-12 s"),
    ] as [(Int64, String)])
  func durations(_ micros: Int64, _ text: String) {
    #expect(DurationText.text(Timestamp.Span(microseconds: micros)) == text)
  }

  @Test(
    "Lengths of time are read in any unit",
    arguments: [
      ("2s", 2_000_000), ("500ms", 500_000), ("1.5h", 5_400_000_000), ("90m", 5_400_000_000),
      ("2 h 14 min", 8_040_000_000), ("1w", 604_800_000_000), ("250µs", 250), ("0s", 0),
    ] as [(String, Int64)])
  func lengths(_ text: String, _ micros: Int64) {
    #expect(DurationText.parse(text) == Timestamp.Span(microseconds: micros))
  }
}
