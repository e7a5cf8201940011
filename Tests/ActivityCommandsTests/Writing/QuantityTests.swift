import ActivityCommands
import Testing

@Suite("Quantities")
struct QuantityTests {
  @Test(
    "Sizes are cut to one digit in thousands",
    arguments: [
      (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1.0 kB"), (71_399, "71.3 kB"),
      (999_999, "999.9 kB"), (713_200_000, "713.2 MB"), (2_900_000_000, "2.9 GB"),
      (5_000_000_000_000, "5.0 TB"),
    ])
  func bytes(_ count: Int, _ text: String) {
    #expect(Quantity.bytes(count) == text)
  }

  @Test("Shares have one digit, and nothing has none")
  func shares() {
    #expect(Quantity.share(1, of: 3) == "33.3 %")
    #expect(Quantity.share(3, of: 3) == "100.0 %")
    #expect(Quantity.share(0, of: 0) == "–")
    #expect(Quantity.count(1, "event") == "1 event")
    #expect(Quantity.count(0, "event") == "0 events")
    #expect(Quantity.seconds(1_990_000) == "1.9 s")
  }
}
