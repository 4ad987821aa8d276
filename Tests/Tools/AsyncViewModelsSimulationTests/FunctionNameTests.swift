import Dispatch
import SimulatedQueues
import Testing

@testable import AsyncViewModelsSimulation

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

  /// The full timeline of a run that fails after `work`, as one text.
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
    return failure?.fullTimeline.joined(separator: "\n") ?? ""
  }

  @Test(
    "a demangled name is shortened to the path of the function",
    arguments: [
      ("(1) await resume partial function for App.Store.read() async -> ()", "Store.read"),
      (
        "(2) suspend resume partial function for static App.Store.open(at: Swift.String) async -> App.Store",
        "Store.open"
      ),
      ("App.Store.count.getter : Swift.Int", "Store.count"),
      ("App.(Store in _0123ABCD).(read in _0123ABCD)() async -> ()", "Store.read"),
      ("App.Store.__allocating_init(size: Swift.Int) async -> App.Store", "Store.init"),
      ("(extension in App):Swift.Array<A where A == Swift.Int>.sum() async -> Swift.Int", "Array.sum"),
      ("App.load<A where A: Swift.Sendable>(A) async -> A", "load"),
      ("closure #1 (Swift.Int) -> () in App.Store.load() -> ()", "a closure of Store.load"),
      (
        "partial apply forwarder for implicit closure #2 () -> () in App.Store.load() -> ()",
        "a closure of Store.load"
      ),
      ("helper #1 (Swift.Int) async -> () in App.Store.load<A>(A) async -> ()", "helper of Store.load"),
      (
        "closure #1 () async -> () in variable initialization expression of static App.Store.shared : App.Store",
        "a closure of Store.shared"
      ),
      (
        "generic specialization <Swift.Int, Swift.Array<Swift.Int>> of App.Store.load<A>(A) async -> ()",
        "Store.load"
      ),
      (
        "reabstraction thunk helper from @escaping @callee_guaranteed () -> () to @escaping @callee_guaranteed () -> (@out ())",
        nil
      ),
      (
        "protocol witness for App.Loader.load() async -> () in conformance App.Store : App.Loader in App", nil
      ),
      ("vtable thunk for App.Store.load() async -> () dispatching to App.Base.load() async -> ()", nil),
    ])
  func shortNames(demangled: String, name: String?) {
    #expect(FunctionName.short(demangled) == name)
  }

  @Test(
    "a demangled name has the module of its function, or of its extension",
    arguments: [
      ("(1) await resume partial function for App.Store.read() async -> ()", "App"),
      ("(extension in App):Swift.Array<A where A == Swift.Int>.sum() async -> Swift.Int", "App"),
      ("closure #1 () -> () in (extension in App):Swift.Sequence.each() -> ()", "App"),
      ("App.(Store in _0123ABCD).(read in _0123ABCD)() async -> ()", "App"),
      ("closure #1 () -> () in variable initialization expression of static App.Store.id : Swift.Int", "App"),
      ("generic specialization <App.Store> of Swift.withCheckedContinuation<A>(A) async -> A", "Swift"),
      ("vtable thunk for App.Store.load() async -> () dispatching to App.Base.load() async -> ()", nil),
    ])
  func modules(demangled: String, module: Substring?) {
    #expect(FunctionName.module(demangled) == module)
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
      func block() async throws {
        let timeline = await timeline(queues: .simulated) {
          DispatchQueue(label: "loading").async { Self.submitted() }
          DispatchQueue(label: "other").asyncAfter(deadline: .now() + 1, execute: { Self.submitted() })
        }
        for queue in ["loading", "other"] {
          let line = try Regex("queue \(queue) +runs in a closure of FunctionNameTests.block")
          #expect(timeline.contains(line), "\(timeline)")
        }
      }

      @Test("a step that ends a wait names the call that waited")
      func wait() async {
        let timeline = await timeline(queues: .simulated) {
          let semaphore = DispatchSemaphore(value: 0)
          DispatchQueue(label: "waiting").async { semaphore.wait() }
          DispatchQueue(label: "signaling").async { semaphore.signal() }
        }
        #expect(timeline.contains(/queue waiting +runs in DispatchSemaphore.wait/), "\(timeline)")
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
