import AsyncViewModels
import AsyncViewModelsSimulation

extension Scenario {
  static let calledBackTwice = Scenario(
    "bridges/called-back-twice",
    """
    A callback that comes twice, once, or never, and a cancellation: the caller resumes once, \
    and a call that was abandoned is called off
    """, tasks: 2
  ) { world in
    let (calls, calledOff) = (EventLog<Int>(), EventLog<Int>())
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
          return CancellationToken { calledOff.append(1) }
        }
        world.expectEqual(value, 1)
        world.expectEqual(calledOff.values, [], "a call that has answered is not called off:")
      } catch {
        world.expect(error is CancellationError && Task.isCancelled, "\(error)")
        world.expectEqual(calledOff.values, calls.values, "called off:")
      }
    }
    if answers == 0 {
      await Task.yield()
      caller.cancel()
    } else {
      world.faults.cancellation(of: caller)
    }
    await caller.finish()
  }
}
