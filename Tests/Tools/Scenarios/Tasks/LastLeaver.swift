import AsyncViewModelsRequests
import AsyncViewModelsSimulation

extension Scenario {
  static let lastLeaver = Scenario(
    "tasks/last-leaver",
    "work without callers is cancelled; work that a caller still awaits is not", tasks: 2
  ) { world in
    let flights = SingleFlight<Int, Int>()
    let (departed, cancelled) = (EventLog<Int>(), EventLog<Int>())
    let callers = (1...2).map { number in
      world.spawn("caller \(number)") {
        _ = try await flights.value(for: 7) {
          departed.append(number)
          do { try await world.clock.sleep(for: .seconds(1)) } catch { cancelled.append(number) }
          return number
        }
      }
    }
    let stays = world.flip()
    callers[0].cancel()
    await Task.yield()
    if !stays { callers[1].cancel() }
    let begin = world.clock.now
    for caller in callers { await caller.waitForEnd() }
    await world.settle()
    if stays {
      world.expect(departed.values.count - cancelled.values.count == 1, "not exactly one flight completed")
    } else {
      world.expectEqual(cancelled.values.sorted(), departed.values.sorted(), "cancelled:")
      world.expectEqual(world.clock.now, begin, "no caller waited for the work:")
    }
  }
}
