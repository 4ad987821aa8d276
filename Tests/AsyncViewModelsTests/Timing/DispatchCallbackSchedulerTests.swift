import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Testing

@Suite("DispatchCallbackScheduler", .timeLimit(.minutes(1)))
struct DispatchCallbackSchedulerTests {
  @Test("a delay beyond the range of Dispatch never ends")
  func never() {
    let queue = DispatchQueue(label: "never")
    let token = DispatchCallbackScheduler().schedule(after: .seconds(Int64.max), on: queue) {
      Issue.record("the action ran")
    }
    queue.sync {}
    token.cancel()
  }
}
