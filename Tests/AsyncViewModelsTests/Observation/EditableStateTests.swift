import AsyncViewModels
import AsyncViewModelsTesting
import Observation
import Testing

@Suite("EditableState", .timeLimit(.minutes(5)))
@MainActor
struct EditableStateTests {
  private let state = ObservableState("a")

  @Test("a write changes the state, and can be read at once")
  func write() {
    let editable = EditableState(state)
    #expect(editable.value == "a")
    editable.value = "b"
    #expect((editable.value, state.value) == ("b", "b"))
    editable.value += "c"
    #expect(state.value == "bc")
  }

  @Test("a write without a read replaces the value that was last written, or the first value")
  func writesWithoutReads() {
    let editable = EditableState(state)
    for value in ["b", "c", "d"] {
      editable.value = value
      #expect(state.value == value)
    }
  }

  @Test("a write that was derived from an old value does not undo a newer change")
  func staleWrite() {
    let editable = EditableState(state)
    #expect(editable.value == "a")
    state.send("link")
    editable.value = "stale"
    #expect(state.value == "link")
    #expect(editable.value == "link")
    editable.value = "fresh"
    #expect(state.value == "fresh")
  }

  @Test("a write after a change back to the value that was read has an effect")
  func changeBack() {
    let editable = EditableState(state)
    _ = editable.value
    state.send("b")
    state.send("a")
    editable.value = "c"
    #expect(state.value == "c")
  }

  @Test("a change notifies code that tracks the value, whoever makes it", arguments: [true, false])
  func notification(isOwnWrite: Bool) async throws {
    let editable = EditableState(state)
    let changes = Tally()
    withObservationTracking {
      _ = editable.value
    } onChange: {
      changes.increment()
    }
    if isOwnWrite { editable.value = "b" } else { state.send("b") }
    try await until { changes.count == 1 }
    #expect(editable.value == "b")
  }

  @Test("after the state is finished, a write has no effect")
  func finished() {
    let editable = EditableState(state)
    state.finish()
    editable.value = "b"
    #expect((editable.value, state.value) == ("a", "a"))
  }

  @Test("of writers that race, each write is either complete or has no effect")
  func race() async {
    let numbers = ObservableState(0)
    let editable = EditableState(numbers)
    let other = Task.detached { for _ in 1...2_000 { numbers.update { $0 += 1 } } }
    var writes = 0
    for _ in 1...2_000 {
      let old = editable.value
      editable.value = old + 1_000_000
      // Another thread may have changed the state since, but not to a value without this write.
      if editable.value >= old + 1_000_000 { writes += 1 }
      if writes.isMultiple(of: 100) { await Task.yield() }
    }
    await other.value
    #expect(numbers.value == writes * 1_000_000 + 2_000)
  }

  @Test("the comparison and the release of values may use the object")
  func valuesThatUseTheObject() {
    let holder = Holder<EditableState<ComparedKey>>()
    let uses = Tally()
    let use: @Sendable () -> Void = {
      MainActor.assumeIsolated {
        guard uses.count < 10 else { return }
        uses.increment()
        _ = holder.value?.value
      }
    }
    let key = ComparedKey(name: "one", whenCompared: use)
    let editable = EditableState(ObservableState(key))
    holder.set(editable)
    editable.value = ComparedKey(name: "two", whenCompared: use)
    #expect(editable.value.name == "two")
    #expect(uses.count > 0)
    holder.clear()
  }

  @Test("it follows the path of a navigation model, and a pop of an old path does not undo a link")
  func path() {
    let navigation = NavigationModel<TestRoute>(links: .test)
    let path = EditableState(navigation)
    navigation.push(.products)
    #expect(Array(path.value) == [.products])
    path.value.append(.product(7))
    #expect(navigation.path.routes == [.products, .product(7)])
    let shown = path.value
    navigation.push(.cart)
    path.value = RoutePath(shown.dropLast())
    #expect(navigation.path.routes == [.products, .product(7), .cart])
  }

  @Test("it is released, and its observation with it")
  func release() async throws {
    try await LeakTracker.check { tracker in
      _ = tracker.track(EditableState(state)).value
    }
    try await until { state.observerCount == 0 }
  }
}
