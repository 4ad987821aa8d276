import AsyncViewModels
import Synchronization

extension StressProgram {
  static var observedStates: [StressProgram] {
    [
      StressProgram(
        name: "observed-state",
        summary: "mirrors and their bindings follow senders on every thread to the last value",
        run: following),
      StressProgram(
        name: "observed-state-end",
        summary:
          "mirrors, targets and tokens go in the middle of the values, on any thread, and free what they hold",
        run: ending),
    ]
  }

  private struct Cart: Equatable, Sendable {
    var count = 0
    var title: String { "a cart with so and so many items: \(count / 4)" }
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
      if task % 2 == 0 { return try await follow(state, to: load.tasks / 2 * rounds) }
      for round in 1...rounds {
        state.update { $0.count += 1 }
        if round % 16 == 0 { await Task.yield() }
      }
    }
    await until { state.observerCount == 0 }
  }

  @MainActor
  private static func follow(_ state: ObservableState<Cart>, to last: Int) async throws {
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
    try expect(label.title == label.text && label.counts.count == 1, "a binding did not run at once")
    await untilOnMain {
      whole.value.count == last && part.value == last && coarse.value == Cart(count: last).title
    }
    try expect(label.isOrdered && label.counts.last == last, "a binding went back, or missed the last value")
    try expectEqual(label.title, Cart(count: last).title, "a bound property")
    try expectEqual(label.text, Cart(count: last).title, "a bound optional property")
    withExtendedLifetime((whole, part, coarse, tokens)) {}
  }

  private static func ending(load: Load) async throws {
    let state = ObservableState(Cart())
    let living = Tally()
    let isDone = Atomic(false)
    let sender = Task.detached {
      while !isDone.load(ordering: .relaxed) {
        for _ in 0..<32 { state.update { $0.count += 1 } }
        await Task.yield()
      }
    }
    try await load.inParallel { task in
      for round in 0..<(1_200 / load.tasks) { try await bindAndLeave(state, living, round + task) }
    }
    isDone.store(true, ordering: .relaxed)
    await sender.value
    await until { living.value == 0 && state.observerCount == 0 }
  }

  @MainActor
  private static func bindAndLeave(_ state: ObservableState<Cart>, _ living: Tally, _ round: Int) async throws
  {
    var mirror: ObservedState<Cart>? = ObservedState(state.value, state.stream())
    var target: Label? = Label()
    weak let goneMirror = mirror
    weak let goneTarget = target
    let label = Label()
    let other = mirror!.bind(\.title, to: \.title, on: label)
    var token: CancellationToken? = bind(mirror!, on: target!, living, cancelling: other)
    let seen = state.value.count
    await untilOnMain { target!.counts.last! > seen }
    if round % 4 == 2 { releaseElsewhere(token!) }
    switch round % 4 {
    case 0: target = nil
    case 1: token?.cancel()
    case 2: token = nil
    default:
      releaseElsewhere(mirror!)
      mirror = nil
    }
    // The binding is gone, or the next value finds its target gone: its capture has cancelled the other one.
    await until { other.isCancelled }
    (mirror, target) = (nil, nil)
    await untilOnMain { goneMirror == nil && goneTarget == nil }
    withExtendedLifetime((token, label)) {}
  }

  /// Binds with a capture whose end cancels another binding of the same mirror.
  @MainActor
  private static func bind(
    _ mirror: ObservedState<Cart>, on label: Label, _ living: Tally, cancelling other: CancellationToken
  ) -> CancellationToken {
    living.add()
    let captured = DeinitAction {
      other.cancel()
      living.add(-1)
    }
    return mirror.bind(on: label) { label, cart in
      withExtendedLifetime(captured) { label.counts.append(cart.count) }
    }
  }
}
