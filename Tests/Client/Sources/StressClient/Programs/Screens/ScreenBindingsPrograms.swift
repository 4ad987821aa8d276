import AsyncViewModelsUI
import Synchronization

extension StressProgram {
  static var screenBindings: [StressProgram] {
    [
      StressProgram(
        name: "screen-bindings",
        summary: "tasks bind to screens that end; each token is cancelled once and can cancel others",
        run: bound),
      StressProgram(
        name: "screen-bindings-order",
        summary: "bindings end in the order in which they were added, before the screen is released",
        run: order),
    ]
  }

  /// The numbers of the cancelled tokens, in order.
  private final class Cancels: Sendable {
    let count = Tally()
    private let order = Mutex<[Int]>([])

    var numbers: [Int] { order.withLock { $0 } }

    func note(_ number: Int) {
      order.withLock { $0.append(number) }
      count.add()
    }
  }

  private static func bound(load: Load) async throws {
    let cancels = Tally()
    let inserted = Tally()
    for round in 0..<200 {
      let host = await ScreenHost(EmptyScreen())
      let bindings = await host.bindings
      try await load.inParallel { task in
        if task == 0 { return await endHost(host, after: round % 8) }
        for number in 0..<24 {
          inserted.add()
          let token = insert(into: bindings, cancels, number)
          if number % 4 == 1 { token.cancel() }
          if number % 4 == 2 { releaseElsewhere(token) }
          if number % 8 == 0 { await Task.yield() }
        }
      }
      try expectEqual(bindings.count, 0, "bindings after the end")
    }
    await until { cancels.value == inserted.value }
  }

  @MainActor
  private static func endHost(_ host: ScreenHost, after turns: Int) async {
    for _ in 0..<turns { await Task.yield() }
    try? host.end()
  }

  /// Inserts a token whose cancellation cancels another token of the same bindings and reads their count.
  private static func insert(
    into bindings: ScreenBindings, _ cancels: Tally, _ number: Int
  ) -> CancellationToken {
    let other = number % 3 == 0 ? bindings.insert(CancellationToken {}) : CancellationToken.ended
    let captured = DeinitAction { [weak bindings] in _ = bindings?.count }
    return bindings.insert(
      CancellationToken { [weak bindings] in
        other.cancel()
        _ = bindings?.count
        cancels.add()
        withExtendedLifetime(captured) {}
      })
  }

  private static func order(load: Load) async throws {
    let state = ObservableState(0)
    try await load.inParallel { task in
      for round in 0..<(3_000 / load.tasks) {
        try await endInOrder(state, round)
        state.update { $0 += 1 }
      }
    }
    await until { state.observerCount == 0 }
  }

  @MainActor
  private static func endInOrder(_ state: ObservableState<Int>, _ round: Int) async throws {
    let cancels = Cancels()
    var host: ScreenHost? = ScreenHost(EmptyScreen())
    let bindings = host!.bindings
    let seen = Tally()
    for number in 0..<4 { bindings.insert(CancellationToken { cancels.note(number) }) }
    let observation = bindings.observe(state.states(), on: host!.screen) { _, _ in seen.add() }
    let endless = bindings.run { for await _ in state.states() { await Task.yield() } }
    let short = bindings.run { seen.add() }
    await short.value
    await until { bindings.count == 6 }
    if round % 2 == 0 { observation.cancel() }
    await until { seen.value > 1 || observation.isCancelled }
    try expectEqual(bindings.count, round % 2 == 0 ? 5 : 6, "bindings after a cancellation")
    if round % 4 == 0 { try host?.end() }
    releaseElsewhere(host!)
    host = nil
    await endless.value
    await until { cancels.count.value == 4 }
    try expectEqual(cancels.numbers, [0, 1, 2, 3], "the order in which the bindings ended")
    let late = bindings.insert(CancellationToken { cancels.note(4) })
    try expect(
      late.isCancelled && cancels.numbers.last == 4, "a token that is inserted after the end is not cancelled"
    )
    await bindings.run { withUnsafeCurrentTask { if $0?.isCancelled != true { cancels.note(5) } } }.value
    try expectEqual(cancels.numbers.last, 4, "the last cancelled token after a task is run")
  }
}
