import AsyncViewModels

extension StressProgram {
  static var optimisticChanges: [StressProgram] {
    [
      StressProgram(
        name: "optimistic-changes",
        summary: "in any order of answers, a refused change is rolled back, and no other change is lost",
        run: changing)
    ]
  }

  /// Adds a number to one of several sums.
  private struct Addition: OptimisticChange {
    let orderingKey: Int
    let number: Int

    func apply(to sums: inout [Int]) throws(TestError) -> [Int] {
      if number == 0 { throw TestError() }
      sums[orderingKey] += number
      return [orderingKey, number]
    }

    static func reapply(_ request: [Int], to sums: inout [Int]) { sums[request[0]] += request[1] }
  }

  private typealias Changes = OptimisticChanges<Addition>

  private static func changing(load: Load) async throws {
    try checkEachOperation()
    let store = ObservableState(Changes(Array(repeating: 0, count: 4)))
    let confirmed = Tally()
    let rounds = 1_200 / load.tasks
    try await load.inParallel { task in
      for round in 1...rounds {
        try await change(store, Addition(orderingKey: (task + round) % 4, number: round), confirmed)
      }
    }
    let changes = store.value
    try expectEqual(changes.pendingCount, 0, "pending changes")
    try expectEqual(changes.value, changes.confirmed, "the value without pending changes")
    try expectEqual(changes.value.reduce(0, +), confirmed.value, "the sum of all confirmed changes")
  }

  private static func change(
    _ store: ObservableState<Changes>, _ addition: Addition, _ confirmed: Tally
  ) async throws {
    let id = try store.update { try $0.begin(addition) }
    let caller = Task {
      try await runToCompletion {
        let request = try await store.firstNonNil { $0.turn(of: id)?.result }.get()
        await Task.yield()
        guard addition.number % 3 != 0 else { return store.update { _ = $0.rollBack(id) } }
        confirmed.add(request[1])
        store.update { _ = $0.confirm(id) }
      }
    }
    if addition.number % 2 == 0 { caller.cancel() }
    try await caller.value
  }

  private static func checkEachOperation() throws {
    var changes = Changes([0, 0])
    try changes.apply(Addition(orderingKey: 0, number: 1))
    let first = try changes.begin(Addition(orderingKey: 0, number: 2))
    let second = try changes.begin(Addition(orderingKey: 0, number: 3))
    try expectError(TestError()) { () throws(TestError) in
      try changes.apply(Addition(orderingKey: 0, number: 0))
    }
    try expect(changes.turn(of: first)?.id == first && changes.turn(of: second) == nil, "the turns differ")
    try expectEqual(changes.confirm(first, as: [5, 5]).map(\.id), [second], "the turns after a confirmation")
    try expectEqual(changes.value, [8, 5], "the value with a pending change")
    try expect(changes.rebase(onto: [1, 1]).isEmpty, "a rebase refused a change that was sent")
    try expectEqual(changes.confirmed, [1, 1], "the confirmed value")
    try expect(changes.rollBack(second).isEmpty && changes.confirm(second).isEmpty, "a change ended twice")
    try expectEqual(changes.value, [1, 1], "the value after a rollback")
    changes.modify { $0[0] = 4 }
    let resumed = changes.resume(Addition(orderingKey: 1, number: 6), with: [1, 6])
    try expectEqual(changes.value, [4, 7], "the value with a resumed change")
    try expectEqual(changes.pendingRequests.map(\.id), [resumed], "the pending changes")
    try expect(changes.confirm(resumed).isEmpty, "a resumed change made another one due")
  }
}
