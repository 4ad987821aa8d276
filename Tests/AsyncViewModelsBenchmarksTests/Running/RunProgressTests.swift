import Testing

@testable import AsyncViewModelsBenchmarkHarness

@Suite(.timeLimit(.minutes(1)))
struct RunProgressTests {
  private func progress(_ work: String) -> RunProgress {
    RunProgress(work: work, finished: 1, total: 4, elapsed: .seconds(20), remaining: .seconds(60))
  }

  @Test("a line contains the progress, the work and the remaining time, and fits a terminal")
  func line() {
    #expect(progress("State: send · Mutex").line == "25 %  State: send · Mutex  1 min 0 s left")
    let long = progress(String(repeating: "x", count: 200)).line
    #expect(long.count == 78)
    #expect(long.hasSuffix("…  1 min 0 s left"))
  }

  @Test("a line for a log counts the groups")
  func logLine() {
    #expect(progress("a").logLine == "[2/4] a, 1 min 0 s left")
  }
}
