import AsyncViewModels
import AsyncViewModelsTesting
import Synchronization
import Testing

@Suite("observe", .timeLimit(.minutes(1)))
struct ObserveTests {
  /// An owner that writes down what it is handed.
  private actor HostedScreen {
    private(set) var shown: [Int] = []
    private var observation: CancellationToken?
    private let log: Notes?

    init(log: Notes? = nil) { self.log = log }

    func follow(_ values: AsyncStream<Int>) {
      observation = values.observe(on: self) { screen, value in screen.show(value) }
    }

    func show(_ value: Int) {
      shown.append(value)
      log?.add("\(value)")
    }

    func leave() { observation?.cancel() }

    /// Holds its isolation until the event has been taken on its behalf, then cancels.
    func cancelWhileOnItsWay(_ event: Int, of channel: EventChannel<Int>) {
      channel.keepForFirstObserver(event)
      for _ in 0..<100_000 where channel.keptCount > 0 {}
      observation?.cancel()
    }
  }

  @Test("the body runs on the owner, for each element, in order")
  func runsOnTheOwner() async throws {
    let channel = EventChannel<Int>()
    let screen = HostedScreen()
    let done = Gate(isOpen: true)
    let token = channel.stream().observe(on: screen) { screen, value in
      screen.assertIsolated()
      screen.show(value)
      if value == 100 { await done.wait() }
    }
    for value in 1...100 { channel.send(value) }
    await done.waitForArrivals(1)
    #expect(await screen.shown == Array(1...100))
    token.cancel()
  }

  @Test("a body that waits lets a stream of state go on with the latest")
  func conflation() async throws {
    let state = ObservableState(0)
    let screen = HostedScreen()
    let gate = Gate()
    let token = state.stream().observe(on: screen) { screen, value in
      screen.show(value)
      await gate.wait()
    }
    await gate.waitForArrivals(1)
    for value in 1...10 { state.send(value) }
    gate.release()
    await gate.waitForArrivals(2)
    #expect(await screen.shown == [0, 10])
    gate.open()
    token.cancel()
  }

  @Test("it ends with its source")
  func endsWithTheSource() async throws {
    let captured = LeakTracker()
    let screen = HostedScreen()
    var state: ObservableState<Int>? = ObservableState(1)
    let token = try #require(
      state.map { state in
        let object = captured.track(Reentrant(0))
        return state.stream().observe(on: screen) { screen, value in
          screen.show(value + object.number)
        }
      })
    state = nil
    try await captured.assertAllReleased()
    #expect(await screen.shown == [1])
    token.cancel()
  }

  @Test("it ends when the token is cancelled, or dropped", arguments: [true, false])
  func endsWithTheToken(byCancelling: Bool) async throws {
    let state = ObservableState(0)
    let screen = HostedScreen()
    var token: CancellationToken? = state.stream().observe(on: screen) { $0.show($1) }
    try await until { state.parkedCount == 1 }
    if byCancelling { token?.cancel() } else { token = nil }
    #expect(state.observerCount == 0)
    state.send(1)
    #expect(await screen.shown == [0])
    withExtendedLifetime(token) {}
  }

  @Test("it does not keep its owner, and an owner that keeps the token takes the observer along")
  func endsWithTheOwner() async throws {
    let state = ObservableState(0)
    try await LeakTracker.check { tracker in
      let screen = tracker.track(HostedScreen())
      await screen.follow(state.stream())
      try await until { state.parkedCount == 1 }
    }
    #expect(state.observerCount == 0)
  }

  @Test("an owner that goes away while its body waits elsewhere is let go when the body returns")
  func ownerGoesWhileBusy() async throws {
    let state = ObservableState(0)
    let gate = Gate()
    let tracker = LeakTracker()
    let token = Holder<CancellationToken>()
    do {
      let screen = tracker.track(HostedScreen())
      token.put(state.stream().observe(on: screen) { _, _ in await gate.wait() })
      await gate.waitForArrivals(1)
    }
    #expect(tracker.survivors.count == 1)
    gate.open()
    try await tracker.assertAllReleased()
    token.letGo()
  }

  @Test("an owner that goes without its token is noticed at the next element")
  func ownerWithoutToken() async throws {
    let state = ObservableState(0)
    let log = Notes()
    let token = Holder<CancellationToken>()
    try await LeakTracker.check { tracker in
      let screen = tracker.track(HostedScreen(log: log))
      token.put(state.stream().observe(on: screen) { $0.show($1) })
      try await until { state.parkedCount == 1 }
    }
    #expect(state.observerCount == 1)
    state.send(1)
    try await until { state.observerCount == 0 }
    #expect(log.all == ["0"])
    token.letGo()
  }

  @Test("after a cancel from the owner's isolation the body is not begun again")
  func nothingAfterCancel() async throws {
    for round in 1...200 {
      let channel = EventChannel<Int>()
      let screen = HostedScreen()
      await screen.follow(channel.stream())
      if round % 2 == 0 { try await until { channel.parkedCount == 1 } }
      await screen.cancelWhileOnItsWay(round, of: channel)
      try await until { channel.observerCount == 0 }
      #expect(await screen.shown == [])
    }
  }

  @Test("nor on the main actor")
  @MainActor
  func nothingAfterCancelOnTheMainActor() async throws {
    for round in 1...200 {
      let channel = EventChannel<Int>()
      let controller = Controller()
      let token = channel.stream().observe(on: controller) { $0.show($1) }
      if round % 2 == 0 { try await until { channel.parkedCount == 1 } }
      channel.keepForFirstObserver(round)
      for _ in 0..<100_000 where channel.keptCount > 0 {}
      token.cancel()
      try await until { channel.observerCount == 0 }
      await Task.yield()
      #expect(controller.shown == [])
    }
  }

  @Test("the concrete sequence can be observed as well")
  func concreteSequence() async throws {
    let state = ObservableState(0)
    let screen = HostedScreen()
    let token = state.values().observe(on: screen) { $0.show($1) }
    try await until { state.parkedCount == 1 }
    token.cancel()
    #expect(state.observerCount == 0)
    #expect(await screen.shown == [0])
  }

  /// An owner with members of the same name, as every `NSObject` has one for key-value observing.
  @MainActor
  private class ObservableObject {
    func observe(_ keyPath: String, options: Int = 0, changeHandler: () -> Void) {}
    func observe(on other: AnyObject) {}
  }

  @MainActor
  private final class Badge: ObservableObject {
    private(set) var count = 0
    private var observations: [CancellationToken] = []

    func follow(_ state: ObservableState<Int>) {
      observations = [
        state.stream().observe(on: self) { badge, value in badge.count += value },
        state.values().observe(on: self) { badge, value in badge.count += value },
      ]
    }
  }

  @Test("an owner with members called observe may be one too")
  @MainActor
  func ownerWithItsOwnObserve() async throws {
    let state = ObservableState(1)
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

  @Test("on the main actor: the body runs there, in order, and ends with the token")
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

  @Test("on the main actor: the owner is not kept, and takes the observer along")
  @MainActor
  func mainActorOwner() async throws {
    let state = ObservableState(0)
    try await LeakTracker.check { tracker in
      let controller = tracker.track(Controller())
      controller.observation = state.stream().observe(on: controller) { $0.show($1) }
      try await until { state.parkedCount == 1 }
      #expect(controller.shown == [0])
    }
    #expect(state.observerCount == 0)
  }

  @Test("on the main actor: it ends with its source, and an owner that goes without its token is noticed")
  @MainActor
  func mainActorEnds() async throws {
    let state = ObservableState(0)
    var controller: Controller? = Controller()
    let token = try #require(controller.map { state.stream().observe(on: $0) { $0.show($1) } })
    try await until { state.parkedCount == 1 }
    controller = nil
    state.send(1)
    try await until { state.observerCount == 0 }
    token.cancel()

    let captured = LeakTracker()
    let other = Controller()
    var source: ObservableState<Int>? = ObservableState(1)
    let kept = try #require(
      source.map { source in
        let object = captured.track(Reentrant(0))
        return source.stream().observe(on: other) { $0.show($1 + object.number) }
      })
    source = nil
    try await captured.assertAllReleased()
    #expect(other.shown == [1])
    kept.cancel()
  }
}
