import AsyncViewModels
import Dispatch

extension StressProgram {
  static var callbacks: [StressProgram] {
    [
      StressProgram(
        name: "handler-callback",
        summary: "withCallback works with plain callbacks, values whose deinit calls back again, and actors",
        run: callbacks),
      StressProgram(
        name: "handler-locked",
        summary: "a service that calls its handlers and cancels under one lock causes no deadlock",
        run: locked
      ),
    ]
  }

  private static func callbacks(load: Load) async throws {
    let actorCaller = ActorCaller()
    try await load.inParallel { task in
      for round in 1...1_000 {
        let freed = Tally()
        let caller = Task {
          _ = try await withCallback { (callback: @escaping @Sendable (DeinitAction) -> Void) in
            let call = nestedCall(callback, freed)
            if round % 2 == 0 { call() }
            if round % 3 > 0 { DispatchQueue.global().async(execute: call) }
          }
        }
        if round % 6 == 3 { caller.cancel() }
        if case .failure(let error) = await caller.result {
          try expect(
            round % 6 == 3 && error is CancellationError, "the caller of withCallback failed with \(error)")
        }
        try expectEqual(
          try await actorCaller.ask(round), round, "the value that a callback passed to an actor")
      }
    }
    let answers = await actorCaller.answers
    try expectEqual(answers, 1_000 * load.tasks, "answers received on the actor")
  }

  /// Returns a closure that calls back with a value whose `deinit` calls back again.
  private static func nestedCall(
    _ callback: @escaping @Sendable (DeinitAction) -> Void, _ freed: Tally
  ) -> @Sendable () -> Void {
    { callback(DeinitAction { callback(DeinitAction { freed.add() }) }) }
  }

  private actor ActorCaller {
    private(set) var answers = 0

    func ask(_ number: Int) async throws -> Int {
      let answer = try await withCallback { callback in
        // Runs on this actor before the first suspension.
        answers += 1
        DispatchQueue.global().async { callback(number) }
      }
      self.preconditionIsolated()
      return answer
    }
  }

  private static func locked(load: Load) async throws {
    let service = LockedService()
    let answering = Task {
      while !Task.isCancelled {
        await onQueue(.global()) { service.call(1) }
      }
    }
    try await load.inParallel { task in
      for round in 1...400 {
        let caller = Task {
          try await withCompletionHandler { completion in service.register { completion(.success($0)) } }
        }
        if round % 3 == 0 { await Task.yield() }
        if round % 2 == 0 { await atOnce({ caller.cancel() }, { service.call(1) }, { caller.cancel() }) }
        if case .failure(let error) = await caller.result {
          try expect(
            round % 2 == 0 && error is CancellationError,
            "the caller of a locked service failed with \(error)")
        }
      }
    }
    answering.cancel()
    await answering.value
    try expectEqual(service.count, 0, "callbacks still registered")
  }
}
