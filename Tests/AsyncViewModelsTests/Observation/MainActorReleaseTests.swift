import AsyncViewModelsTesting
import AsyncViewModelsUI
import Dispatch
import Foundation
import Synchronization
import Testing
import ToolkitTestSupport

/// The captures of a body that the main actor cancels are released there, even if another thread sends at that moment.
@Suite(
  "The release of a body that is cancelled during a send",
  .serialized, .timeLimit(.minutes(5)), .endsWaits)
@MainActor
struct MainActorReleaseTests {
  enum Form: CaseIterable {
    case state, paced, stream, withCompletion, observedState
  }

  private nonisolated static let sender = "the sender of MainActorReleaseTests"
  private static let count = 5_000

  private final class Screen: Sendable {}

  private final class Turn: Sendable {
    let value = Atomic(0)
  }

  private final class Model: StateSource {
    let store: StateStore<Int>
    init(_ store: StateStore<Int>) { self.store = store }
  }

  @Test(
    "captures are released on the main actor, not on the thread of a sender",
    arguments: Form.allCases)
  func cancelledDuringASend(form: Form) async throws {
    let (screen, wrongReleases, turn, sent) = (Screen(), Tally(), Turn(), Tally())
    let states = (0..<Self.count).map { _ in StateStore(0) }
    var tokens = states.map { state in
      let view = Reentrant(0) { if Thread.current.name == Self.sender { wrongReleases.increment() } }
      return Self.observe(state, form, on: screen) { withExtendedLifetime(view) {} }
    }
    try await until { states.allSatisfy { $0.waitingCount == 1 } }
    let thread = Thread {
      for (index, state) in states.enumerated() {
        while turn.value.load(ordering: .acquiring) <= index {}
        state.send(1)
      }
      sent.increment()
    }
    thread.name = Self.sender
    thread.start()
    var generator = SplitMix64(seed: 36)
    // Both threads reach each observation at about the same time.
    for index in tokens.indices {
      turn.value.store(index + 1, ordering: .releasing)
      for _ in 0..<Int.random(in: 0..<60, using: &generator) { _ = turn.value.load(ordering: .relaxed) }
      tokens[index].cancel()
    }
    tokens = []
    try await until { sent.count == 1 && states.allSatisfy { $0.observerCount == 0 } }
    #expect(wrongReleases.count == 0)
  }

  private static func observe(
    _ state: StateStore<Int>, _ form: Form, on screen: Screen, _ use: @escaping @MainActor () -> Void
  ) -> CancellationToken {
    switch form {
    case .state: return state.observe(on: screen) { _, _ in use() }
    case .paced:
      let pacing = FramePacing.frames(perSecond: 60, clock: VirtualClock())
      return state.observe(on: screen, pacing: pacing) { _, _ in use() }
    case .stream: return state.states().observe(on: screen) { _, _ in use() }
    case .withCompletion:
      return state.states().observe(on: screen) { _, _ in
        use()
      } completion: { _, _ in
        use()
      }
    case .observedState:
      let project: @MainActor (Int) -> Int = { value in
        use()
        return value
      }
      let observed = Holder(StateMirror(Model(state), of: project))
      return CancellationToken { observed.clear() }
    }
  }
}
