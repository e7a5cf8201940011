import ActivityCore
import Testing

@Suite("Times are read exactly and written one way")
struct TimestampTests {
  @Test(
    "RFC 3339 in its forms",
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2026-11-20T18:04:05Z", 1_795_197_845_000_000),
      ("2026-11-20 18:04:05z", 1_795_197_845_000_000),
      ("2026-11-20t19:04:05+01:00", 1_795_197_845_000_000),
      ("2026-11-20T12:34:05-05:30", 1_795_197_845_000_000),
      ("2026-11-20T18:04:05.5Z", 1_795_197_845_500_000),
      ("2026-11-20T18:04:05.123456789Z", 1_795_197_845_123_456),
      ("1969-12-31T23:59:59.9999999Z", -1), ("2016-12-31T23:59:60Z", 1_483_228_799_999_999),
      ("2017-01-01T00:59:60.5+01:00", 1_483_228_799_999_999),
      ("2024-02-29T00:00:00Z", 1_709_164_800_000_000),
      ("2000-02-29T00:00:00Z", 951_782_400_000_000),
      ("0001-01-01T00:00:00Z", -62_135_596_800_000_000),
      ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
    ] as [(String, Int64)])
  func reads(text: String, microseconds: Int64) {
    #expect(Timestamp(rfc3339: text)?.microseconds == microseconds)
  }

  @Test(
    "What is no RFC 3339 is refused",
    arguments: [
      "", "2026-11-20", "2026-11-20T18:04:05", "2026-11-20T18:04Z", "2026-13-01T00:00:00Z",
      "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
      "2026-04-31T00:00:00Z", "2026-11-20T24:00:00Z", "2026-11-20T18:60:00Z",
      "2026-11-20T18:04:61Z", "2026-11-20T18:04:60Z", "2026-11-20T18:04:05.Z",
      "2026-11-20T18:04:05+24:00", "2026-11-20T18:04:05+0100", "2026-11-20T18:04:05Z ",
      " 2026-11-20T18:04:05Z", "20261120T180405Z", "0000-12-31T00:00:00Z",
      "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "+026-11-20T18:04:05Z",
    ])
  func refuses(text: String) { #expect(Timestamp(rfc3339: text) == nil) }

  @Test("Every written text reads back as itself")
  func roundTrip() {
    var random = SeededBytes(seed: 7)
    let span = Timestamp.latestText.microseconds - Timestamp.earliestText.microseconds
    for _ in 0..<20_000 {
      let far = Int64(random.next(1 << 30)) << 30 | Int64(random.next(1 << 30))
      let instant = Timestamp(microseconds: Timestamp.earliestText.microseconds + far % (span + 1))
      #expect(Timestamp(rfc3339: instant.rfc3339) == instant)
    }
    #expect(Timestamp(microseconds: 1_795_197_845_000_000).rfc3339 == "2026-11-20T18:04:05.000000Z")
    #expect(Timestamp.earliestText.rfc3339 == "0001-01-01T00:00:00.000000Z")
    #expect(Timestamp.latestText.rfc3339 == "9999-12-31T23:59:59.999999Z")
    #expect(Timestamp(seconds: 300_000_000_000).rfc3339 == "300000000000")
  }

  @Test(
    "Seconds in any JSON spelling, never through a Double",
    arguments: [
      ("20", 20_000_000), ("20.0", 20_000_000), ("2e1", 20_000_000), ("0.2E+2", 20_000_000),
      ("200e-1", 20_000_000), ("1.5e9", 1_500_000_000_000_000), ("-0", 0), ("0e999999999999", 0),
      ("1793124245.123456", 1_793_124_245_123_456), ("1793124245.1234569", 1_793_124_245_123_456),
      ("0.1", 100_000), ("-0.0000001", -1), ("-1.5", -1_500_000), ("1e-400", 0),
      ("9200000000000", 9_200_000_000_000_000_000), ("-9.2e12", -9_200_000_000_000_000_000),
      ("9007199254740.993", 9_007_199_254_740_993_000), ("0.000000000000000000000000001", 0),
      ("00000000000.0".replacingPrefix, 0),
    ] as [(String, Int64)])
  func seconds(text: String, microseconds: Int64) {
    #expect(Timestamp(unixSeconds: text)?.microseconds == microseconds)
  }

  @Test(
    "Absurd seconds are refused",
    arguments: [
      "9200000000001", "9200000000000.000001", "-9200000000000.1", "1e13", "1e999999999",
      "99999999999999999999", "", "x", "1 ", "0x10", "01", "Infinity",
    ])
  func absurd(text: String) { #expect(Timestamp(unixSeconds: text) == nil) }
}

extension String {
  /// One zero instead of many, which JSON does not allow in front.
  fileprivate var replacingPrefix: String { "0" + drop { $0 == "0" } }
}

@Suite("Tokens become digests")
struct TokenDigestTests {
  @Test("Hex in any case, base64, base64url and their digest are one token")
  func spellings() {
    let digest = TokenDigest.digest(of: "00ff10aBfbefbe")
    #expect(digest.hasPrefix("sha256:") && digest.utf8.count == 39)
    for spelling in ["00FF10ABFBEFBE", "AP8Qq/vvvg==", "AP8Qq_vvvg", "AP8Qq/vvvg", digest] {
      #expect(TokenDigest.digest(of: spelling) == digest)
    }
  }

  @Test(
    "The digest is SHA-256 of the bytes",
    arguments: [
      // The well-known digests of "abc" and of the empty message's neighbour "hello world".
      ("616263", "sha256:ba7816bf8f01cfea414140de5dae2223"),
      ("YWJj", "sha256:ba7816bf8f01cfea414140de5dae2223"),
      ("hello world", "sha256:b94d27b9934d3e08a52e52d7da7dabfa"),
      ("sha256:BA7816BF8F01CFEA414140DE5DAE2223", ""),
    ])
  func known(token: String, digest: String) {
    let found = TokenDigest.digest(of: token)
    if digest.isEmpty {
      #expect(found != token.lowercased(), "only the lower case form is taken as it is")
    } else {
      #expect(found == digest)
    }
  }
}
