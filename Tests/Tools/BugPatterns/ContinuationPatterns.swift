import AsyncViewModelsSimulation
import Synchronization

extension BugPattern {
  static let onContinuations = [resumedTwice, lostWakeUp, waiterOverwritten, neverAnswered]

  private static let resumedTwice = BugPattern(
    "continuations/resumed-twice", "an answer and a timeout both resume the caller",
    Thread(
      "RelayClient.waitForSubscriptionResponse can resume its continuation twice when timeout races a response",
      "https://github.com/reown-com/reown-swift/issues/339")
  ) { world in
    await answers(in: world, claims: false)
  } repaired: { world in
    await answers(in: world, claims: true)
  }

  /// Counts how often the caller is resumed. A second resume of a real continuation would end the process.
  private static func answers(in world: SimulatedWorld, claims: Bool) async {
    let resumed = Mutex(0)
    let isWaiting = Mutex(true)
    await world.inParallel { _ in
      try await world.faults.latency()
      let mayResume = isWaiting.withLock { isWaiting in
        defer { if claims { isWaiting = false } }
        return isWaiting
      }
      guard mayResume else { return }
      await Task.yield()
      resumed.withLock { $0 += 1 }
      isWaiting.withLock { $0 = false }
    }
    world.expectEqual(resumed.withLock(\.self), 1, "resumed:")
  }

  private static let lostWakeUp = BugPattern(
    "continuations/lost-wake-up",
    "a signal comes after a waiter has looked for it and before it is registered",
    Thread("Fix cancellation race in _SlotSignal wait path", "https://github.com/thoven87/strand/pull/24"),
    .found(.deadlock)
  ) { world in
    let signal = Signal()
    let waiter = world.spawn("waiter") {
      guard await !signal.isSet else { return }
      await Task.yield()
      await signal.wait()
    }
    world.spawn("signaller") { await signal.set() }
    await waiter.waitForEnd()
  } repaired: { world in
    let signal = Signal()
    let waiter = world.spawn("waiter") { await signal.waitUnlessSet() }
    world.spawn("signaller") { await signal.set() }
    await waiter.waitForEnd()
  }

  private actor Signal {
    private(set) var isSet = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    func wait() async { await withCheckedContinuation { waiters.append($0) } }

    func waitUnlessSet() async { if !isSet { await wait() } }

    func set() {
      isSet = true
      for waiter in waiters { waiter.resume() }
      waiters = []
    }
  }

  private static let waiterOverwritten = BugPattern(
    "continuations/waiter-overwritten",
    "a second waiter overwrites the continuation of the first, which waits forever",
    Thread(
      "ConnectionPool: fix continuation leak when idle-timer reschedules",
      "https://github.com/vapor/postgres-nio/pull/641"), .found(.deadlock)
  ) { world in
    let waiters = Mutex<[Int: CheckedContinuation<Void, Never>]>([:])
    // Keeps the forgotten continuation alive, because the runtime prints a warning when it ends.
    let forgotten = Mutex<[CheckedContinuation<Void, Never>]>([])
    await rendezvous(in: world, waiters) { _, continuation in
      waiters.withLock { all in
        if let old = all.updateValue(continuation, forKey: 0) { forgotten.withLock { $0.append(old) } }
      }
    }
  } repaired: { world in
    let waiters = Mutex<[Int: CheckedContinuation<Void, Never>]>([:])
    await rendezvous(in: world, waiters) { number, continuation in
      waiters.withLock { $0[number] = continuation }
    }
  }

  private static func rendezvous(
    in world: SimulatedWorld, _ waiters: borrowing Mutex<[Int: CheckedContinuation<Void, Never>]>,
    store: @escaping @Sendable (Int, CheckedContinuation<Void, Never>) -> Void
  ) async {
    let tasks = (1...2).map { number in
      world.spawn("waiter \(number)") { await withCheckedContinuation { store(number, $0) } }
    }
    await world.settle()
    let waiting = waiters.withLock { all in
      defer { all = [:] }
      return all.sorted { $0.key < $1.key }.map(\.value)
    }
    for waiter in waiting { waiter.resume() }
    for task in tasks { await task.waitForEnd() }
  }

  private static let neverAnswered = BugPattern(
    "continuations/never-answered",
    "a disposed subscription calls back neither with a value nor with an error",
    Thread("Value leaks its continuation", "https://github.com/ReactiveX/RxSwift/issues/2426"),
    .found(.deadlock)
  ) { world in
    let subscription = Subscription(answersDispose: false)
    await dispose(subscription, in: world)
  } repaired: { world in
    let subscription = Subscription(answersDispose: true)
    await dispose(subscription, in: world)
  }

  private static func dispose(_ subscription: Subscription, in world: SimulatedWorld) async {
    let caller = world.spawn("caller") { await withCheckedContinuation { subscription.subscribe($0) } }
    let answer = world.spawn("answer") { subscription.answer() }
    let disposal = world.spawn("disposal", canBeLeftOut: true) { subscription.dispose() }
    for task in [answer, disposal] { await task.waitForEnd() }
    await world.settle()
    subscription.answer()
    await caller.waitForEnd()
  }

  private final class Subscription: Sendable {
    private struct State {
      var isDisposed = false
      var caller: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    private let answersDispose: Bool

    init(answersDispose: Bool) { self.answersDispose = answersDispose }

    func subscribe(_ caller: CheckedContinuation<Void, Never>) {
      let isDisposed = state.withLock { state in
        if !state.isDisposed || !answersDispose { state.caller = caller }
        return state.isDisposed
      }
      if isDisposed, answersDispose { caller.resume() }
    }

    func answer() { if let caller = takeCaller(unlessDisposed: true) { caller.resume() } }

    func dispose() {
      state.withLock { $0.isDisposed = true }
      if answersDispose { takeCaller(unlessDisposed: false)?.resume() }
    }

    private func takeCaller(unlessDisposed: Bool) -> CheckedContinuation<Void, Never>? {
      state.withLock { state in
        guard !(unlessDisposed && state.isDisposed) else { return nil }
        return state.caller.take()
      }
    }
  }
}
