import AsyncViewModels
import Dispatch

extension StressProgram {
  static var errorIsolation: [StressProgram] {
    [
      StressProgram(
        name: "error-isolation",
        summary: "an operation that throws returns to its caller's actor, like an operation that succeeds",
        run: failing)
    ]
  }

  private static let operations:
    [(name: String, run: nonisolated(nonsending) @Sendable () async throws -> Void)] = [
      ("runToCompletion", { try await runToCompletion { try await fail() } }),
      ("firstNonNil", { try await finishedState().firstNonNil { (_: Int) -> Void? in nil } }),
      ("withDeadline", { try await withDeadline(.seconds(60)) { try await fail() } }),
      (
        "withDeadline, exceeded",
        { try await withDeadline(.zero) { try await Task.sleep(for: .seconds(60)) } }
      ),
      ("withAbandoningDeadline", { try await withAbandoningDeadline(.seconds(60)) { try await fail() } }),
      (
        "withAbandoningDeadline, exceeded",
        { try await withAbandoningDeadline(.zero) { try await Task.sleep(for: .seconds(60)) } }
      ),
      ("SingleFlight", { try await SingleFlight<Int, Void>().value(for: 1) { try await fail() } }),
      ("withCompletionHandler", { try await withCompletionHandler { failLater($0) } }),
      (
        "withCompletionHandler, with a deadline",
        { try await withCompletionHandler(deadline: .seconds(60)) { failLater($0) } }
      ),
      ("concurrentMap", { _ = try await [1, 2].concurrentMap(limit: 2) { _ in try await fail() } }),
      ("hold", { try await CancellationToken {}.hold { throw TestError() } }),
      ("forEach", { try await ObservableState(0).values().forEach { _ in throw TestError() } }),
    ]

  private static func failing(load: Load) async throws {
    let hosts: [any Actor] = [PlainActor(), QueueIsolation(DispatchQueue(label: "error-isolation"))]
    try await load.inParallel { task in
      for round in 1...40 {
        for operation in operations {
          if (task + round) % 3 == 0 {
            try await onMain(operation.name, operation.run)
          } else {
            try await Caller(on: hosts[round % 2]).call(operation.name, operation.run)
          }
        }
      }
    }
  }

  @MainActor
  private static func onMain(
    _ name: String, _ operation: nonisolated(nonsending) @Sendable () async throws -> Void
  ) async throws {
    do {
      try await operation()
    } catch {
      return MainActor.preconditionIsolated("\(name) threw on another executor")
    }
    throw Unexpected(description: "\(name) did not throw")
  }

  private actor PlainActor {}

  private actor Caller {
    private nonisolated let host: any Actor
    nonisolated var unownedExecutor: UnownedSerialExecutor { host.unownedExecutor }

    init(on isolation: any Actor) { host = isolation }

    func call(
      _ name: String, _ operation: nonisolated(nonsending) @Sendable () async throws -> Void
    ) async throws {
      do {
        try await operation()
      } catch {
        return preconditionIsolated("\(name) threw on another executor")
      }
      throw Unexpected(description: "\(name) did not throw")
    }
  }

  private static func fail() async throws {
    await Task.yield()
    throw TestError()
  }

  private static func finishedState() -> ObservableState<Int> {
    let state = ObservableState(0)
    Task { state.finish() }
    return state
  }

  private static func failLater(
    _ completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    DispatchQueue.global().async { completion(.failure(TestError())) }
    return CancellationToken {}
  }
}
