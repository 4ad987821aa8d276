import AsyncViewModels
import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import StorefrontTesting
import StorefrontViewModels
import Testing

/// What the closure stage cannot do, and the later stages can.
@Suite("Search: limitations of the closure stage", .timeLimit(.minutes(5)), .endsWaits)
struct SearchClosureLimitations {
  @Test("a second observer silently replaces the first one")
  func oneObserver() async throws {
    let clock = VirtualClock()
    let queue = DispatchQueue(label: "callbacks")
    let model = SearchClosureViewModel(
      service: ScriptedSearchService<TextHit>(), scheduler: clock, callbackQueue: queue)
    let (first, second) = (Gate(), Gate())
    let firstBinding = model.bind { if $0.query == "a" { first.open() } }
    let secondBinding = model.bind { if $0.query == "a" { second.open() } }
    model.setQuery("a")
    await second.wait()
    queue.sync {}
    #expect(!first.isOpen)
    _ = (firstBinding, secondBinding)
  }

  @Test("an observer is not notified when the search is deallocated")
  func noEnd() async throws {
    let queue = DispatchQueue(label: "callbacks")
    let seen = StateRecorder(
      AsyncStream<String> { continuation in
        let model = SearchClosureViewModel(
          service: ScriptedSearchService<TextHit>(), scheduler: VirtualClock(), callbackQueue: queue)
        let binding = model.bind { continuation.yield($0.query) }
        continuation.onTermination = { _ in binding.cancel() }
      })
    try await seen.first { _ in true }
    queue.sync {}
    #expect(seen.states == [""], "the observer receives the first state and nothing after it")
    seen.cancel()
  }
}
