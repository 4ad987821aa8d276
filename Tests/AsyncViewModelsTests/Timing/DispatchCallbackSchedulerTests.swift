import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Testing

@Suite("Dispatch scheduler", .timeLimit(.minutes(1)))
struct DispatchCallbackSchedulerTests {
  @Test("a delay that is longer than Dispatch can count never ends")
  func never() {
    let queue = DispatchQueue(label: "never")
    let token = DispatchCallbackScheduler().schedule(after: .seconds(Int64.max), on: queue) {
      Issue.record("an eternity is over")
    }
    queue.sync {}
    token.cancel()
  }
}
