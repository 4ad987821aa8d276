import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting

extension Scenario {
  /// The body of a scenario for one migration stage. All objects that the body tracks must be released when
  /// the body has returned and the world has settled.
  typealias StageBody = @Sendable (SimulatedWorld, MigrationStage, LeakTracker) async throws -> Void

  /// Creates one scenario for each migration stage. The scenario of the async stage has the given name. The scenarios of
  /// the closure and stream stages run on simulated queues, and their names end with the stage.
  ///
  /// The body uses a driver, such as `ListDriver`, which has the same async methods for each stage. If the
  /// stages promise different things, the body checks its `stage` parameter.
  static func inEachStage(
    _ name: String, _ summary: String, tasks: Int, _ body: @escaping StageBody
  ) -> [Scenario] {
    [Scenario(name, summary, tasks: tasks, stage: .async, body)] + onQueues(name, summary, tasks: tasks, body)
  }

  /// Creates scenarios only for the closure and stream stages, for behavior that the async stage does not have.
  static func onQueues(
    _ name: String, _ summary: String, tasks: Int, _ body: @escaping StageBody
  ) -> [Scenario] {
    #if canImport(Darwin)
      // The simulation cannot interpose dispatch queues on Apple platforms.
      []
    #else
      [MigrationStage.closure, .stream].map { stage in
        Scenario("\(name)-\(stage)-stage", summary, tasks: tasks, stage: stage) { world, stage, tracker in
          try await body(world, stage, tracker)
        }
      }
    #endif
  }

  /// Returns a body whose account stays the same, although tests in the same process change it.
  static func inOneAccount(_ body: @escaping StageBody) -> StageBody {
    { world, stage, tracker in
      try await AccountVersion.current.run { try await body(world, stage, tracker) }
    }
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
