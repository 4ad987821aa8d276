import AsyncViewModels
import AsyncViewModelsSimulation

extension Scenario {
  static let calledBackTwice = Scenario(
    "bridges/called-back-twice",
    """
    a callback comes twice, once or never, and a cancellation may come: the caller resumes once, and a \
    call without an answer is cancelled
    """, tasks: 2
  ) { world in
    let (calls, cancelled) = (EventLog<Int>(), EventLog<Int>())
    let answers = world.choose(3)
    let caller = world.spawn("caller") {
      do {
        let value: Int = try await withCompletionHandler { completion in
          calls.append(1)
          for answer in 0..<answers {
            if answer == 0, world.flip() {
              completion(.success(1))
            } else {
              world.spawn("callback \(answer + 1)") { completion(.success(1)) }
            }
          }
          return CancellationToken { cancelled.append(1) }
        }
        world.expectEqual(value, 1)
        world.expectEqual(cancelled.values, [], "cancelled after the answer:")
      } catch {
        world.expect(error is CancellationError && Task.isCancelled, "\(error)")
        world.expectEqual(cancelled.values, calls.values, "cancelled:")
      }
    }
    if answers == 0 {
      await Task.yield()
      caller.cancel()
    } else {
      world.faults.cancellation(of: caller)
    }
    await caller.waitForEnd()
  }
}
