import AsyncViewModels
import Synchronization

extension StressProgram {
  static var observedStates: [StressProgram] {
    [
      StressProgram(
        name: "observed-state",
        summary: "observed states and their bindings receive the last value of senders on any thread",
        run: following),
      StressProgram(
        name: "observed-state-end",
        summary:
          "observed states, targets and tokens can be released on any thread, and release their captures",
        run: ending),
    ]
  }

  private struct Cart: Equatable, Sendable {
    var count = 0
    var title: String { "a cart with about this many items: \(count / 4)" }
  }

  @MainActor
  private final class Label {
    var text: String?
    var title = ""
    var counts: [Int] = []

    var isOrdered: Bool { zip(counts, counts.dropFirst()).allSatisfy { $0 <= $1 } }
  }

  private static func following(load: Load) async throws {
    let state = ObservableState(Cart())
    let rounds = 1_000_000 / load.tasks
    try await load.inParallel { task in
      if task % 2 == 0 { return try await observe(state, to: load.tasks / 2 * rounds) }
      for round in 1...rounds {
        state.update { $0.count += 1 }
        if round % 16 == 0 { await Task.yield() }
      }
    }
    await until { state.observerCount == 0 }
  }

  @MainActor
  private static func observe(_ state: ObservableState<Cart>, to last: Int) async throws {
    let whole = ObservedState(state.value, state.stream())
    let part = ObservedState(state.value, state.stream(), of: \.count)
    let coarse = ObservedState(
      state.value, state.values(), of: { $0.title }, by: { $0.count == $1.count && $0 == $1 })
    let label = Label()
    let tokens = [
      whole.bind(on: label) { label, cart in label.counts.append(cart.count) },
      whole.bind(\.title, to: \.title, on: label),
      whole.bind(\.title, to: \.text, on: label),
    ]
    try expect(label.title == label.text && label.counts.count == 1, "a binding did not run immediately")
    await untilOnMain {
      whole.value.count == last && part.value == last && coarse.value == Cart(count: last).title
    }
    try expect(
      label.isOrdered && label.counts.last == last, "a binding received an older value or missed the last one"
    )
    try expectEqual(label.title, Cart(count: last).title, "a bound property")
    try expectEqual(label.text, Cart(count: last).title, "a bound optional property")
    withExtendedLifetime((whole, part, coarse, tokens)) {}
  }

  private static func ending(load: Load) async throws {
    let state = ObservableState(Cart())
    let live = Tally()
    let isDone = Atomic(false)
    let sender = Task.detached {
      while !isDone.load(ordering: .relaxed) {
        for _ in 0..<32 { state.update { $0.count += 1 } }
        await Task.yield()
      }
    }
    try await load.inParallel { task in
      for round in 0..<(1_200 / load.tasks) { try await bindAndLeave(state, live, round + task) }
    }
    isDone.store(true, ordering: .relaxed)
    await sender.value
    await until { live.value == 0 && state.observerCount == 0 }
  }

  @MainActor
  private static func bindAndLeave(_ state: ObservableState<Cart>, _ live: Tally, _ round: Int) async throws {
    var observed: ObservedState<Cart>? = ObservedState(state.value, state.stream())
    var target: Label? = Label()
    weak let releasedState = observed
    weak let releasedTarget = target
    let label = Label()
    let other = observed!.bind(\.title, to: \.title, on: label)
    var token: CancellationToken? = bind(observed!, on: target!, live, cancelling: other)
    let seen = state.value.count
    await untilOnMain { target!.counts.last! > seen }
    if round % 4 == 2 { releaseElsewhere(token!) }
    switch round % 4 {
    case 0: target = nil
    case 1: token?.cancel()
    case 2: token = nil
    default:
      releaseElsewhere(observed!)
      observed = nil
    }
    // The binding is gone, or ends when the next value finds its target gone. Its capture then cancels the
    // other one.
    await until { other.isCancelled }
    (observed, target) = (nil, nil)
    await untilOnMain { releasedState == nil && releasedTarget == nil }
    withExtendedLifetime((token, label)) {}
  }

  /// Binds with a capture whose `deinit` cancels another binding of the same observed state.
  @MainActor
  private static func bind(
    _ observed: ObservedState<Cart>, on label: Label, _ live: Tally, cancelling other: CancellationToken
  ) -> CancellationToken {
    live.add()
    let captured = DeinitAction {
      other.cancel()
      live.add(-1)
    }
    return observed.bind(on: label) { label, cart in
      withExtendedLifetime(captured) { label.counts.append(cart.count) }
    }
  }
}
