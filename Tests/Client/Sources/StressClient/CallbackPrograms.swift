import AsyncViewModelsGCD
import Dispatch
import Synchronization

let callbacks = [
  StressProgram("the observer of a CallbackState receives each value once, in order", deliveries),
  StressProgram("values of a CallbackState are released outside its lock", releases),
  StressProgram("a wait for a completion handler ends once", handlers),
]

private typealias Completion = @Sendable (Result<Int, any Error>) -> Void

private let queue = DispatchQueue(label: "callbacks")

private func deliveries(load: Load) async throws {
  let state = CallbackState(0)
  let received = Mutex<[Int]>([])
  let rounds = 20_000 / load.tasks
  let token = state.bind(on: queue) { value in received.withLock { $0.append(value) } }
  try await load.inParallel { task in
    for round in 1...rounds {
      state.update { $0 += 1 }
      try expect(state.value > 0, "the value after an update is \(state.value)")
      if round % 16 == 0 { await Task.yield() }
    }
  }
  let last = rounds * load.tasks
  await until { received.withLock { $0.last } == last }
  try expectEqual(received.withLock { $0 }, Array(0...last), "the values that the observer received")
  withExtendedLifetime(token) {}
}

private func releases(load: Load) async throws {
  try await load.inParallel { _ in
    let state = CallbackState(DeinitAction {})
    for round in 1...300 {
      let token = state.bind(on: queue) { value in withExtendedLifetime(value) {} }
      for _ in 0..<3 {
        state.send(
          DeinitAction { [weak state] in
            state?.send(DeinitAction {})
            _ = state?.value
          })
      }
      if round % 3 == 0 { await Task.yield() }
      if round % 2 == 0 { token.cancel() }
      withExtendedLifetime(token) {}
    }
  }
}

private func handlers(load: Load) async throws {
  try await load.inParallel { task in
    for round in 1...500 {
      // The wait starts here, and ends on the thread of the queue.
      let value = try await withCallback { callback in queue.async { callback(round) } }
      try expectEqual(value, round, "the value of a callback")
      let caller = Task {
        try await withCompletionHandler { (completion: @escaping Completion) in
          if round % 4 == 0 { return CancellationToken {} }
          if round % 4 == 1 { completion(.success(round)) }
          for _ in 1...2 { DispatchQueue.global().async { completion(.success(round)) } }
          return .finished
        }
      }
      if round % 4 == 0 { caller.cancel() }
      switch await TaskOutcome(of: { try await caller.value }) {
      case .success(let answer): try expectEqual(answer, round, "the answer of a completion handler")
      case .cancelled: try expect(round % 4 == 0, "a wait ended without an answer")
      case .failure(let error): throw error
      }
    }
  }
}
