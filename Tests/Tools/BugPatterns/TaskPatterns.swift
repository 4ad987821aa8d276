import AsyncViewModelsSimulation
import Synchronization

extension BugPattern {
  static let onTasks = [
    staleResult, slowChildAwaited, waitingForItself, spinsAfterCancel, debounceNotCancelled, unawaitedChild,
  ]

  private static let staleResult = BugPattern(
    "tasks/stale-result", "a slow answer to an old query overwrites the answer to the new one",
    Thread(
      "Drop stale writes from cancelled view load tasks",
      "https://github.com/Droidective/Droidective/pull/219")
  ) { world in
    let screen = ResultScreen()
    await search(in: world) { query in await screen.show(query, from: query) }
    world.expectEqual(await screen.shown, 2, "the shown query:")
  } repaired: { world in
    let screen = ResultScreen()
    await search(in: world) { query in await screen.showIfNewer(query, from: query) }
    world.expectEqual(await screen.shown, 2, "the shown query:")
  }

  private static func search(
    in world: SimulatedWorld, show: @escaping @Sendable (_ query: Int) async -> Void
  ) async {
    await world.inParallel { query in
      await world.faults.deafLatency()
      await show(query)
    }
  }

  private actor ResultScreen {
    private(set) var shown = 0

    func show(_ result: Int, from query: Int) { shown = result }
    func showIfNewer(_ result: Int, from query: Int) { shown = max(shown, result) }
  }

  private static let slowChildAwaited = BugPattern(
    "tasks/slow-child-awaited",
    "a timeout in a task group waits for the slow child, because the group is not cancelled",
    Thread(
      "Task Group Long Running Task Prevents Early Termination",
      "https://github.com/swiftlang/swift/issues/82396")
  ) { world in
    await firstOfTwo(in: world) { _ in }
  } repaired: { world in
    await firstOfTwo(in: world) { $0.cancelAll() }
  }

  private static func firstOfTwo(
    in world: SimulatedWorld, afterFirst: @Sendable (inout TaskGroup<Void>) -> Void
  ) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await world.clock.sleep(for: .seconds(60)) }
      group.addTask { try? await world.clock.sleep(for: .seconds(1)) }
      await group.next()
      afterFirst(&group)
    }
    world.expectEqual(world.clock.now.offset, .seconds(1), "the time:")
  }

  private static let waitingForItself = BugPattern(
    "tasks/waiting-for-itself", "a token refresh sends a request that waits for the end of the refresh",
    Thread(
      "AuthenticationInterceptor blocks the refresh token request",
      "https://github.com/Alamofire/Alamofire/issues/3509"), .found(.deadlock)
  ) { world in
    let client = Client(refreshNeedsToken: true)
    await world.spawn("request") { await client.send() }.waitForEnd()
  } repaired: { world in
    let client = Client(refreshNeedsToken: false)
    await world.spawn("request") { await client.send() }.waitForEnd()
  }

  private actor Client {
    private let refreshNeedsToken: Bool
    private var refresh: Task<Void, Never>?

    init(refreshNeedsToken: Bool) { self.refreshNeedsToken = refreshNeedsToken }

    /// Sends a request. If it needs a token, waits for the refresh, which is a request, too.
    func send(needsToken: Bool = true) async {
      guard needsToken else { return }
      let refresh = refresh ?? Task { await send(needsToken: refreshNeedsToken) }
      self.refresh = refresh
      await refresh.value
    }
  }

  private static let spinsAfterCancel = BugPattern(
    "tasks/spins-after-cancel", "a polling loop ignores the error of its cancelled sleep and spins",
    Thread(
      "DuplexAsyncChannel/MPSC cancellation hang",
      "https://github.com/apple/swift-async-algorithms/issues/448"), .found(.livelock)
  ) { world in
    await poll(in: world) { isReady in
      while !isReady() {
        try? await world.clock.sleep(for: .seconds(1))
        await Task.yield()
      }
    }
  } repaired: { world in
    await poll(in: world) { isReady in
      while !isReady() { try await world.clock.sleep(for: .seconds(1)) }
    }
  }

  private static func poll(
    in world: SimulatedWorld, wait: @escaping @Sendable (_ isReady: () -> Bool) async throws -> Void
  ) async {
    let poller = world.spawn("poller") { try await wait { world.clock.now.offset >= .seconds(3) } }
    await Task.yield()
    poller.cancel()
    await poller.waitForEnd()
  }

  private static let debounceNotCancelled = BugPattern(
    "tasks/debounce-not-cancelled",
    "a debounced save does not cancel the task of the edit before, and saves twice",
    Thread("how to cancel the debounce?", "https://github.com/Tunous/DebouncedOnChange/issues/2")
  ) { world in
    await edit(in: world) { _ in }
  } repaired: { world in
    await edit(in: world) { $0?.cancel() }
  }

  private static func edit(in world: SimulatedWorld, replace: (SimulatedTask?) -> Void) async {
    let saved = Mutex<[Int]>([])
    var pending: SimulatedTask?
    for text in 1...2 {
      replace(pending)
      pending = world.spawn("save \(text)") {
        try await world.clock.sleep(for: .seconds(1))
        saved.withLock { $0.append(text) }
      }
    }
    await world.settle()
    world.expectEqual(saved.withLock(\.self), [2], "saved:")
  }

  private static let unawaitedChild = BugPattern(
    "tasks/unawaited-child",
    "a function starts a save with `async let` and returns without an await, which cancels it",
    Thread("Update 0317-async-let", "https://github.com/swiftlang/swift-evolution/pull/1661")
  ) { world in
    let disk = Disk()
    let close = world.spawn("close") {
      async let _ = disk.save(in: world)
      await Task.yield()
    }
    await close.waitForEnd()
    world.expectEqual(disk.isSaved, true, "saved:")
  } repaired: { world in
    let disk = Disk()
    let close = world.spawn("close") {
      async let save: Void = disk.save(in: world)
      await Task.yield()
      await save
    }
    await close.waitForEnd()
    world.expectEqual(disk.isSaved, true, "saved:")
  }

  private final class Disk: Sendable {
    private let saved = Mutex(false)

    var isSaved: Bool { saved.withLock(\.self) }

    func save(in world: SimulatedWorld) async {
      guard (try? await world.clock.sleep(for: .seconds(1))) != nil else { return }
      saved.withLock { $0 = true }
    }
  }
}
