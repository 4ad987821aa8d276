import AsyncViewModels
import AsyncViewModelsTesting
import Observation
import Synchronization
import Testing

/// What the mirror of a view model's state promises to a view.
@Suite("ObservedState", .timeLimit(.minutes(1)))
@MainActor
struct ObservedStateTests {
  @Test("the first value is there before anything is awaited")
  func firstValue() {
    let state = ObservableState(7)
    let mirror = ObservedState(state.value, state.stream())
    #expect(mirror.value == 7)
  }

  @Test("a later value reaches whoever tracks the mirror, and not what is read elsewhere")
  func laterValue() async throws {
    let state = ObservableState(1)
    let mirror = ObservedState(state.value, state.stream(), of: \.self)
    let changed = Gate()
    withObservationTracking {
      _ = mirror.value
    } onChange: {
      changed.open()
    }
    state.send(2)
    await changed.wait()
    await mirror.wait { $0 == 2 }
    #expect(mirror.value == 2)
  }

  @Test("what was sent between the snapshot and the stream is not missed")
  func nothingInBetween() async {
    let state = ObservableState(1)
    let value = state.value
    state.send(2)
    let mirror = ObservedState(value, state.stream())
    #expect(mirror.value == 1)
    await mirror.wait { $0 == 2 }
  }

  @Test("while the main actor is busy values conflate: a view sees the latest, and the order stands")
  func conflation() async {
    let state = ObservableState(0)
    let mirror = ObservedState(state.value, state.stream())
    let seen = SeenValues<Int>()
    let token = mirror.bind(on: seen) { $0.values.append($1) }
    await mirror.wait { $0 == 0 }
    for value in 1...1_000 { state.send(value) }
    await mirror.wait { $0 == 1_000 }
    let inOrder = seen.values == seen.values.sorted()
    #expect(inOrder)
    #expect(seen.values.count <= 4, "\(seen.values)")
    token.cancel()
  }

  @Test("a projection leaves out what does not change it")
  func projection() async {
    let state = ObservableState((shown: "a", hidden: 0))
    let mirror = ObservedState(state.value, state.values(.unbounded), of: { $0.shown })
    let seen = SeenValues<String>()
    let token = mirror.bind(on: seen) { $0.values.append($1) }
    state.send(("a", 1))
    state.send(("b", 2))
    state.send(("b", 3))
    state.send(("c", 4))
    await mirror.wait { $0 == "c" }
    #expect(seen.values == ["a", "b", "c"])
    token.cancel()
  }

  @Test(
    "the mirror leaves out states that are equal, and compares content as the screen wants it"
  )
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

  @Test("views are not told of a state that leaves their projection as it was")
  func untouchedProjection() async {
    let state = ObservableState((shown: "a", hidden: 0))
    let mirror = ObservedState(state.value, state.stream(), of: { $0.shown })
    let everything = ObservedState(state.value, state.stream(), of: { $0.hidden })
    let changes = Changes()
    withObservationTracking {
      _ = mirror.value
    } onChange: {
      changes.note()
    }
    state.send(("a", 1))
    await everything.wait { $0 == 1 }
    for _ in 0..<20 { await Task.yield() }
    #expect(changes.count == 0)
    state.send(("b", 2))
    await mirror.wait { $0 == "b" }
    #expect(changes.count == 1)
  }

  @Test("the mirror keeps no view model, and shows the last state when it has gone")
  func noRetain() async throws {
    final class Model: Sendable {
      let state = ObservableState([Int]())
    }
    var mirror: ObservedState<[Int]>?
    try await LeakTracker.check { tracker in
      let model = tracker.track(Model())
      mirror = ObservedState(model.state.value, model.state.stream())
      model.state.send([1, 2])
    }
    await mirror?.wait { $0 == [1, 2] }
    #expect(mirror?.value == [1, 2])
  }

  @Test("the mirror leaves its stream when it goes away, also while values keep coming")
  func leavesWithItsView() async throws {
    let state = ObservableState(0)
    try await LeakTracker.check { tracker in
      for round in 0..<100 {
        let mirror = tracker.track(ObservedState(state.value, state.stream()))
        if round % 2 == 0 { await mirror.wait { $0 == round } }
        state.send(round + 1)
      }
      #expect(state.observerCount > 0)
    }
    while state.observerCount > 0 { await Task.yield() }
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @Test("the mirror can be followed as a sequence of observations")
  func observations() async {
    let state = ObservableState(0)
    let mirror = ObservedState(state.value, state.stream())
    let last = Task { @MainActor in
      for await value in Observations({ mirror.value }) where value == 3 { return value }
      return -1
    }
    for value in 1...3 {
      state.send(value)
      await mirror.wait { $0 == value }
    }
    #expect(await last.value == 3)
  }
}

/// Counts from any thread.
private final class Changes: Sendable {
  private let guarded = Mutex(0)

  var count: Int { guarded.withLock { $0 } }
  func note() { guarded.withLock { $0 += 1 } }
}
