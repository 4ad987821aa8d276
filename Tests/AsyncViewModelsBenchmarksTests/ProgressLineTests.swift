import Synchronization
import Testing

@testable import AsyncViewModelsBenchmarkHarness

@Suite(.timeLimit(.minutes(1)))
struct ProgressLineTests {
  private final class Terminal: Sendable {
    private let text = Mutex("")
    var written: String { text.withLock { $0 } }
    func write(_ more: String) { text.withLock { $0 += more } }
  }

  private func progress(
    _ work: String, finished: Int = 0, elapsed: Duration = .seconds(20)
  ) -> RunProgress {
    RunProgress(work: work, finished: finished, total: 4, elapsed: elapsed, remaining: .seconds(60))
  }

  @Test("a terminal's line says how far, what, and how long still, and fits")
  func line() {
    #expect(ProgressLine.line(progress("State: send · Mutex")) == "25 %  State: send · Mutex  1 min 0 s left")
    let long = ProgressLine.line(progress(String(repeating: "x", count: 200)))
    #expect(long.count == 78)
    #expect(long.hasSuffix("…  1 min 0 s left"))
  }

  @Test("on a terminal the line is redrawn in place, where it changed, and taken away at the end")
  func redrawing() {
    let terminal = Terminal()
    let line = ProgressLine(isTerminal: true) { terminal.write($0) }
    line.show(progress("a"))
    line.show(progress("a"))
    line.clear()
    #expect(terminal.written == "\r25 %  a  1 min 0 s left\u{1B}[K\r\u{1B}[K")
  }

  @Test("elsewhere each group has one plain line")
  func plain() {
    let terminal = Terminal()
    let line = ProgressLine(isTerminal: false) { terminal.write($0) }
    line.show(progress("a"))
    line.show(progress("b"))
    line.show(progress("c", finished: 1))
    line.clear()
    #expect(terminal.written == "[1/4] a, 1 min 0 s left\n[2/4] c, 1 min 0 s left\n")
  }
}
