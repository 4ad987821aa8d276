import AsyncViewModelsTesting
import AsyncViewModelsUI
import Dispatch
import Foundation
import Testing
import ToolkitTestSupport

/// How many values a `StateMirror` delivers in one turn of the main actor.
@Suite("StateMirror: turns of the main actor", .timeLimit(.minutes(5)), .endsWaits)
@MainActor
struct StateMirrorTurnTests {
  /// Counts deliveries in the same turn as the delivery before.
  @MainActor
  private final class Turns {
    private(set) var last = 0
    private(set) var deliveries = 0
    private(set) var repetitions = 0
    private var isDelivered = false

    func deliver(_ value: Int) {
      last = value
      deliveries += 1
      if isDelivered { repetitions += 1 }
      isDelivered = true
      // The jobs of the main actor run in the order in which they are enqueued. So this job runs before a later
      // delivery, unless that delivery is in this turn.
      Task { @MainActor in isDelivered = false }
    }
  }

  private func bind(_ observed: StateMirror<Int>) -> (Turns, CancellationToken) {
    let turns = Turns()
    let token = observed.bind(on: turns) { turns, value in if value > 0 { turns.deliver(value) } }
    return (turns, token)
  }

  @Test("each element of a sequence is delivered in a separate turn, also if all elements are available")
  func availableElements() async throws {
    let state = StateStore(0)
    let (buffered, latest) = (state.values(.unbounded), state.values())
    for value in 1...100 { state.send(value) }
    for (values, count) in [(buffered, 100), (latest, 1)] {
      let observed = StateMirror(0, values)
      let (turns, token) = bind(observed)
      try await until { turns.last == 100 }
      #expect(turns.deliveries == count)
      #expect(turns.repetitions == 0)
      token.cancel()
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

  @Test("all reads in one turn return one value, although another thread changes the model")
  func oneValueInATurn() async throws {
    let model = StateModel(0)
    let objects = [
      StateMirror(model), StateMirror(model, of: \.self), StateMirror(model, of: { $0 * 1 }),
    ]
    for round in 1...50 {
      let first = objects.map(\.value)
      #expect(first == Array(repeating: model.state, count: 3))
      onAnotherThread { model.send(round * 10) }
      #expect(objects.map(\.value) == first)
      onAnotherThread { model.store.update { $0 += 1 } }
      #expect(objects.map(\.value) == first)
      await Task.yield()
      #expect(objects.map(\.value) == Array(repeating: round * 10 + 1, count: 3))
      if round % 2 == 0 { await Task.yield() }
    }
  }

  @Test("a change by the main thread is read in the same turn, also after changes by other threads")
  func ownChange() async throws {
    let (model, queue) = (StateModel(0), DispatchQueue(label: "model"))
    let (whole, distinct) = (StateMirror(model), StateMirror(model, of: \.self))
    for round in 1...50 {
      #expect(whole.value == distinct.value)
      onAnotherThread { model.send(-round) }
      switch round % 3 {
      case 0: model.send(round)
      case 1: queue.sync { model.send(round) }
      default: model.store.update { $0 = round }
      }
      #expect(whole.value == round)
      onAnotherThread { model.send(-round) }
      #expect((whole.value, distinct.value) == (round, -round), "the second object reads after all changes")
      await Task.yield()
    }
  }

  @Test("a turn reads no older value than the code that has started it")
  func startedByASender() async throws {
    let model = StateModel(0)
    let (whole, distinct) = (StateMirror(model), StateMirror(model, of: \.self))
    let seen = SeenValues<[Int]>()
    for round in 1...50 {
      onAnotherThread {
        model.send(round)
        Task { @MainActor in seen.values.append([whole.value, distinct.value]) }
      }
      // This turn began before the job was enqueued, and may read an older or a newer value.
      onAnotherThread { model.send(-round) }
      _ = whole.value
      try await until { seen.values.count == round }
      #expect(seen.values.last == [-round, -round])
      _ = whole.value
      onAnotherThread {
        model.send(1_000 + round)
        Task { @MainActor in seen.values.append([whole.value, distinct.value]) }
      }
      try await until { seen.values.count == round + 1 }
      #expect(seen.values.popLast() == [1_000 + round, 1_000 + round])
    }
  }

  @Test("a job between the reads of two objects reads its own change")
  func jobBetweenTwoReads() async throws {
    let model = StateModel(0)
    let (first, second) = (StateMirror(model), StateMirror(model))
    let seen = SeenValues<Int>()
    _ = first.value
    Task { @MainActor in
      model.send(7)
      seen.values.append(second.value)
    }
    _ = second.value
    try await until { !seen.values.isEmpty }
    #expect(seen.values == [7])
  }

  @Test("a value that was read is released after the turn, and after its delivery")
  func releasedAfterTheTurn() async throws {
    try await LeakTracker.check { tracker in
      let model = StateModel(tracker.track(Reentrant(0)))
      let (whole, distinct) = (StateMirror(model), StateMirror(model, of: \.self) { $0 === $1 })
      #expect(whole.value.number == 0)
      #expect(distinct.value.number == 0)
      let seen = SeenValues<Int>()
      let token = distinct.bind(on: seen) { $0.values.append($1.number) }
      model.send(tracker.track(Reentrant(1)))
      try await until { seen.values.last == 1 }
      #expect(whole.value.number == 1)
      try await until { tracker.survivors.count == 1 }
      withExtendedLifetime((whole, distinct, token)) {}
    }
  }

  @Test("a view model that changes all the time is delivered at most once in each turn")
  func busyModel() async throws {
    let model = StateModel(0)
    let objects = [
      StateMirror(model), StateMirror(model, of: \.self), StateMirror(0, model.store.values()),
    ]
    let bindings = objects.map(bind)
    for round in 1...50 {
      let sender = Task.detached { for value in 1...200 { model.send(round * 1_000 + value) } }
      await sender.value
      try await until { bindings.allSatisfy { $0.0.last == round * 1_000 + 200 } }
    }
    #expect(bindings.map { $0.0.repetitions } == [0, 0, 0])
    withExtendedLifetime((objects, bindings)) {}
  }

  @Test("a change that a binding makes is delivered in a later turn", arguments: [true, false])
  func changeInABinding(ofAModel: Bool) async throws {
    let (model, turns) = (StateModel(1), Turns())
    let observed = ofAModel ? StateMirror(model, of: \.self) : StateMirror(0, model.store.values())
    let token = observed.bind(on: turns) { turns, value in
      if value > 1 { turns.deliver(value) }
      if value == model.state, value < 100 { model.send(value + 1) }
    }
    try await until { turns.last == 100 }
    #expect(turns.repetitions == 0)
    token.cancel()
  }

  @Test("while a sender is faster than the main actor, other code of the main actor still runs")
  func otherCodeRuns() async throws {
    let state = StateStore(0)
    let observed = StateMirror(0, state.values())
    let sender = Task.detached {
      while !Task.isCancelled { state.update { $0 += 1 } }
    }
    for _ in 0..<100 { await Task.yield() }
    sender.cancel()
    await sender.value
    try await until { observed.value == state.value }
  }

  @Test(
    "after the release of the object on the main actor, an element that was read before is not delivered")
  func releasedBeforeADelivery() async throws {
    let (observed, seen, captured) = (Holder<StateMirror<Int>>(), SeenValues<Int>(), LeakTracker())
    let source = SingleRead<Never>(.success(1)) { Task { @MainActor in observed.clear() } }
    var token: CancellationToken?
    func follow() {
      let object = captured.track(StateMirror(0, source))
      token = object.bind(on: seen) { $0.values.append($1) }
      observed.set(object)
    }
    follow()
    source.gate.open()
    try await captured.assertAllReleased()
    #expect(seen.values == [0])
    token?.cancel()
  }

  @Test("the object ends the observation of its sequence, and gives a kept event back that it cannot use")
  func keptEvent() async throws {
    let channel = EventChannel<Int>()
    var observed: StateMirror<Int>? = StateMirror(0, channel.events())
    channel.keepForFirstObserver(1)
    // The main actor is busy until the object is released, so the element is not delivered.
    observed = nil
    #expect(observed == nil)
    try await until { channel.observerCount == 0 }
    let events = channel.stream()
    #expect(await events.next() == 1)
  }
}
