import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Testing
import ToolkitTestSupport

@Suite("ViewModelActor", .timeLimit(.minutes(5)), .endsWaits)
struct ViewModelActorTests {
  private let queue = DispatchQueue(label: "legacy")

  @Test("the state, the stream and the store of a model can be used from any isolation")
  func state() async {
    let model = IsolatedModel(1)
    let states = model.states()
    #expect(model.state == 1)
    #expect(model.store === model.modelState.store)
    await model.change { $0 += 1 }
    #expect(model.state == 2)
    #expect(await states.next() == 2)
    let buffered = model.states(.unbounded)
    await model.change { $0 += 1 }
    await model.change { $0 += 1 }
    #expect(await buffered.next(3) == [2, 3, 4])
    #expect(shownState(of: model) == 4)
  }

  @Test("a state source that is a class has the same members as a view model actor")
  func classSource() async {
    let model = StateModel(1)
    #expect(shownState(of: model) == 1)
    let states = model.states()
    model.send(2)
    #expect(await states.next() == 2)
  }

  @Test("a model on a new isolation loses no call of concurrent callers")
  func newIsolation() async {
    let model = IsolatedModel(0)
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<500 {
            await model.change { $0 += 1 }
            await model.changeAfterWaiting { $0 += 1 }
          }
        }
      }
    }
    #expect(await model.callCount == 8_000)
    #expect(model.state == 8_000)
  }

  @Test("models with different states share the isolation of one actor")
  func sharedIsolation() async {
    let isolation = PlainActor()
    let (one, other) = (IsolatedModel(0, isolation: isolation), IsolatedModel("", isolation: isolation))
    let nested = IsolatedModel([0], isolation: one)
    await one.changeSynchronously(other) { $0 += "a" }
    await other.changeSynchronously(nested) { $0 += [1] }
    await withTaskGroup { group in
      for number in 0..<4 {
        group.addTask {
          for _ in 0..<500 {
            if number % 2 == 0 {
              await nested.changeSynchronously(one) { $0 += 1 }
            } else {
              await one.changeAfterWaiting { $0 += 1 }
            }
          }
        }
      }
    }
    #expect(await one.callCount == 2_000)
    #expect(other.state == "a")
    #expect(nested.state == [0, 1])
  }

  #if os(macOS) || os(Linux)
    @Test("models on separate executors do not share an isolation")
    func separateIsolations() async {
      await #expect(processExitsWith: .failure) {
        await IsolatedModel(0).changeSynchronously(IsolatedModel(0)) { $0 += 1 }
      }
    }
  #endif

  @Test("main-actor code uses a model on the main actor without waiting")
  @MainActor
  func mainActor() async {
    let model = IsolatedModel(0, isolation: MainActor.shared)
    changeSynchronously(model)
    await model.checkOnMainActor()
    await Task.detached {
      await model.checkOnMainActor()
      await model.changeAfterWaiting { $0 += 1 }
    }.value
    #expect(model.state == 2)
  }

  #if os(macOS) || os(Linux)
    @Test("if code outside the main actor uses a model on it without waiting, the process terminates")
    func offTheMainActor() async {
      await #expect(processExitsWith: .failure) {
        let model = IsolatedModel(0, isolation: MainActor.shared)
        await Task.detached { changeSynchronously(model) }.value
      }
    }
  #endif

  @Test("a model on a dispatch queue runs there, and code on the queue uses it without waiting")
  func queueIsolation() async {
    let model = IsolatedModel(0, isolation: QueueIsolation(queue))
    await model.checkOn(queue)
    await Task.detached { [queue] in await model.checkOn(queue) }.value
    queue.sync { changeSynchronously(model) }
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<250 { await model.change { $0 += 1 } }
        }
      }
      group.addTask {
        for _ in 0..<250 { queue.async { changeSynchronously(model) } }
      }
    }
    await queue.drain()
    #expect(await model.callCount == 1_251)
  }

  #if os(macOS) || os(Linux)
    @Test("if code on another queue uses the model without waiting, the process terminates")
    func anotherQueue() async {
      await #expect(processExitsWith: .failure) {
        let model = IsolatedModel(0, isolation: QueueIsolation(DispatchQueue(label: "legacy")))
        DispatchQueue(label: "another").sync { changeSynchronously(model) }
      }
    }
  #endif

  @Test("the isolation lives as long as its model and no longer, and a stream keeps neither of them alive")
  func lifetime() async throws {
    let states = try await LeakTracker.check { tracker in
      let model = tracker.track(IsolatedModel(0, isolation: tracker.track(PlainActor())))
      #expect(tracker.survivors.count == 2)
      await model.change { $0 += 1 }
      return model.states()
    }
    #expect(await states.rest() == [1])
  }

  @Test("a model and its isolation may be released while the last call is still running")
  func lastCall() async {
    await withTaskGroup { group in
      for round in 0..<2_000 {
        let isolation: any Actor = round % 2 == 0 ? PlainActor() : QueueIsolation(queue)
        let model = IsolatedModel(round, isolation: isolation)
        group.addTask { await model.changeAfterWaiting { $0 += 1 } }
        Task { await model.change { $0 += 1 } }
      }
    }
  }

  @Test("a TaskSlot runs its commit on the queue of the model's isolation")
  func slot() async {
    let model = IsolatedModel("", isolation: QueueIsolation(queue))
    let slot = TaskSlot()
    await slot.run(on: model) {
      await Task.yield()
      return "result"
    } commit: { [queue] model, outcome in
      dispatchPrecondition(condition: .onQueue(queue))
      if case .success(let text) = outcome { model.change { $0 = text } }
    }
    #expect(model.state == "result")
  }
}

private func shownState<State>(of source: some StateSource<State>) -> State { source.state }

private func changeSynchronously(_ model: IsolatedModel<Int>) {
  model.assumeIsolated { $0.change { $0 += 1 } }
}
