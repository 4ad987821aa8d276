import AsyncViewModelsTesting
import Dispatch
import Testing
import ToolkitTestSupport

@testable import AsyncViewModels

/// A kept event is not lost if its observer is cancelled after the event was read and before the body runs.
@Suite(
  "EventChannel: kept events that an observer has read but not used",
  .timeLimit(.minutes(5)), .endsWaits)
struct KeptEventHandoverTests {
  private let channel = EventChannel<Int>()

  @Test(
    "if the token is cancelled, observe(on:) with an actor returns an unused event to the channel",
    arguments: [false, true])
  func actor(withCompletion: Bool) async throws {
    let queue = DispatchQueue(label: "the owner's queue")
    let owner = Owner(on: QueueIsolation(queue))
    let stream = channel.stream()
    let token = owner.observe(stream, withCompletion: withCompletion)
    try await cancelAfterRead(token, occupying: queue)
    #expect(await owner.seen.isEmpty)
  }

  @Test(
    "if the token is cancelled, observe(on:) on the main actor returns an unused event to the channel",
    arguments: [false, true])
  @MainActor
  func mainActor(withCompletion: Bool) async throws {
    let owner = MainActorOwner()
    let stream = channel.stream()
    let token = owner.observe(stream, withCompletion: withCompletion)
    try await until { channel.waitingCount == 1 }
    channel.keepForFirstObserver(1)
    // Occupies the main actor until the observation has read the event on another thread.
    while channel.keptCount > 0, !Task.isCancelled {}
    channel.keepForFirstObserver(2)
    token.cancel()
    try await expectEventsRemain()
    #expect(owner.seen.isEmpty)
  }

  @Test(
    "if the owner is deallocated, observe(on:) returns an unused event to the channel",
    arguments: [false, true])
  func formerOwner(withCompletion: Bool) async throws {
    var owner: Owner? = Owner()
    let token = owner?.observe(channel.stream(), withCompletion: withCompletion)
    try await until { channel.waitingCount == 1 }
    owner = nil
    channel.keepForFirstObserver(1)
    channel.keepForFirstObserver(2)
    // The observation ends after it has read an event.
    try await until { channel.observerCount == 0 }
    try await expectEventsRemain()
    withExtendedLifetime(token) {}
  }

  @Test(
    "if the token is cancelled before the queue calls the observer, the event returns to the channel")
  func delivered() async throws {
    let queue = DispatchQueue(label: "occupied")
    let seen = DeliveryLog<Int>()
    let token = channel.stream().observe(on: queue) { seen.append($0) }
    try await cancelAfterRead(token, occupying: queue)
    #expect(seen.values.isEmpty)
  }

  @Test("an event that the body has received is not returned, even if the body cancels the observation")
  func usedEvents() async throws {
    let (token, seen) = (Holder<CancellationToken>(), DeliveryLog<Int>())
    let owner = Owner()
    token.set(
      channel.stream().observe(on: owner) { _, event in
        seen.append(event)
        token.clear()
      })
    channel.keepForFirstObserver(1)
    try await until { channel.observerCount == 0 }
    #expect(seen.values == [1])
    #expect(channel.keptCount == 0)
  }

  @Test("an event that the body has received does not return if the next event is not used")
  func usedBeforeAnUnusedEvent() async throws {
    try await LiveObjects.scoped { liveObjects in
      let queue = DispatchQueue(label: "occupied")
      let seen = DeliveryLog<Int>()
      let token = channel.stream().observe(on: queue) { seen.append($0) }
      channel.keepForFirstObserver(1)
      try await until { seen.values == [1] && channel.waitingCount == 1 }
      queue.suspend()
      channel.send(2)
      try await until { channel.bufferedCount == 0 }
      token.cancel()
      queue.resume()
      try await until { liveObjects.count[.task, "observe on DispatchQueue"] == 0 }
    }
    #expect(channel.keptCount == 0)
  }

  @Test("compactMapOnMainActor returns an event that it has not begun to transform")
  @MainActor
  func untransformedEvent() async throws {
    let transformed = DeliveryLog<Int>()
    try await cancelAfterRead(before: transformed) { channel.keepForFirstObserver(1) }
    #expect(transformed.values.isEmpty)
    #expect(channel.keptCount == 1)
  }

  @Test("compactMapOnMainActor does not return an event that it has transformed to nil")
  @MainActor
  func transformedEvent() async throws {
    let transformed = DeliveryLog<Int>()
    channel.keepForFirstObserver(1)
    try await cancelAfterRead(before: transformed) { channel.send(2) }
    #expect(transformed.values == [1])
    #expect(channel.keptCount == 0)
  }

  @Test("a returned event resumes an observer that already waits")
  func returnedToAWaitingObserver() async throws {
    let queue = DispatchQueue(label: "occupied")
    let token = channel.stream().observe(on: queue) { _ in }
    try await until { channel.waitingCount == 1 }
    queue.suspend()
    channel.keepForFirstObserver(1)
    try await until { channel.keptCount == 0 }
    let next = StateRecorder(channel.stream())
    try await until { channel.waitingCount == 1 }
    token.cancel()
    queue.resume()
    try await next.first { $0 == 1 }
  }

  @Test("an event that the body, or a task of the body, reads from another channel is not returned to it")
  func readsInTheBody() async throws {
    let (other, read, done) = (EventChannel<Int>(), DeliveryLog<Int>(), Gate())
    other.keepForFirstObserver(10)
    other.keepForFirstObserver(11)
    let owner = Owner()
    let token = channel.stream().observe(on: owner) { _, _ in
      for await event in other.stream() {
        read.append(event)
        break
      }
      await Task {
        for await event in other.stream() {
          read.append(event)
          break
        }
      }.value
      done.open()
    }
    channel.keepForFirstObserver(1)
    await done.wait()
    token.cancel()
    try await until { channel.observerCount == 0 }
    #expect(read.values == [10, 11])
    #expect(other.keptCount == 0)
  }

  @Test("returned events stay in the order of sending, in either order of the returns", arguments: [0, 1])
  func orderOfReturns(first: Int) async throws {
    let queues = [DispatchQueue(label: "of event 1"), DispatchQueue(label: "of event 2")]
    var tokens: [CancellationToken] = []
    // Only one observer waits for an event at each time, so each queue has a known event.
    for (event, queue) in zip(1..., queues) {
      tokens.append(channel.stream().observe(on: queue) { _ in })
      queue.suspend()
      channel.keepForFirstObserver(event)
      try await until { channel.keptCount == 0 }
    }
    for (returned, index) in zip(1..., [first, 1 - first]) {
      tokens[index].cancel()
      queues[index].resume()
      try await until { channel.keptCount == returned }
    }
    try await expectEventsRemain()
  }

  @Test(
    "three returned events stay in the order of sending, in each order of the returns",
    arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
  func orderOfThree(order: [Int]) async throws {
    let storage = channel.storage
    let observers = (0..<3).map { _ in storage.makeObserver(.unbounded) }
    for event in 1...3 { channel.keepForFirstObserver(event) }
    let taken = observers.map { observer in
      let handover = EventHandover()
      let found = EventHandover.$current.withValue(handover) { observer.poll(after: .none) }
      return (found, handover)
    }
    #expect(channel.keptCount == 0)
    for index in order { taken[index].1.giveBack() }
    channel.finish()
    var events: [Int] = []
    for await event in channel.events() { events.append(event) }
    #expect(events == [1, 2, 3])
    withExtendedLifetime((observers, taken)) {}
  }

  /// Suspends the queue until the observation has read an event and has been cancelled.
  ///
  /// Expects that the channel then keeps both events again.
  private func cancelAfterRead(_ token: CancellationToken, occupying queue: DispatchQueue) async throws {
    queue.suspend()
    channel.keepForFirstObserver(1)
    try await until { channel.keptCount == 0 }
    channel.keepForFirstObserver(2)
    token.cancel()
    queue.resume()
    try await expectEventsRemain()
  }

  /// Cancels a reader that has read the event of `send`, but has not transformed it.
  @MainActor
  private func cancelAfterRead(before transformed: DeliveryLog<Int>, _ send: () -> Void) async throws {
    let events = channel.stream().compactMapOnMainActor { event -> Int? in
      transformed.append(event)
      return nil
    }
    let reader = Task { await events.forEachElement { _ in true } }
    try await until { channel.waitingCount == 1 }
    send()
    // Occupies the main actor until the reader has read the event on another thread.
    while channel.keptCount + channel.bufferedCount > 0, !Task.isCancelled {}
    reader.cancel()
    _ = await reader.value
  }

  /// Waits until the channel keeps two events again, and expects that a new observer reads them in order.
  private func expectEventsRemain() async throws {
    try await until { channel.keptCount == 2 }
    channel.finish()
    var events: [Int] = []
    for await event in channel.events() { events.append(event) }
    #expect(events == [1, 2])
  }
}

private actor Owner: ViewModelActor {
  nonisolated let modelState: ModelState<Void>
  var seen: [Int] = []

  init(on isolation: (any Actor)? = nil) { modelState = ModelState((), on: isolation) }

  nonisolated func observe(_ stream: AsyncStream<Int>, withCompletion: Bool) -> CancellationToken {
    guard withCompletion else { return stream.observe(on: self) { owner, event in owner.seen.append(event) } }
    return stream.observe(on: self) { owner, event in
      owner.seen.append(event)
    } completion: { _, _ in
    }
  }
}

@MainActor
private final class MainActorOwner {
  var seen: [Int] = []

  func observe(_ stream: AsyncStream<Int>, withCompletion: Bool) -> CancellationToken {
    guard withCompletion else { return stream.observe(on: self) { owner, event in owner.seen.append(event) } }
    return stream.observe(on: self) { owner, event in
      owner.seen.append(event)
    } completion: { _, _ in
    }
  }
}
