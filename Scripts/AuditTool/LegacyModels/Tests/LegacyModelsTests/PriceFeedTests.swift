import AsyncViewModelsSimulation
import PriceFeed
import Testing

@Suite("price feed: a socket that connects again", .timeLimit(.minutes(5)))
struct PriceFeedTests {
  private final class Socket: PriceSocket {
    weak var delegate: PriceSocketDelegate?
    let subscriptions = Requests<[String], Error?>()
    private(set) var isOpen = false

    func open() { isOpen = true }
    func subscribe(to symbols: [String], completion: @escaping (Error?) -> Void) {
      subscriptions.add(symbols, completion)
    }
    func close() { isOpen = false }
  }

  private final class Sockets: PriceSocketFactory {
    private(set) var made: [Socket] = []
    private(set) var times: [Duration] = []
    private let clock: VirtualClock
    private let start: VirtualClock.Instant

    init(_ clock: VirtualClock) {
      self.clock = clock
      start = clock.now
    }

    func makeSocket() -> PriceSocket {
      made.append(Socket())
      times.append(start.duration(to: clock.now))
      return made.last!
    }

    var last: Socket { made.last! }

    /// Opens the last socket, and answers its subscription.
    func connect(in world: SimulatedWorld) async {
      await world.onService { last.delegate?.socketDidOpen(last) }
      await world.onService { last.subscriptions.answer(0, nil) }
    }

    func fail(in world: SimulatedWorld) async {
      await world.onService { last.delegate?.socket(last, didCloseWith: ServiceError()) }
    }

    func send(_ price: Double, in world: SimulatedWorld) async {
      await world.onService { last.delegate?.socket(last, didReceive: Quote(symbol: "TEA", price: price)) }
    }
  }

  private static func screen(_ sockets: Sockets) -> PriceFeedScreen {
    PriceFeedScreen(viewModel: PriceFeedViewModel(factory: sockets, symbols: ["TEA", "JAM"]))
  }

  @Test("quotes appear after the subscription")
  func quotes() async throws {
    try await inAnyOrder { world in
      let sockets = Sockets(world.clock)
      let screen = Self.screen(sockets)
      await world.onMain { screen.viewWillAppear() }
      await world.onMain { screen.viewWillAppear() }
      await sockets.connect(in: world)
      await sockets.send(1, in: world)
      await sockets.send(2, in: world)
      world.expectEqual(sockets.made.count, 1)
      world.expectEqual(sockets.last.subscriptions.inputs, [["TEA", "JAM"]])
      world.expectEqual(screen.drawn, ["connecting(attempt: 1)", "live", "TEA 1.0", "TEA 2.0"])
      await world.onMain { screen.viewDidDisappear() }
    }
  }

  @Test("a lost connection is made again after growing pauses")
  func reconnects() async throws {
    try await inAnyOrder { world in
      let sockets = Sockets(world.clock)
      let screen = Self.screen(sockets)
      await world.onMain { screen.viewWillAppear() }
      for pause in [1, 2, 4, 8, 8] {
        await sockets.fail(in: world)
        try await world.pass(.seconds(pause))
      }
      world.expectEqual(sockets.times, [0, 1, 3, 7, 15, 23].map { .seconds($0) })
      world.expectEqual(screen.drawn, (1...6).map { "connecting(attempt: \($0))" })
      await world.onMain { screen.viewDidDisappear() }
    }
  }

  @Test("after a connection, the pauses begin with a second")
  func pausesAfterConnection() async throws {
    try await inAnyOrder { world in
      let sockets = Sockets(world.clock)
      let screen = Self.screen(sockets)
      await world.onMain { screen.viewWillAppear() }
      for pause in [1, 2] {
        await sockets.fail(in: world)
        try await world.pass(.seconds(pause))
      }
      await sockets.connect(in: world)
      await sockets.fail(in: world)
      try await world.pass(.seconds(1))
      world.expectEqual(sockets.times, [0, 1, 3, 4].map { .seconds($0) })
      world.expectEqual(screen.drawn.suffix(2), ["live", "connecting(attempt: 2)"])
      await world.onMain { screen.viewDidDisappear() }
    }
  }

  @Test("a quiet feed becomes stale, and live again with the next quote")
  func silence() async throws {
    try await inAnyOrder { world in
      let sockets = Sockets(world.clock)
      let screen = Self.screen(sockets)
      await world.onMain { screen.viewWillAppear() }
      await sockets.connect(in: world)
      try await world.pass(.seconds(14))
      await sockets.send(1, in: world)
      try await world.pass(.seconds(14))
      world.expectEqual(screen.drawn.last, "TEA 1.0")
      try await world.pass(.seconds(1))
      world.expectEqual(screen.drawn.last, "stale")
      await sockets.send(2, in: world)
      world.expectEqual(screen.drawn.suffix(2), ["live", "TEA 2.0"])
      await world.onMain { screen.viewDidDisappear() }
    }
  }

  @Test("a stopped feed ignores its socket, and does not connect again")
  func stop() async throws {
    try await inAnyOrder { world in
      let sockets = Sockets(world.clock)
      let screen = Self.screen(sockets)
      await world.onMain { screen.viewWillAppear() }
      await sockets.connect(in: world)
      let delegate = sockets.last.delegate
      await world.onMain { screen.viewDidDisappear() }
      world.expect(!sockets.last.isOpen)
      await world.onService { delegate?.socket(sockets.last, didReceive: Quote(symbol: "TEA", price: 1)) }
      await world.onService { delegate?.socket(sockets.last, didCloseWith: nil) }
      try await world.pass(.seconds(60))
      world.expectEqual(screen.drawn, ["connecting(attempt: 1)", "live", "offline"])
    }
  }

  @Test("a stop during a pause ends the attempts, and a start begins with the first")
  func stopDuringPause() async throws {
    try await inAnyOrder { world in
      let sockets = Sockets(world.clock)
      let screen = Self.screen(sockets)
      await world.onMain { screen.viewWillAppear() }
      await sockets.fail(in: world)
      await world.onMain { screen.viewDidDisappear() }
      try await world.pass(.seconds(60))
      await world.onMain { screen.viewWillAppear() }
      world.expectEqual(screen.drawn, ["connecting(attempt: 1)", "offline", "connecting(attempt: 1)"])
      await world.onMain { screen.viewDidDisappear() }
    }
  }
}
