import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Synchronization
import Testing
import ToolkitTestSupport

@Suite("observe(on:)", .timeLimit(.minutes(5)), .endsWaits)
struct ObserveTests {
  /// An owner that records the values that it receives.
  private actor RecordingOwner {
    private(set) var shown: [Int] = []
    private var observation: CancellationToken?
    private let log: Notes?

    init(log: Notes? = nil) { self.log = log }

    func follow(_ values: AsyncStream<Int>) {
      observation = values.observe(on: self) { owner, value in owner.show(value) }
    }

    func show(_ value: Int) {
      shown.append(value)
      log?.add("\(value)")
    }

    func leave() { observation?.cancel() }
  }

  @Test("the body runs on the owner for each element in order")
  func runsOnTheOwner() async throws {
    let channel = EventChannel<Int>()
    let owner = RecordingOwner()
    let done = Gate(isOpen: true)
    let token = channel.stream().observe(on: owner) { owner, value in
      owner.assertIsolated()
      owner.show(value)
      if value == 100 { await done.wait() }
    }
    for value in 1...100 { channel.send(value) }
    await done.waitForArrivals(1)
    #expect(await owner.shown == Array(1...100))
    token.cancel()
  }

  private actor CountedOwner {
    nonisolated let executor = JobCountingExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
  }

  @Test("without a completion, the end of a sequence runs nothing on the owner")
  func endWithoutCompletion() async {
    let (owner, ended) = (CountedOwner(), Gate())
    let (values, continuation) = AsyncStream.makeStream(of: Int.self)
    for value in 1...2 { continuation.yield(value) }
    continuation.finish()
    let token = values.observe(on: owner) { [body = Reentrant(0) { ended.open() }] _, _ in
      withExtendedLifetime(body) {}
    }
    await ended.wait()
    #expect(owner.executor.jobCount == 2)
    withExtendedLifetime(token) {}
  }

  @Test("an observer that is cancelled in its body leaves a stream that is kept elsewhere")
  func cancelledInItsBody() async throws {
    let channel = EventChannel<Int>()
    let (stream, values) = (channel.stream(), channel.events())
    let (owner, gate) = (RecordingOwner(), Gate())
    let tokens = [
      stream.observe(on: owner) { _, _ in await gate.wait() },
      values.observe(on: owner) { _, _ in await gate.wait() },
    ]
    channel.send(1)
    await gate.waitForArrivals(2)
    for token in tokens { token.cancel() }
    gate.open()
    try await until { channel.observerCount == 0 }
    withExtendedLifetime((stream, values)) {}
  }

  @Test("an observer whose owner is gone leaves a stream that is kept elsewhere, at the next element")
  func leavesAfterItsOwner() async throws {
    let channel = EventChannel<Int>()
    let stream = channel.stream()
    let token = stream.observe(on: RecordingOwner()) { owner, value in owner.show(value) }
    channel.send(1)
    try await until { channel.observerCount == 0 }
    withExtendedLifetime((stream, token)) {}
  }

  @Test("for a main-actor owner, observe(on:) reads the sequence on the main actor")
  @MainActor
  func readsOnTheMainActor() async throws {
    final class Owner {
      var seen: [Int] = []
    }
    let owner = Owner()
    let token = MainActorSequence().observe(on: owner) { owner, value in owner.seen.append(value) }
    try await until { owner.seen == [1, 2, 3] }
    withExtendedLifetime(token) {}
  }

  /// A sequence whose iterator expects to be called on the main actor.
  private struct MainActorSequence: AsyncSequence, Sendable {
    struct AsyncIterator: AsyncIteratorProtocol {
      private var last = 0

      mutating func next() async -> Int? { await next(isolation: nil) }

      mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
        #expect(actor === MainActor.shared)
        last += 1
        return last <= 3 ? last : nil
      }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
  }

  @Test("while the body waits, a state stream continues with the latest value")
  func conflation() async throws {
    let state = StateStore(0)
    let owner = RecordingOwner()
    let gate = Gate()
    let token = state.states().observe(on: owner) { owner, value in
      owner.show(value)
      await gate.wait()
    }
    await gate.waitForArrivals(1)
    for value in 1...10 { state.send(value) }
    gate.release()
    await gate.waitForArrivals(2)
    #expect(await owner.shown == [0, 10])
    gate.open()
    token.cancel()
  }

  @Test("the observation ends with its source")
  func endsWithTheSource() async throws {
    let captured = LeakTracker()
    let owner = RecordingOwner()
    var state: StateStore<Int>? = StateStore(1)
    let token = try #require(
      state.map { state in
        let object = captured.track(Reentrant(0))
        return state.states().observe(on: owner) { owner, value in
          owner.show(value + object.number)
        }
      })
    state = nil
    try await captured.assertAllReleased()
    #expect(await owner.shown == [1])
    token.cancel()
  }

  @Test("the observation ends when its token is cancelled or dropped", arguments: [true, false])
  func endsWithTheToken(byCancelling: Bool) async throws {
    let state = StateStore(0)
    let owner = RecordingOwner()
    var token: CancellationToken? = state.states().observe(on: owner) { $0.show($1) }
    try await until { state.waitingCount == 1 }
    if byCancelling { token?.cancel() } else { token = nil }
    #expect(state.observerCount == 0)
    state.send(1)
    #expect(await owner.shown == [0])
    withExtendedLifetime(token) {}
  }

  @Test("the observation does not keep its owner alive and ends with an owner that stores the token")
  func endsWithTheOwner() async throws {
    let state = StateStore(0)
    try await LeakTracker.check { tracker in
      let owner = tracker.track(RecordingOwner())
      await owner.follow(state.states())
      try await until { state.waitingCount == 1 }
    }
    // The owner's `deinit`, which ends the observation, may still run on the thread that ran the owner last.
    try await until { state.observerCount == 0 }
  }

  @Test("an owner that is dropped while the body waits is released when the body returns")
  func ownerDroppedWhileBusy() async throws {
    let state = StateStore(0)
    let gate = Gate()
    let tracker = LeakTracker()
    let token = Holder<CancellationToken>()
    do {
      let owner = tracker.track(RecordingOwner())
      token.set(state.states().observe(on: owner) { _, _ in await gate.wait() })
      await gate.waitForArrivals(1)
    }
    #expect(tracker.survivors.count == 1)
    gate.open()
    try await tracker.assertAllReleased()
    token.clear()
  }

  @Test("if the token outlives the owner, the observation ends at the next element")
  func tokenOutlivesTheOwner() async throws {
    let state = StateStore(0)
    let log = Notes()
    let token = Holder<CancellationToken>()
    try await LeakTracker.check { tracker in
      let owner = tracker.track(RecordingOwner(log: log))
      token.set(state.states().observe(on: owner) { $0.show($1) })
      try await until { state.waitingCount == 1 }
    }
    #expect(state.observerCount == 1)
    state.send(1)
    try await until { state.observerCount == 0 }
    #expect(log.all == ["0"])
    token.clear()
  }

  @Test("after a cancel in the owner's isolation, the body does not run for an element that was already read")
  func nothingAfterCancel() async throws {
    let (queue, log, captured) = (DispatchQueue(label: "owner"), Notes(), LeakTracker())
    let (owner, token) = (QueueOwner(queue), Holder<CancellationToken>())
    let source = SingleRead<Never>(.success(1)) { queue.async { token.value?.cancel() } }
    func follow() {
      let object = captured.track(Reentrant(1))
      token.set(source.observe(on: owner) { _, value in log.add("\(value) of \(object.number)") })
    }
    follow()
    source.gate.open()
    try await captured.assertAllReleased()
    #expect(log.all == [])
    withExtendedLifetime(owner) {}
  }

  @Test("after a cancel on the main actor, the body does not run for an element that was already read")
  @MainActor
  func nothingAfterCancelOnTheMainActor() async throws {
    let (controller, captured) = (Controller(), LeakTracker())
    let token = Holder<CancellationToken>()
    let source = SingleRead<Never>(.success(1)) { Task { @MainActor in token.value?.cancel() } }
    func follow() {
      let object = captured.track(Reentrant(1))
      token.set(source.observe(on: controller) { $0.show($1 + object.number) })
    }
    follow()
    source.gate.open()
    try await captured.assertAllReleased()
    #expect(controller.shown == [])
  }

  @Test("a sequence from `values()` can be observed like a stream")
  func concreteSequence() async throws {
    let state = StateStore(0)
    let owner = RecordingOwner()
    let token = state.values().observe(on: owner) { $0.show($1) }
    try await until { state.waitingCount == 1 }
    token.cancel()
    #expect(state.observerCount == 0)
    #expect(await owner.shown == [0])
  }

  /// A class with its own `observe` methods, like `NSObject`, which has one for key-value observing.
  @MainActor
  private class ObservableObject {
    func observe(_ keyPath: String, options: Int = 0, changeHandler: () -> Void) {}
    func observe(on other: AnyObject) {}
  }

  @MainActor
  private final class Badge: ObservableObject {
    private(set) var count = 0
    private var observations: [CancellationToken] = []

    func follow(_ state: StateStore<Int>) {
      observations = [
        state.states().observe(on: self) { badge, value in badge.count += value },
        state.values().observe(on: self) { badge, value in badge.count += value },
      ]
    }
  }

  @Test("an owner may have its own methods named observe")
  @MainActor
  func ownerWithItsOwnObserve() async throws {
    let state = StateStore(1)
    try await LeakTracker.check { tracker in
      let badge = tracker.track(Badge())
      badge.follow(state)
      try await until { badge.count == 2 }
    }
    try await until { state.observerCount == 0 }
  }

  @MainActor
  private final class Controller {
    private(set) var shown: [Int] = []
    var observation: CancellationToken?

    func show(_ value: Int) { shown.append(value) }
  }

  @Test("for a main-actor owner, the body runs on the main actor in order until the token is cancelled")
  @MainActor
  func mainActor() async throws {
    let channel = EventChannel<Int>()
    let controller = Controller()
    let token = channel.stream().observe(on: controller) { controller, value in
      MainActor.assertIsolated()
      controller.show(value)
    }
    for value in 1...20 { channel.send(value) }
    try await until { controller.shown.count == 20 }
    #expect(controller.shown == Array(1...20))
    channel.send(21)
    token.cancel()
    try await until { channel.observerCount == 0 }
    #expect(controller.shown == Array(1...20))
  }

  @Test("the observation does not keep a main-actor owner alive, and ends when the owner is released")
  @MainActor
  func mainActorOwner() async throws {
    let state = StateStore(0)
    try await LeakTracker.check { tracker in
      let controller = tracker.track(Controller())
      controller.observation = state.states().observe(on: controller) { $0.show($1) }
      try await until { state.waitingCount == 1 }
      #expect(controller.shown == [0])
    }
    #expect(state.observerCount == 0)
  }

  @Test("a main-actor observation ends with its source, or at the first element after the owner's release")
  @MainActor
  func mainActorEnds() async throws {
    let state = StateStore(0)
    var controller: Controller? = Controller()
    let token = try #require(controller.map { state.states().observe(on: $0) { $0.show($1) } })
    try await until { state.waitingCount == 1 }
    controller = nil
    state.send(1)
    try await until { state.observerCount == 0 }
    token.cancel()

    let captured = LeakTracker()
    let other = Controller()
    var source: StateStore<Int>? = StateStore(1)
    let kept = try #require(
      source.map { source in
        let object = captured.track(Reentrant(0))
        return source.states().observe(on: other) { $0.show($1 + object.number) }
      })
    source = nil
    try await captured.assertAllReleased()
    #expect(other.shown == [1])
    kept.cancel()
  }
}
