import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import Dispatch
import SimulatedQueues
import Testing

/// The functions that the timeline of a failing run names.
@Suite("Simulation: names of functions", .timeLimit(.minutes(5)))
struct FunctionNameTests {
  private actor Model {
    private(set) var count = 0

    func load() async {
      count += 1
      await Task.yield()
      await reload()
    }

    private func reload() async { await Task.yield() }

    var nextCount: Int {
      get async {
        await Task.yield()
        return count + 1
      }
    }

    func local() async {
      func turn() async { await Task.yield() }
      await turn()
    }
  }

  private static func pause<Value>(returning value: Value) async -> Value {
    await Task.yield()
    return value
  }

  /// The timeline of a run that fails after `work`, as one text.
  private func timeline(
    queues: QueueScheduling = .real, _ work: @escaping @Sendable () async -> Void
  ) async -> String {
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seeds: 1...1, queues: queues) { world in
        world.spawn("work") { await work() }
        await world.settle()
        world.expect(false, "ended")
      }
    }
    return failure?.timeline.joined(separator: "\n") ?? ""
  }

  // The optimizer merges functions.
  #if DEBUG
    @Test("a step names the method, the private method or the accessor that resumed")
    func methods() async {
      let timeline = await timeline {
        let model = Model()
        await model.load()
        _ = await model.nextCount
      }
      for name in ["load", "reload", "nextCount"] {
        #expect(timeline.contains("FunctionNameTests.Model.\(name)"), "\(timeline)")
      }
    }

    @Test("a step names the closure, the local function or the generic function that resumed")
    func otherFunctions() async {
      let timeline = await timeline {
        await Model().local()
        _ = await Self.pause(returning: 1)
        await Task.yield()
      }
      #expect(timeline.contains("turn of FunctionNameTests.Model.local"), "\(timeline)")
      #expect(timeline.contains("FunctionNameTests.pause"), "\(timeline)")
      #expect(timeline.contains("a closure of FunctionNameTests.otherFunctions"), "\(timeline)")
    }

    #if !canImport(Darwin)
      @Test("a step on a queue names the closure that was submitted")
      func block() async {
        let timeline = await timeline(queues: .simulated) {
          DispatchQueue(label: "loading").async { Self.submitted() }
          DispatchQueue(label: "other").asyncAfter(deadline: .now() + 1, execute: { Self.submitted() })
        }
        #expect(
          timeline.contains("queue loading runs in a closure of FunctionNameTests.block"), "\(timeline)")
        #expect(timeline.contains("queue other runs in a closure of FunctionNameTests.block"), "\(timeline)")
      }

      @Test("a step that ends a wait names the call that waited")
      func wait() async {
        let timeline = await timeline(queues: .simulated) {
          let semaphore = DispatchSemaphore(value: 0)
          DispatchQueue(label: "waiting").async { semaphore.wait() }
          DispatchQueue(label: "signaling").async { semaphore.signal() }
        }
        #expect(timeline.contains("queue waiting runs in DispatchSemaphore.wait"), "\(timeline)")
      }
    #endif
  #endif

  @Test("the timeline of a run names no function of the simulator, the test kit or the compiler")
  func simulator() async {
    let timeline = await timeline {
      let clock = VirtualClock()
      await withTaskGroup { group in
        group.addTask { try? await clock.sleep(for: .zero) }
        group.addTask { await Task.yield() }
      }
    }
    for hidden in ["SimulatedWorld", "VirtualClock", "thunk", "forwarder", "Swift."] {
      #expect(!timeline.contains(hidden), "\(timeline)")
    }
  }

  private static func submitted() {}
}
