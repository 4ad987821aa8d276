import Testing

@testable import AsyncViewModelsBenchmarkHarness

@Suite(.timeLimit(.minutes(5)))
struct StatisticsTests {
  @Test("the percentiles of the samples 1…101 are correct in any order of the samples")
  func percentiles() {
    let statistics = Statistics((1...101).map(Double.init).shuffled())
    #expect(statistics.count == 101)
    #expect(statistics.minimum == 1)
    #expect(statistics.median == 51)
    #expect(statistics.p90 == 91)
    #expect(statistics.p99 == 100)
    #expect(statistics.quantiles.map { $0.rounded() } == stride(from: 1.0, through: 101, by: 5).map { $0 })
  }

  @Test("a percentile between two samples is interpolated")
  func interpolation() {
    let statistics = Statistics([10, 20])
    #expect(statistics.median == 15)
    #expect(statistics.p90 == 19)
  }

  @Test("the spread is the median distance from the median, relative to the median; outliers do not count")
  func spread() {
    #expect(Statistics([8, 9, 10, 11, 12]).spread == 0.1)
    #expect(Statistics([8, 9, 10, 11, 1_000_000]).spread == 0.1)
  }

  @Test("one sample is its own minimum, median and percentile, without spread")
  func single() {
    let statistics = Statistics([7])
    #expect(
      statistics.minimum == 7 && statistics.median == 7 && statistics.p99 == 7 && statistics.spread == 0)
  }

  @Test("the spread of samples that are all zero is zero")
  func zeros() {
    #expect(Statistics([0, 0, 0]).spread == 0)
  }

  #if os(macOS) || os(Linux)
    @Test("creating statistics without samples ends the program")
    func none() async {
      await #expect(processExitsWith: .failure) { _ = Statistics([]) }
    }
  #endif
}
