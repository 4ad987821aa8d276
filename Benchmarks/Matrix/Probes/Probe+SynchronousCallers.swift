import AsyncViewModels
import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension Probe {
  static let synchronousEffect = Probe(
    "mutations without `await`: effect",
    "100 adds from a synchronous function, while the model's queue or the thread pool is busy: those that "
      + "the state shows when the call returns; the async stage needs a `Task` for each",
    wanted: .exactly(100, of: 100, "shown")
  ) { stage in
    [try await SynchronousAdds.elsewhere.run(stage).shown]
  }
  .variant(
    of: .async, "with `Task.immediate` (iOS 26)", isAvailable: SynchronousAdds.canStartAtOnce
  ) {
    [try await SynchronousAdds.immediate(onMain: false).run(.async).shown]
  }

  static let synchronousOrder = Probe(
    "mutations without `await`: order",
    "the same adds, on the main actor and elsewhere; elsewhere, the tasks are on an executor that runs the "
      + "newest first, which Swift allows",
    wanted: .exactly(100, of: 100, "in order on the main actor"), .exactly(100, of: 100, "elsewhere")
  ) { stage in
    let (main, elsewhere) = (SynchronousAdds.onMain, SynchronousAdds.elsewhere)
    return [try await main.run(stage).inOrder, try await elsewhere.run(stage).inOrder]
  }
  .variant(
    of: .async, "with `Task.immediate` (iOS 26)", isAvailable: SynchronousAdds.canStartAtOnce
  ) {
    let main = SynchronousAdds.immediate(onMain: true)
    let elsewhere = SynchronousAdds.immediate(onMain: false)
    return [try await main.run(.async).inOrder, try await elsewhere.run(.async).inOrder]
  }

  static let synchronousTasks = Probe(
    "mutations without `await`: tasks", "the same adds: those for which the caller creates a task",
    wanted: .exactly(0, of: 100, "with a task")
  ) { stage in
    [try await SynchronousAdds.elsewhere.run(stage).tasks]
  }

  static let callsOnQueue = Probe(
    "calls of a model on a queue",
    "100 calls of `cancel()` from a task elsewhere, on an idle list that runs on a dispatch queue: those "
      + "that suspend the caller; if the queue is busy, the other stages block the caller's thread",
    wanted: .exactly(0, of: 100, "suspended")
  ) { stage in
    let (service, queue) = (ScriptedPageService<CatalogProduct>(), DispatchQueue(label: "callbacks"))
    switch stage {
    case .closure:
      let list = ProductListClosureViewModel(service: service, callbackQueue: queue)
      return [await suspensions(of: 100) { list.cancel() }]
    case .stream:
      let list = ProductListStreamViewModel(service: service, callbackQueue: queue)
      return [await suspensions(of: 100) { list.cancel() }]
    case .async:
      let list = ProductListViewModel(service: service, isolation: QueueIsolation(queue))
      return [await suspensions(of: 100) { await list.cancel() }]
    }
  }
  .variant(of: .async, "from code on its queue") {
    let queue = DispatchQueue(label: "isolation")
    let list = ProductListViewModel(
      service: ScriptedPageService<CatalogProduct>(), isolation: QueueIsolation(queue))
    return [await suspensions(of: 100) { queue.sync { list.assumeIsolated { $0.cancel() } } }]
  }

  /// How often a task suspends during its calls.
  private static func suspensions(
    of calls: Int, _ call: @escaping @Sendable () async -> Void
  ) async -> Int {
    let (executor, made) = (CountingExecutor(), Tally())
    await Task(executorPreference: executor) {
      for _ in 1...calls {
        await call()
        // Gives the task work between two calls. Without this work, the task could stay on the model's queue.
        made.increment()
      }
    }.value
    // The first job starts the task. Each other job resumes it.
    return executor.jobCount - 1
  }
}
