import AsyncViewModelsTesting
import AsyncViewModelsUI
import Dispatch
import Observation
import Testing
import ToolkitTestSupport

@Suite("StateMirror", .timeLimit(.minutes(5)), .endsWaits)
@MainActor
struct StateMirrorTests {
  @Test("the value is the model's state, also right after a change in the same turn of the main actor")
  func sameTurn() {
    let model = StateModel(7)
    let (whole, distinct) = (StateMirror(model), StateMirror(model, of: \.self))
    let half = StateMirror(model, of: { $0 / 2 }, by: ==)
    #expect(whole.value == 7)
    for number in 8...20 {
      model.send(number)
      #expect(whole.value == number)
      #expect(distinct.value == number)
      #expect(half.value == number / 2)
    }
  }

  @Test("the value follows the state of an actor, too")
  func actorState() async throws {
    let model = IsolatedModel("a")
    let observed = StateMirror(model, of: \.count)
    let seen = SeenValues(of: observed)
    await model.change { $0 += "b" }
    #expect(observed.value == 2)
    try await seen.wait { $0 == 2 }
    #expect(seen.values == [1, 2])
  }

  @Test("a later value notifies code that tracks the object")
  func laterValue() async throws {
    let model = StateModel(1)
    for observed in [StateMirror(model), StateMirror(model, of: \.self)] {
      let seen = SeenValues(of: observed)
      // The stream yields the first value again. After a later value has arrived, only new values notify.
      model.store.update { $0 += 1 }
      try await seen.wait { $0 == model.state }
      let changes = tracked(observed)
      model.store.update { $0 += 1 }
      try await until { changes.count == 1 }
      #expect(observed.value == model.state)
    }
  }

  @Test("while the main actor is busy, values conflate, and a view sees ascending values up to the latest")
  func conflation() async throws {
    let model = StateModel(0)
    let observed = StateMirror(model)
    let seen = SeenValues(of: observed)
    for value in 1...1_000 { model.send(value) }
    #expect(observed.value == 1_000)
    try await seen.wait { $0 == 1_000 }
    #expect(isAscending(seen.values))
    #expect(seen.values.count <= 4, "\(seen.values)")
  }

  @Test("an object with a projection omits values that do not change the projection")
  func projection() async throws {
    let model = StateModel((shown: "a", hidden: 0))
    let observed = StateMirror(model, of: { $0.shown })
    let whole = StateMirror(model)
    let (wholes, seen) = (SeenValues(of: whole), SeenValues(of: observed))
    for (number, text) in ["a", "b", "b", "c"].enumerated() {
      model.send((text, number + 1))
      try await wholes.wait { $0.hidden == number + 1 }
      try await seen.wait { $0 == text }
    }
    try await settle()
    #expect(seen.values == ["a", "b", "c"])
  }

  @Test("a custom comparison decides which values are equal")
  func comparison() async throws {
    let model = StateModel(ViewState<Int>.loading)
    func parity(_ state: ViewState<Int>) -> Int? { state.value.map { $0 % 2 } }
    let parities = StateMirror(model, of: \.self) {
      $0.isLoading == $1.isLoading && parity($0) == parity($1)
    }
    let (whole, seen) = (StateMirror(model), SeenValues(of: parities))
    let wholes = SeenValues(of: whole)
    for number in [1, 3, 4] {
      model.send(.loaded(number))
      try await wholes.wait { $0.value == number }
      try await settle()
    }
    #expect(seen.values.map(\.value) == [nil, 1, 4])
    #expect(parities.value.value == 4)
  }

  @Test("views are not notified of a state that does not change their projection")
  func untouchedProjection() async throws {
    let model = StateModel((shown: "a", hidden: 0))
    let observed = StateMirror(model, of: { $0.shown })
    let hidden = SeenValues(of: observed)
    let changes = tracked(observed)
    for number in 1...5 {
      model.send(("a", number))
      try await settle()
    }
    #expect(changes.count == 0)
    #expect(hidden.values == ["a"])
    model.send(("b", 2))
    try await until { changes.count == 1 }
  }

  @Test("a view that has read a value is notified if the model changes back before the value is announced")
  func changedBack() async throws {
    let model = StateModel(1)
    let observed = StateMirror(model, of: \.self)
    try await settle()
    for _ in 1...20 {
      model.send(2)
      // A binding and a view read the value 2 before the object announces it.
      let seen = SeenValues(of: observed)
      let changes = tracked(observed)
      #expect(seen.values == [2])
      model.send(1)
      try await until { changes.count == 1 }
      #expect(seen.values == [2, 1])
      #expect(observed.value == 1)
    }
  }

  @Test("the value never returns to an older value while another thread changes and releases the model")
  func neverGoesBack() async throws {
    for round in 0..<50 {
      var model: StateModel<Int>? = StateModel(0)
      let (whole, distinct) = (StateMirror(model!), StateMirror(model!, of: \.self))
      let (wholes, distincts) = (SeenValues(of: whole), SeenValues(of: distinct))
      let sender = Task.detached { [model] in
        for number in 1...50 { model?.send(number) }
      }
      model = nil
      var read: [Int] = []
      while whole.value < 50 || distinct.value < 50 {
        try Task.checkCancellation()
        read.append(whole.value)
        read.append(distinct.value)
        // Reads in a row race with the sender, but must not occupy the main actor for long.
        if round % 2 == 0 || read.count % 100 == 0 { await Task.yield() }
      }
      await sender.value
      try await wholes.wait { $0 == 50 }
      try await distincts.wait { $0 == 50 }
      #expect(isAscending(read))
      #expect(isAscending(wholes.values))
      #expect(isAscending(distincts.values))
      #expect(Set(distincts.values).count == distincts.values.count)
      #expect(whole.value == 50)
    }
  }

  @Test("the object does not keep a model alive, but keeps and announces the model's last state")
  func noRetain() async throws {
    let seen = SeenValues<[Int]>()
    let (observed, token) = try await LeakTracker.check { tracker in
      let model = tracker.track(StateModel([Int]()))
      let observed = StateMirror(model)
      let token = observed.bind(on: seen) { seen, value in seen.values.append(value) }
      model.send([1, 2])
      return (observed, token)
    }
    #expect(observed.value == [1, 2])
    try await seen.wait { $0 == [1, 2] }
    token.cancel()
  }

  @Test("the object ends its observation when it is deallocated, even while values arrive")
  func leavesWithItsView() async throws {
    let model = StateModel(0)
    try await LeakTracker.check { tracker in
      for round in 0..<100 {
        let observed = tracker.track(StateMirror(model))
        let other = tracker.track(StateMirror(model, of: \.self))
        if round % 2 == 0 { await Task.yield() }
        model.send(round + 1)
        #expect(observed.value == other.value)
      }
    }
    #expect(model.store.observerCount == 0)
  }

  @Test("the object and the model can be released on any thread while values are announced")
  func releasedElsewhere() async throws {
    try await LeakTracker.check { tracker in
      for round in 0..<300 {
        let model = tracker.track(StateModel(0))
        let observed = tracker.track(StateMirror(model, of: \.self))
        let token = observed.bind(on: model) { model, value in if value < 3 { model.send(value + 1) } }
        if round % 2 == 0 { await Task.yield() }
        Task.detached { withExtendedLifetime((observed, token)) {} }
        Task.detached { model.send(9) }
      }
    }
  }

  @Test("the deinit of a replaced value may read the object")
  func valueReadsTheObject() async throws {
    let model = StateModel(Reentrant(0))
    let distinct = StateMirror(model, of: \.self) { $0 === $1 }
    let values = EventChannel<Reentrant>()
    let sequence = StateMirror(Reentrant(0), values.events())
    let (seen, others) = (SeenValues<Int>(), SeenValues<Int>())
    let bindings = [
      distinct.bind(on: seen) { $0.values.append($1.number) },
      sequence.bind(on: others) { $0.values.append($1.number) },
    ]
    let (reads, isMain) = (Tally(), DispatchSpecificKey<Bool>())
    DispatchQueue.main.setSpecific(key: isMain, value: true)
    for number in 1...20 {
      let value = { [weak distinct, weak sequence] in
        Reentrant(number) {
          // A delivery usually releases the last reference, on the main actor.
          guard DispatchQueue.getSpecific(key: isMain) == true else { return }
          MainActor.assumeIsolated {
            guard let distinct, let sequence else { return }
            if distinct.value.number >= number, sequence.value.number >= number { reads.increment() }
          }
        }
      }
      model.send(value())
      values.send(value())
      try await seen.wait { $0 == number }
      try await others.wait { $0 == number }
    }
    #expect(reads.count > 0)
    DispatchQueue.main.setSpecific(key: isMain, value: nil)
    withExtendedLifetime(bindings) {}
  }

  @Test("the value follows the elements of a sequence in order, and keeps the last element")
  func sequence() async throws {
    let values = EventChannel<Int>()
    let observed = StateMirror(0, values.events())
    let (seen, changes) = (SeenValues(of: observed), tracked(observed))
    #expect(observed.value == 0)
    for number in 1...3 { values.send(number) }
    #expect(observed.value == 0)
    values.finish()
    try await seen.wait { $0 == 3 }
    #expect(seen.values == [0, 1, 2, 3])
    #expect(observed.value == 3)
    #expect(changes.count == 1)
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @Test("an `Observations` sequence can track the object")
  func observations() async throws {
    let model = StateModel(0)
    let observed = StateMirror(model)
    let seen = SeenValues(of: observed)
    let last = Task { @MainActor in
      for await value in Observations({ observed.value }) where value == 3 { return value }
      return -1
    }
    for value in 1...3 {
      model.send(value)
      try await seen.wait { $0 == value }
    }
    #expect(await last.value == 3)
  }

  /// Reads the value as a view does, and counts the notification of its change.
  private func tracked<Value>(_ observed: StateMirror<Value>) -> Tally {
    let changes = Tally()
    withObservationTracking {
      _ = observed.value
    } onChange: {
      changes.increment()
    }
    return changes
  }

  /// Gives pending deliveries time to run.
  private func settle() async throws {
    for _ in 0..<20 { await Task.detached {}.value }
  }

  private func isAscending(_ numbers: [Int]) -> Bool { zip(numbers, numbers.dropFirst()).allSatisfy(<=) }
}
