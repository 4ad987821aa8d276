import AsyncViewModels
import AsyncViewModelsSimulation
import AsyncViewModelsTesting

extension Scenario {
  static let nothingFollows = Scenario(
    "observation/nothing-follows",
    "the last value reaches every observer, though no other value follows it", tasks: 4
  ) { world in
    let state = StateStore(0)
    let kinds: [BufferingPolicy] = [.latest, .bounded(1), .unbounded]
    let recorders = kinds.map { StateRecorder(state.states($0)) } + [StateRecorder(state.values())]
    for sender in 1...2 {
      world.spawn("sender \(sender)") {
        for number in 1...2 {
          if world.flip() { await Task.yield() }
          state.update { $0 = $0 * 10 + sender * 2 + number }
        }
      }
    }
    await world.settle()
    for recorder in recorders {
      world.expectEqual(recorder.states.last, state.value, "at rest an observer has seen:")
    }
  }
}
