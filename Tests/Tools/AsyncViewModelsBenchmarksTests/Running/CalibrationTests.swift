import Testing

@testable import AsyncViewModelsBenchmarkHarness

@Suite(.timeLimit(.minutes(5)))
struct CalibrationTests {
  @Test("a batch that is long enough keeps its size")
  func enough() throws {
    #expect(try Calibration.iterations(after: 7, took: .milliseconds(1), target: .milliseconds(1)) == nil)
    #expect(try Calibration.iterations(after: 1, took: .seconds(3), target: .milliseconds(1)) == nil)
  }

  @Test("a short batch grows to the size that would take the target time")
  func growth() throws {
    #expect(try Calibration.iterations(after: 100, took: .microseconds(250), target: .milliseconds(1)) == 400)
  }

  @Test("one step grows a batch at most tenfold, even if the batch took no time")
  func bound() throws {
    #expect(try Calibration.iterations(after: 1, took: .nanoseconds(40), target: .milliseconds(1)) == 10)
    #expect(try Calibration.iterations(after: 10, took: .zero, target: .milliseconds(1)) == 100)
  }

  @Test("each step adds at least one iteration, so the calibration ends")
  func progress() throws {
    #expect(try Calibration.iterations(after: 1, took: .microseconds(790), target: .milliseconds(1)) == 2)
  }

  @Test("work that takes no time is an error that names the number of iterations")
  func noWork() throws {
    let most = Calibration.mostIterations
    let error = NoMeasurableWork(iterations: most, elapsed: .nanoseconds(30))
    #expect(throws: error) {
      try Calibration.iterations(after: most, took: .nanoseconds(30), target: .milliseconds(1))
    }
    #expect("\(error)".hasPrefix("1,000,000,000,000 iterations took only"))
    #expect(try Calibration.iterations(after: most, took: .milliseconds(1), target: .milliseconds(1)) == nil)
  }
}
