import Testing
import ToolkitTestSupport

@testable import AsyncViewModels
@testable import AsyncViewModelsTesting

@Suite("State of a timed sequence", .timeLimit(.minutes(5)), .endsWaits)
struct TimedStateTests {
  @Test("if the consumer leaves before the task that reads the source is stored, that task is cancelled")
  func closedBeforeInstalled() {
    typealias State = TimedState<DebounceMachine<Int>, Never>
    var state = State(machine: DebounceMachine(interval: .seconds(1)))
    let isFirst = state.begin()
    #expect(isFirst)
    State.perform(state.close())
    let task = Task {}
    State.perform(state.install(task))
    #expect(task.isCancelled)
    let isFirstAgain = state.begin()
    #expect(!isFirstAgain)
  }

  #if os(macOS) || os(Linux)
    @Test(
      "if two tasks await one iterator's next element, the process terminates with a message that says so")
    func twoConsumers() async throws {
      let exit = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let source = AsyncStream<Int> { _ in }
        let storage = TimedStorage<DebounceMachine<Int>, Never>(
          machine: DebounceMachine(interval: .seconds(1)), stopwatch: Stopwatch(VirtualClock()))
        storage.start(source)
        async let first = storage.next(isolation: nil)
        async let second = storage.next(isolation: nil)
        _ = await (first, second)
      }
      #expect(String(decoding: exit.standardErrorContent, as: UTF8.self).contains("two tasks await"))
    }
  #endif
}
