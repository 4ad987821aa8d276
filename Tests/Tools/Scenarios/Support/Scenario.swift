import AsyncViewModelsSimulation
import SimulatedQueues

/// A contract under simulation: what several tasks do at once, and what must hold in every interleaving.
///
/// To add a scenario, write a file with a static property in the folder of the tested part, and list the property in ``all``:
///
/// ```swift
/// extension Scenario {
///   static let subscribeAgainstSend = Scenario(
///     "observation/subscribe-against-send", "an observer that arrives during the sends sees the last value", tasks: 2
///   ) { world in
///     let state = StateStore(0)
///     let sender = world.spawn("sender") { for n in 1...3 { state.send(n); await Task.yield() } }
///     let observer = world.spawn("observer") {
///       for await value in state.states() { if value == 3 { return } }
///     }
///     await sender.waitForEnd()
///     await observer.waitForEnd()
///     world.expectEqual(state.value, 3)
///   }
/// }
/// ```
///
/// - The body runs once for each seed, and creates everything that it needs. Runs share nothing.
/// - Run view models on `world.isolation` and give them `world.clock`. The simulation controls neither the hops of a default actor
///   nor real time.
/// - Write services as small values that wait with `world.faults.latency()` and fail with `world.faults.failure(_:)`.
///   Choose what a user does with `world.choose(_:)`, and make 0 the simplest choice: to shrink a failing run, the
///   simulation lowers its choices.
/// - Cancel with `world.faults.cancellation(of: task)`, which may come at any suspension.
/// - Check with `world.expect` and `world.expectEqual`, at the end or within tasks. Only the first failure of a run counts.
///   The simulation checks that the body and every spawned task end.
/// - `await world.settle()` waits until no job is ready and no task waits for the clock. With `movingTime: false`, it
///   waits only until no job is ready.
/// - ``inEachStage(_:_:tasks:_:)`` makes one scenario for each stage. In these scenarios, the
///   seed orders the blocks of Dispatch queues, too.
/// - Code between two suspensions is one step, unless the command runs with `--locks`. `await Task.yield()` lets the other tasks run.
/// - Once, break the code that the scenario checks, to make sure that the scenario fails.
struct Scenario: Sendable {
  /// The name, in the form `part/what-happens`.
  let name: String
  /// What holds in every interleaving.
  let summary: String
  /// The number of tasks that act at once, including those that the toolkit creates. The program can explore two tasks
  /// exhaustively, and three tasks with a limited number of preemptions.
  let tasks: Int
  let body: @Sendable (SimulatedWorld) async throws -> Void

  /// Whether the checks compare values that change in one step, which is only true if code is not interrupted at locks.
  var checksSteps: Bool { Self.checkingSteps.contains(name) }

  private static let checkingSteps: Set = [
    // They count what a task does before and after a call.
    "tasks/slot-policies", "tasks/slot-positions", "tasks/slot-callers", "tasks/shared-flight",
    // The first screen may get a state before the second one replaces its binding.
    "detail/asked-twice-closure-stage",
    // A screen may be released on another thread while it renders.
    "screens/torn-down-while-loading", "screens/torn-down-while-loading-closure-stage",
    "screens/torn-down-while-loading-stream-stage",
    // It compares a value that a binding gets with the state that the sender may have changed since.
    "screens/mirrored-state",
  ]

  /// Whether libdispatch or the simulated world runs the blocks of dispatch queues, in all scenarios.
  #if canImport(Darwin)
    static let queues = QueueScheduling.real
  #else
    static let queues = QueueScheduling.simulated
  #endif

  init(
    _ name: String, _ summary: String, tasks: Int,
    body: @escaping @Sendable (SimulatedWorld) async throws -> Void
  ) {
    self.name = name
    self.summary = summary
    self.tasks = tasks
    self.body = body
  }

  /// All scenarios, in the order in which they run.
  static let all: [Scenario] = parts + features + onScreens + onQueuesOnly

  private static let parts: [Scenario] = [
    subscribeAgainstSend, noGapAfterSubscribing, cancelAgainstFinish, nothingFollows, twoReaders, fullBuffer,
    broadcast, keepAgainstBind, keptInOrder, observeOnOwner, brokenConnection,
    supersededCommit, slotPolicies, slotCallers, slotPositions, closingBag, sheddingBag,
    joinAgainstLastCancel, sharedFlight, lastLeaver,
    calledBackTwice, abandonedCall, answeredOnce,
    debounceAtTheEdge, throttledBurst, pacedByFrames, cancelledWhileBusy, deadlineAtTheMoment, parallelParts,
    concurrentMap,
  ]

  private static let features: [Scenario] =
    [
      [supersededSearch], searchCancelled, searchPaged, cartUnderContention, cartRecovery, listRefreshed,
      catalogRefreshed, detailAskedTwice, oneCartForAllScreens, listFollowsAFeed, detailFollowsAFeed,
      dashboardWithAFailingPart, accountChanged, editedWhileSaving, draftOnABadDisk, postsEventBeforeBind,
      postsUndone,
      [listCallersCancelled, retentionAgainstLease, listOverABadNet],
    ].flatMap(\.self)

  #if canImport(Darwin)
    /// The simulation cannot capture the main actor on Apple platforms.
    private static let onScreens: [Scenario] = []
  #else
    private static let onScreens =
      tornDownWhileLoading + [screensFollowThePath, resultsOnce, mirroredState, observedOnMain, pacedOnMain]
  #endif

  #if canImport(Darwin)
    private static let onQueuesOnly: [Scenario] = []
  #else
    private static let onQueuesOnly =
      [closureSearch, leftWhilePosting, failingConnection] + answeredByTheGone + comparedStages
  #endif
}
