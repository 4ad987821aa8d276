import Testing

@testable import AsyncViewModelsBenchmarkHarness

@Suite(.timeLimit(.minutes(5)))
struct CalibrationTests {
  @Test("a batch that is long enough keeps its size")
  func enough() {
    #expect(Calibration.iterations(after: 7, took: .milliseconds(1), target: .milliseconds(1)) == nil)
    #expect(Calibration.iterations(after: 1, took: .seconds(3), target: .milliseconds(1)) == nil)
  }

  @Test("a short batch grows to the size that would take the target time")
  func growth() {
    #expect(Calibration.iterations(after: 100, took: .microseconds(250), target: .milliseconds(1)) == 400)
  }

  @Test("one step grows a batch at most tenfold, even if the batch took no time")
  func bound() {
    #expect(Calibration.iterations(after: 1, took: .nanoseconds(40), target: .milliseconds(1)) == 10)
    #expect(Calibration.iterations(after: 10, took: .zero, target: .milliseconds(1)) == 100)
  }

  @Test("each step adds at least one iteration, so the calibration ends")
  func progress() {
    #expect(Calibration.iterations(after: 1, took: .microseconds(790), target: .milliseconds(1)) == 2)
  }
}
