import AsyncViewModelsUI
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

  private final class Model: StateSource {
    let store = ObservableState(Cart())
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
    let model = Model()
    let rounds = 1_000_000 / load.tasks
    try await load.inParallel { task in
      if task % 2 == 0 { return try await observe(model, to: load.tasks / 2 * rounds) }
      for round in 1...rounds {
        model.store.update { $0.count += 1 }
        if round % 16 == 0 { await Task.yield() }
      }
    }
    await until { model.store.observerCount == 0 }
  }

  @MainActor
  private static func observe(_ model: Model, to last: Int) async throws {
    let whole = ObservedState(model)
    let part = ObservedState(model, of: \.count)
    let coarse = ObservedState(model, of: { $0.title }, by: { $0.count == $1.count && $0 == $1 })
    let sequence = ObservedState(model.state, model.states())
    let label = Label()
    let tokens = [
      whole.bind(on: label) { label, cart in label.counts.append(cart.count) },
      whole.bind(\.title, to: \.title, on: label),
      whole.bind(\.title, to: \.text, on: label),
    ]
    try expect(label.text != nil && label.counts.count == 1, "a binding did not run immediately")
    // The state at the end of the turn before. In one turn, all reads return the same value.
    var (before, isOlder) = (0, false)
    await untilOnMain {
      let count = whole.value.count
      if count < before || part.value < before || whole.value.count != count { isOlder = true }
      before = model.state.count
      return count == last && coarse.value == Cart(count: last).title && sequence.value.count == last
        && label.counts.last == last
    }
    try expect(!isOlder, "a value was older than the state of the turn before, or changed in a turn")
    try expect(
      label.isOrdered && label.counts.last == last, "a binding received an older value or missed the last one"
    )
    try expectEqual(label.title, Cart(count: last).title, "a bound property")
    try expectEqual(label.text, Cart(count: last).title, "a bound optional property")
    withExtendedLifetime((whole, part, coarse, sequence, tokens)) {}
  }

  private static func ending(load: Load) async throws {
    let model = Model()
    let live = Tally()
    let isDone = Atomic(false)
    let sender = Task.detached {
      while !isDone.load(ordering: .relaxed) {
        for _ in 0..<32 { model.store.update { $0.count += 1 } }
        await Task.yield()
      }
    }
    try await load.inParallel { task in
      for round in 0..<(1_200 / load.tasks) { try await bindAndLeave(model, live, round + task) }
    }
    isDone.store(true, ordering: .relaxed)
    await sender.value
    await until { live.value == 0 && model.store.observerCount == 0 }
  }

  @MainActor
  private static func bindAndLeave(_ model: Model, _ live: Tally, _ round: Int) async throws {
    var observed: ObservedState<Cart>? = ObservedState(model)
    var target: Label? = Label()
    weak let releasedState = observed
    weak let releasedTarget = target
    let label = Label()
    let other = observed!.bind(\.title, to: \.title, on: label)
    var token: CancellationToken? = bind(observed!, on: target!, live, cancelling: other)
    let seen = model.state.count
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
    // The binding has ended, or ends when the next value arrives after the release of its target. Then the
    // `deinit` of the binding's capture cancels `other`.
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
