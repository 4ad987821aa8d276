import AsyncViewModelsTesting
import AsyncViewModelsUI
import Observation
import Testing
import ToolkitTestSupport

@Suite("ObservedViewModel", .timeLimit(.minutes(5)), .endsWaits)
@MainActor
struct ObservedViewModelTests {
  @Test("a change arrives in a later turn, and notifies code that tracks the state")
  func change() async throws {
    let model = StateModel(1)
    let observed = ObservedViewModel(model)
    for number in 2...5 {
      let changes = Tally()
      withObservationTracking {
        #expect(observed.state == number - 1)
      } onChange: {
        changes.increment()
      }
      model.send(number)
      #expect(observed.state == number - 1)
      try await until { observed.state == number }
      #expect(changes.count == 1)
    }
    #expect(observed.model === model)
  }

  @Test(
    "a change that `perform` makes arrives in the same turn, and a later element of the stream does not undo it"
  )
  func perform() async throws {
    let model = StateModel(1)
    let observed = ObservedViewModel(model)
    for number in 2...50 {
      model.send(-number)
      let answer = observed.perform { model in
        model.send(number)
        return "done"
      }
      #expect(answer == "done")
      #expect(observed.state == number)
      await Task.yield()
      #expect(observed.state == number)
    }
  }

  @Test("after an error of `perform`, the change that was made until then is taken over")
  func performThrows() {
    struct Failure: Error {}
    let observed = ObservedViewModel(StateModel(1))
    #expect(throws: Failure.self) {
      try observed.perform { model throws(Failure) in
        model.send(2)
        throw Failure()
      }
    }
    #expect(observed.state == 2)
  }

  @Test("a state that is sent on another thread does not change within a turn of the main actor")
  func oneStateInATurn() async {
    let model = StateModel([1])
    let observed = ObservedViewModel(model)
    let sender = Task.detached {
      for number in 1...2_000 { model.send(number.isMultiple(of: 2) ? [] : [1, 2, 3]) }
    }
    for _ in 1...500 {
      let count = observed.state.count
      for index in 0..<count { #expect(observed.state.indices.contains(index)) }
      await Task.yield()
    }
    await sender.value
  }

  @Test("it keeps the view model until it is released")
  func ownership() async throws {
    try await LeakTracker.check { tracker in
      let observed = tracker.track(ObservedViewModel(tracker.track(StateModel(1))))
      #expect(tracker.survivors.count == 2)
      withExtendedLifetime(observed) {}
    }
  }

  @Test("it keeps a lease until it is released")
  func lease() async throws {
    let store = ViewModelStore<Int, StateModel<Int>>(retention: .zero, isolation: MainActor.shared) {
      StateModel($0)
    }
    do {
      let observed = ObservedViewModel(await store.lease(7))
      #expect(observed.state == 7)
      #expect(store.counts == ViewModelCounts(inUse: 1, leases: 1))
      withExtendedLifetime(observed) {}
    }
    try await until { store.counts == ViewModelCounts() }
  }
}
