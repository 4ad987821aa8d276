import AsyncViewModels
import AsyncViewModelsTesting
import Observation
import Testing

@Suite("ObservedState", .timeLimit(.minutes(1)))
@MainActor
struct ObservedStateTests {
  @Test("the first value is available synchronously")
  func firstValue() {
    let state = ObservableState(7)
    let observed = ObservedState(state.value, state.stream())
    #expect(observed.value == 7)
  }

  @Test("a later value notifies code that tracks the object")
  func laterValue() async throws {
    let state = ObservableState(1)
    let observed = ObservedState(state.value, state.stream(), of: \.self)
    let changed = Gate()
    withObservationTracking {
      _ = observed.value
    } onChange: {
      changed.open()
    }
    state.send(2)
    await changed.wait()
    await observed.wait { $0 == 2 }
    #expect(observed.value == 2)
  }

  @Test("a value that is sent between the snapshot and the stream is not missed")
  func valueBetweenSnapshotAndStream() async {
    let state = ObservableState(1)
    let value = state.value
    state.send(2)
    let observed = ObservedState(value, state.stream())
    #expect(observed.value == 1)
    await observed.wait { $0 == 2 }
  }

  @Test("while the main actor is busy, values conflate, and a view sees the latest in order")
  func conflation() async {
    let state = ObservableState(0)
    let observed = ObservedState(state.value, state.stream())
    let seen = SeenValues<Int>()
    let token = observed.bind(on: seen) { $0.values.append($1) }
    await observed.wait { $0 == 0 }
    for value in 1...1_000 { state.send(value) }
    await observed.wait { $0 == 1_000 }
    let inOrder = seen.values == seen.values.sorted()
    #expect(inOrder)
    #expect(seen.values.count <= 4, "\(seen.values)")
    token.cancel()
  }

  @Test("a projection omits values that do not change it")
  func projection() async {
    let state = ObservableState((shown: "a", hidden: 0))
    let observed = ObservedState(state.value, state.values(.unbounded), of: { $0.shown })
    let seen = SeenValues<String>()
    let token = observed.bind(on: seen) { $0.values.append($1) }
    state.send(("a", 1))
    state.send(("b", 2))
    state.send(("b", 3))
    state.send(("c", 4))
    await observed.wait { $0 == "c" }
    #expect(seen.values == ["a", "b", "c"])
    token.cancel()
  }

  @Test("equal states are omitted, and a custom comparison decides what is equal")
  func sameState() async {
    let counts = ObservableState(0)
    let count = ObservedState(counts.value, counts.values(.unbounded), of: \.self)
    let seen = SeenValues<Int>()
    let token = count.bind(on: seen) { $0.values.append($1) }
    counts.update { _ in }
    counts.send(2)
    await count.wait { $0 == 2 }
    #expect(seen.values == [0, 2])
    token.cancel()

    let content = ObservableState(ViewState<Int>.loading)
    let parities = ObservedState(content.value, content.values(.unbounded), of: \.self) {
      $0.isLoading == $1.isLoading && $0.value.map { $0 % 2 } == $1.value.map { $0 % 2 }
    }
    let shown = SeenValues<Int?>()
    let binding = parities.bind(on: shown) { $0.values.append($1.value) }
    for number in [1, 3, 4] { content.send(.loaded(number)) }
    await parities.wait { $0.value == 4 }
    #expect(shown.values == [nil, 1, 4])
    binding.cancel()
  }

  @Test("views are not notified of a state that does not change their projection")
  func untouchedProjection() async {
    let state = ObservableState((shown: "a", hidden: 0))
    let observed = ObservedState(state.value, state.stream(), of: { $0.shown })
    let everything = ObservedState(state.value, state.stream(), of: { $0.hidden })
    let changes = Tally()
    withObservationTracking {
      _ = observed.value
    } onChange: {
      changes.increment()
    }
    state.send(("a", 1))
    await everything.wait { $0 == 1 }
    for _ in 0..<20 { await Task.yield() }
    #expect(changes.count == 0)
    state.send(("b", 2))
    await observed.wait { $0 == "b" }
    #expect(changes.count == 1)
  }

  @Test("the object does not keep a view model alive and keeps its last state")
  func noRetain() async throws {
    final class Model: Sendable {
      let state = ObservableState([Int]())
    }
    var observed: ObservedState<[Int]>?
    try await LeakTracker.check { tracker in
      let model = tracker.track(Model())
      observed = ObservedState(model.state.value, model.state.stream())
      model.state.send([1, 2])
    }
    await observed?.wait { $0 == [1, 2] }
    #expect(observed?.value == [1, 2])
  }

  @Test("the object leaves its stream when it is deallocated, even while values arrive")
  func leavesWithItsView() async throws {
    let state = ObservableState(0)
    try await LeakTracker.check { tracker in
      for round in 0..<100 {
        let observed = tracker.track(ObservedState(state.value, state.stream()))
        if round % 2 == 0 { await observed.wait { $0 == round } }
        state.send(round + 1)
      }
      #expect(state.observerCount > 0)
    }
    while state.observerCount > 0 { await Task.yield() }
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @Test("the object can be followed as a sequence of observations")
  func observations() async {
    let state = ObservableState(0)
    let observed = ObservedState(state.value, state.stream())
    let last = Task { @MainActor in
      for await value in Observations({ observed.value }) where value == 3 { return value }
      return -1
    }
    for value in 1...3 {
      state.send(value)
      await observed.wait { $0 == value }
    }
    #expect(await last.value == 3)
  }
}
