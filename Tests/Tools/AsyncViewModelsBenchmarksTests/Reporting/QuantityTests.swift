import Testing

@testable import AsyncViewModelsBenchmarkHarness

@Suite(.timeLimit(.minutes(5)))
struct QuantityTests {
  @Test(
    "times have at least three digits, and the largest unit in which they are at least 1",
    arguments: [
      (0, "0.00 ns"), (3.14159, "3.14 ns"), (21.04, "21.0 ns"), (999.4, "999 ns"), (999.7, "1.00 µs"),
      (1_450, "1.45 µs"), (12_345_678, "12.3 ms"), (2e9, "2.00 s"), (5e12, "5,000 s"),
    ])
  func times(nanoseconds: Double, text: String) {
    #expect(Quantity.time(nanoseconds: nanoseconds) == text)
  }

  @Test(
    "memory has three digits and a decimal unit",
    arguments: [(0, "0.00 kB"), (4_096, "4.10 kB"), (200_000_000, "200 MB")])
  func memory(bytes: Int, text: String) {
    #expect(Quantity.memory(bytes: bytes) == text)
  }

  @Test("a comparison says 'as long' or 'as fast', with a factor of at least 1")
  func comparisons() {
    #expect(Quantity.comparison(ratio: 1.484) == "1.48× as long")
    #expect(Quantity.comparison(ratio: 0.02) == "50.0× as fast")
    #expect(Quantity.comparison(ratio: 1) == "1.00× as long")
    #expect(Quantity.comparison(ratio: 0.00001) == "100,000× as fast")
  }

  @Test("a wait is in seconds, and from one minute on in minutes and seconds")
  func waits() {
    #expect(Quantity.wait(.milliseconds(1_400)) == "1 s")
    #expect(Quantity.wait(.seconds(125)) == "2 min 5 s")
  }

  @Test("nouns agree with their number")
  func counts() {
    #expect(Quantity.count(1, "observer") == "1 observer")
    #expect(Quantity.count(1_000, "observer") == "1,000 observers")
  }
}
