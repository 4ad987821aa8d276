import AsyncViewModels
import AsyncViewModelsSimulation

extension Scenario {
  static let twoReaders = Scenario(
    "observation/two-readers",
    "two tasks read one observer, and one is cancelled: no value is read twice, and no observer is left",
    tasks: 2
  ) { world in
    let state = StateStore(0)
    let observer = state.values(world.choose(from: [.latest, .unbounded]))
    let seen = EventLog<Int>()
    let readers = (1...2).map { number in
      world.spawn("reader \(number)") { for await value in observer { seen.append(value) } }
    }
    for value in 1...2 {
      await Task.yield()
      state.send(value)
    }
    world.faults.cancellation(of: readers[0])
    state.send(3)
    await world.settle()
    if world.flip() { readers[1].cancel() } else { state.finish() }
    for reader in readers { await reader.waitForEnd() }
    world.expectEqual(
      Set(seen.values).count, seen.values.count, "values that were read once, of \(seen.values):")
    world.expectEqual(state.observerCount, 0, "observers left:")
  }
}
