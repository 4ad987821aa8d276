import AsyncViewModelsSimulation

extension BugPattern {
  static let onActors = [
    lostUpdate, loadedTwice, refreshStorm, limitExceeded, loadedInInit, unorderedTasks,
  ]

  private static let lostUpdate = BugPattern(
    "actors/lost-update", "two callers read a value of an actor and write it back in separate calls",
    Thread(
      "[Actors] Reentrancy discussion and proposal",
      "https://github.com/DougGregor/swift-evolution/pull/38")
  ) { world in
    let wallet = Wallet()
    await world.inParallel { _ in
      let balance = await wallet.balance
      await wallet.set(balance + 10)
    }
    world.expectEqual(await wallet.balance, 20, "balance:")
  } repaired: { world in
    let wallet = Wallet()
    await world.inParallel { _ in await wallet.deposit(10) }
    world.expectEqual(await wallet.balance, 20, "balance:")
  }

  private actor Wallet {
    private(set) var balance = 0

    func set(_ balance: Int) { self.balance = balance }
    func deposit(_ amount: Int) { balance += amount }
  }

  private static let loadedTwice = BugPattern(
    "actors/loaded-twice",
    "an actor checks its cache before an await, so a second caller starts a second load",
    Thread(
      "Code attempts to load same image multiple times when same image occurs more than once in a view",
      "https://github.com/V8tr/AsyncImage/issues/16")
  ) { world in
    let server = Server()
    let images = Images(server: server)
    await world.inParallel { _ in _ = await images.image() }
    world.expectEqual(await server.requests, 1, "requests:")
  } repaired: { world in
    let server = Server()
    let images = Images(server: server)
    await world.inParallel { _ in _ = await images.sharedImage() }
    world.expectEqual(await server.requests, 1, "requests:")
  }

  private actor Images {
    private let server: Server
    private var loaded: Int?
    private var load: Task<Int, Never>?

    init(server: Server) { self.server = server }

    func image() async -> Int {
      if let loaded { return loaded }
      let image = await server.answer()
      loaded = image
      return image
    }

    func sharedImage() async -> Int {
      let load = load ?? Task { [server] in await server.answer() }
      self.load = load
      return await load.value
    }
  }

  /// Counts its requests. The answer is the number of the request.
  private actor Server {
    private(set) var requests = 0

    func answer() -> Int {
      requests += 1
      return requests
    }
  }

  private static let refreshStorm = BugPattern(
    "actors/refresh-storm", "two requests see an expired token, and each of them refreshes it",
    Thread(
      "Parallel refresh requests of OAuth access token.", "https://github.com/ReactiveX/RxSwift/issues/1588")
  ) { world in
    let server = Server()
    let session = Session(server: server)
    await world.inParallel { _ in if await session.isExpired { await session.refresh() } }
    world.expectEqual(await server.requests, 1, "refreshes:")
  } repaired: { world in
    let server = Server()
    let session = Session(server: server)
    await world.inParallel { _ in await session.refreshOnce() }
    world.expectEqual(await server.requests, 1, "refreshes:")
  }

  private actor Session {
    private let server: Server
    private(set) var isExpired = true
    private var refreshing: Task<Void, Never>?

    init(server: Server) { self.server = server }

    func refresh() async {
      _ = await server.answer()
      isExpired = false
    }

    func refreshOnce() async {
      if refreshing == nil, isExpired { refreshing = Task { await refresh() } }
      await refreshing?.value
    }
  }

  private static let limitExceeded = BugPattern(
    "actors/limit-exceeded",
    "a rate limiter checks and counts in separate steps, so it admits too many calls",
    Thread("Bug: Data race in Ratelimiter.", "https://github.com/RevenueCat/purchases-ios/issues/4440")
  ) { world in
    let limiter = RateLimiter(limit: 2)
    await world.inParallel(3) { _ in if await limiter.hasRoom { await limiter.count() } }
    world.expectEqual(await limiter.admitted, 2, "calls:")
  } repaired: { world in
    let limiter = RateLimiter(limit: 2)
    await world.inParallel(3) { _ in await limiter.admit() }
    world.expectEqual(await limiter.admitted, 2, "calls:")
  }

  private actor RateLimiter {
    private let limit: Int
    private(set) var admitted = 0

    init(limit: Int) { self.limit = limit }

    var hasRoom: Bool { admitted < limit }
    func count() { admitted += 1 }
    func admit() { if hasRoom { count() } }
  }

  private static let loadedInInit = BugPattern(
    "actors/loaded-in-init",
    "an initializer loads in a task, and a first call comes before the end of that task",
    Thread(
      "fix: Potential race when initializing cache.",
      "https://github.com/firebase/data-connect-ios-sdk/pull/101")
  ) { world in
    let store = Store()
    world.expectEqual(await store.value, 7, "the stored value:")
  } repaired: { world in
    let store = Store()
    world.expectEqual(await store.loadedValue(), 7, "the stored value:")
  }

  private actor Store {
    private(set) var value: Int?

    init() { Task { await load() } }

    private func load() async {
      await Task.yield()
      value = 7
    }

    func loadedValue() async -> Int? {
      if value == nil { await load() }
      return value
    }
  }

  private static let unorderedTasks = BugPattern(
    "actors/unordered-tasks",
    "a callback passes each message to an actor in a task, and the tasks overtake each other",
    Thread(
      "Fix ordering issue in subscription and change subscription to conform to AsyncSequence",
      "https://github.com/nats-io/nats.swift/pull/22")
  ) { world in
    let log = MessageLog()
    let receive: @Sendable (Int) -> Void = { message in Task { await log.append(message) } }
    for message in 1...3 { receive(message) }
    await world.settle()
    world.expectEqual(await log.messages, [1, 2, 3], "messages:")
  } repaired: { world in
    let log = MessageLog()
    let (messages, inbox) = AsyncStream<Int>.makeStream()
    let reader = world.spawn("reader") { for await message in messages { await log.append(message) } }
    for message in 1...3 { inbox.yield(message) }
    inbox.finish()
    await reader.waitForEnd()
    world.expectEqual(await log.messages, [1, 2, 3], "messages:")
  }

  private actor MessageLog {
    private(set) var messages: [Int] = []

    func append(_ message: Int) { messages.append(message) }
  }
}
