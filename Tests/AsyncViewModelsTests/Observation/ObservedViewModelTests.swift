import AsyncViewModels
import AsyncViewModelsTesting
import Observation
import Testing

@Suite("ObservedViewModel", .timeLimit(.minutes(5)))
@MainActor
struct ObservedViewModelTests {
  @Test(
    "the state is that of the view model, also in the same turn, and a change notifies code that tracks it")
  func state() async throws {
    let model = StateModel(1)
    let observed = ObservedViewModel(model)
    let changes = Tally()
    // The stream yields the first value again, so the first notification may come without a change.
    while changes.count < 3 {
      withObservationTracking {
        #expect(observed.state == model.state)
      } onChange: {
        changes.increment()
      }
      let count = changes.count
      model.store.update { $0 += 1 }
      #expect(observed.state == model.state)
      try await until { changes.count > count }
    }
    #expect(observed.model === model)
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

  @Test(
    "work that it runs receives the view model, and is not cancelled with a caller that waits for its end")
  func run() async {
    let observed = ObservedViewModel(StateModel(1))
    let (gate, done) = (Gate(), Tally())
    let task = observed.run { model in
      do { try await gate.waitUnlessCancelled() } catch { return }
      model.send(2)
      done.increment()
    }
    let caller = Task { await task.value }
    await gate.waitForArrivals(1)
    caller.cancel()
    gate.open()
    await caller.value
    #expect(done.count == 1)
    #expect(observed.state == 2)
  }

  @Test(
    "work is cancelled when the object is released, and keeps neither the object nor, afterwards, the view model"
  )
  func releaseDuringWork() async throws {
    let gate = Gate()
    let task = try await LeakTracker.check { tracker in
      var observed: ObservedViewModel<StateModel<Int>>? = tracker.track(
        ObservedViewModel(tracker.track(StateModel(1))))
      let task = observed?.run { _ in try? await gate.waitUnlessCancelled() }
      await gate.waitForArrivals(1)
      observed = nil
      await task?.value
      return task
    }
    #expect(task?.isCancelled == true)
  }
}
