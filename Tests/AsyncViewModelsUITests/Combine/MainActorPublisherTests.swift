#if canImport(Combine)
  import ToolkitTestSupport
  import AsyncViewModelsUI
  import AsyncViewModelsTesting
  import Combine
  import Dispatch
  import Foundation
  import Testing

  @Suite("Combine: the publisher of a state on the main actor", .timeLimit(.minutes(5)), .endsWaits)
  @MainActor
  struct MainActorPublisherTests {
    private let state = StateStore(0)

    /// Receives on the main actor. Swift stops the process if a closure of this class is called elsewhere.
    @MainActor
    private final class Screen {
      private(set) var values: [Int] = []
      private(set) var repetitions = 0
      private(set) var completions = 0
      private var hasReceived = false
      var onValue: (Int) -> Void = { _ in }

      func follow(_ state: StateStore<Int>) -> AnyCancellable {
        state.publisher(on: MainActor.shared).map { $0 * 1 }
          .sink { [weak self] _ in
            self?.completions += 1
          } receiveValue: { [weak self] in
            self?.receive($0)
          }
      }

      private func receive(_ value: Int) {
        values.append(value)
        if hasReceived { repetitions += 1 }
        hasReceived = true
        // Runs before a later call, unless that call is in this turn.
        Task { @MainActor in hasReceived = false }
        onValue(value)
      }
    }

    private func onAnotherThread(_ work: @escaping @Sendable () -> Void) {
      let isDone = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        work()
        isDone.signal()
      }
      isDone.wait()
    }

    private func settle() async {
      for _ in 0..<20 { await Task.detached {}.value }
    }

    @Test("while the main actor is busy, states are skipped, and the latest one is delivered once")
    func busyMainActor() async throws {
      let screen = Screen()
      let subscription = screen.follow(state)
      #expect(screen.values == [0])
      for round in 1...20 {
        onAnotherThread { [state] in for value in 1...100 { state.send(round * 1_000 + value) } }
        await settle()
        try await until { screen.values.last == round * 1_000 + 100 }
        #expect(screen.values.count == round + 1)
      }
      withExtendedLifetime(subscription) {}
    }

    @Test("each state is delivered in a separate turn, also if the subscriber changes the state")
    func separateTurns() async throws {
      let screen = Screen()
      screen.onValue = { [state] value in if value < 100 { state.send(value + 1) } }
      let subscription = screen.follow(state)
      try await until { screen.values.last == 100 }
      #expect(screen.values == Array(0...100))
      // The first state is delivered in the turn of the subscription.
      #expect(screen.repetitions == 0)
      withExtendedLifetime(subscription) {}
    }

    @Test("a subscriber receives no more states than it has requested, each of them the latest one")
    func demand() async throws {
      let recorder = RecordingSubscriber<Int, Never>()
      state.publisher(on: MainActor.shared).subscribe(recorder)
      for value in 1...3 { state.send(value) }
      await settle()
      #expect(recorder.values == [])
      recorder.request(.max(1))
      #expect(recorder.values == [3])
      for value in 4...6 { state.send(value) }
      await settle()
      #expect(recorder.values == [3])
      onAnotherThread { recorder.request(.max(1)) }
      #expect(recorder.values == [3], "the request waits for the main actor")
      state.send(7)
      try await until { recorder.values == [3, 7] }
      recorder.cancel()
    }

    @Test("a subscription on another thread is called on the main actor")
    func subscriptionElsewhere() async throws {
      let isMain = DispatchSpecificKey<Bool>()
      DispatchQueue.main.setSpecific(key: isMain, value: true)
      let elsewhere = Tally()
      let recorder = RecordingSubscriber<Int, Never>(requesting: .unlimited) { _, _ in
        if DispatchQueue.getSpecific(key: isMain) != true { elsewhere.increment() }
        return .none
      }
      onAnotherThread { [state] in state.publisher(on: MainActor.shared).subscribe(recorder) }
      #expect(recorder.values == [])
      try await until { recorder.values == [0] }
      onAnotherThread { [state] in state.send(1) }
      try await until { recorder.values == [0, 1] }
      #expect(elsewhere.count == 0)
      recorder.cancel()
      DispatchQueue.main.setSpecific(key: isMain, value: nil)
    }

    @Test("the completion follows the last state, on the main actor, and needs no demand")
    func completion() async throws {
      let screen = Screen()
      let subscription = screen.follow(state)
      let recorder = RecordingSubscriber<Int, Never>(requesting: .max(1))
      state.publisher(on: MainActor.shared).subscribe(recorder)
      await settle()
      onAnotherThread { [state] in state.finish() }
      try await until { screen.completions == 1 && recorder.completions == 1 }
      #expect((screen.values, recorder.values) == ([0], [0]))
      let other = StateStore(1)
      let last = Screen()
      let tokens = [last.follow(other)]
      onAnotherThread {
        other.send(2)
        other.finish()
      }
      try await until { last.completions == 1 }
      #expect(last.values == [1, 2])
      withExtendedLifetime((subscription, tokens)) {}
    }

    @Test("a subscription that is cancelled on the main actor is not called again")
    func cancellation() async throws {
      for _ in 1...50 {
        let (screen, state) = (Screen(), StateStore(0))
        let subscription = screen.follow(state)
        onAnotherThread { state.send(1) }
        subscription.cancel()
        #expect(state.observerCount == 0)
        onAnotherThread { state.send(2) }
        await settle()
        #expect(screen.values == [0])
      }
    }
  }
#endif
