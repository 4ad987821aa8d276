import AsyncViewModels
import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import SimulatedQueues
import StorefrontTesting

extension Scenario {
  /// Acts on the view model of a stage. What it tracks must be gone when it has returned and the world has come to rest.
  typealias StageBody = @Sendable (SimulatedWorld, MigrationStage, LeakTracker) async throws -> Void

  /// One contract in each stage: the async one bears the name, the others, on their own queues, add theirs to it.
  ///
  /// A driver hides how a stage waits and hands out. What differs in what is promised is asked of `stage` in the body, as a fact.
  static func inEachStage(
    _ name: String, _ summary: String, tasks: Int, _ body: @escaping StageBody
  ) -> [Scenario] {
    [Scenario(name, summary, tasks: tasks, stage: .async, body)] + onQueues(name, summary, tasks: tasks, body)
  }

  /// What the closure and the stream stage promise, and the async stage has no words for.
  static func onQueues(
    _ name: String, _ summary: String, tasks: Int, _ body: @escaping StageBody
  ) -> [Scenario] {
    #if canImport(Darwin)
      // Dispatch queues cannot be simulated here.
      []
    #else
      [MigrationStage.closure, .stream].map { stage in
        Scenario("\(name)-\(stage)-stage", summary, tasks: tasks, stage: stage) { world, stage, tracker in
          precondition(SimulatedQueues.isLinked)
          try await body(world, stage, tracker)
        }
      }
    #endif
  }

  private init(
    _ name: String, _ summary: String, tasks: Int, stage: MigrationStage, _ body: @escaping StageBody
  ) {
    self.init(name, summary, tasks: tasks) { world in
      let tracker = LeakTracker()
      try await body(world, stage, tracker)
      await world.settle()
      world.expectEqual(tracker.survivors, [], "kept alive:")
    }
  }
}
