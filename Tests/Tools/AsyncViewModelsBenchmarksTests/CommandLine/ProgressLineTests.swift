import AsyncViewModelsCommandLine
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ProgressLineTests {
  private final class Output: Sendable {
    private let contents = Mutex("")
    var text: String { contents.withLock { $0 } }
    func write(_ more: String) { contents.withLock { $0 += more } }
  }

  private let output = Output()

  @Test("on a terminal, the line is redrawn only if its text changed, and `clear()` removes the line")
  func terminal() {
    let line = ProgressLine(isTerminal: true, write: output.write)
    line.show("a", step: 0, logText: "log")
    line.show("a", step: 1)
    line.clear()
    line.show("a", step: 1)
    #expect(output.text == "\ra\u{1B}[K\r\u{1B}[K\ra\u{1B}[K")
  }

  @Test("on a terminal, the line is not redrawn before the interval has passed")
  func interval() {
    let line = ProgressLine(isTerminal: true, interval: .seconds(3_600), write: output.write)
    line.show("a", step: 0)
    line.show("b", step: 0)
    #expect(output.text == "\ra\u{1B}[K")
  }

  @Test("if the output is not a terminal, each step writes only its first log text")
  func log() {
    let line = ProgressLine(isTerminal: false, write: output.write)
    line.show("a", step: 0)
    for (step, text) in [(0, "first"), (0, "again"), (1, "second")] {
      line.show("a", step: step, logText: text)
    }
    line.clear()
    #expect(output.text == "first\nsecond\n")
  }
}
