import AsyncViewModels
import AsyncViewModelsSimulation

/// A contract under simulation: what several tasks do at once, and what must hold in every interleaving of it.
///
/// To add one, write a file in `Scenarios/` with a static property, and name it in ``all``:
///
/// ```swift
/// extension Scenario {
///   static let subscribeAgainstSend = Scenario(
///     "observation/subscribe-against-send", "an observer that arrives during the sends misses nothing", tasks: 2
///   ) { world in
///     let state = ObservableState(0)
///     let sender = world.spawn("sender") { for n in 1...3 { state.send(n); await Task.yield() } }
///     let observer = world.spawn("observer") {
///       for await value in state.stream() { if value == 3 { return } }
///     }
///     await sender.finish()
///     await observer.finish()
///     world.expectEqual(state.value, 3)
///   }
/// }
/// ```
///
/// - The body runs anew for each seed, and makes all that it needs anew: nothing is shared between runs.
/// - Host view models on `world.isolation` and give them `world.clock`: a default actor hides its hops, and real time leaves the world.
/// - Services are small values that wait with `world.faults.latency()`, fail with `world.faults.failure(_:)`, and so on. Draw what a
///   user might do with `world.choose(_:)`: a failing run is reduced towards 0.
/// - Cancel with `world.faults.cancellation(of: task)`: it comes at any suspension.
/// - Check with `world.expect`, `world.expectEqual`, at the end or within tasks; nothing but the first failure of a run counts.
///   Every spawned task must have ended at the end, and nothing may be left suspended for ever: that is checked for you.
/// - `await world.settle()` waits until nothing goes on any more (`movingTime: false`: until only time could change something).
/// - Dispatch queues are under the seed too, where ``inEachStage(_:_:tasks:_:)`` makes the scenario: all three stages pass one contract.
/// - Code between two suspensions is one step. `await Task.yield()` makes a place for the others.
/// - Break what it proves once, and see it fail.
struct Scenario: Sendable {
  /// `part/what-happens`, to choose it by.
  let name: String
  /// What holds.
  let summary: String
  /// How many tasks act at once: those of two are explored exhaustively, of three with a bound.
  let tasks: Int
  let body: @Sendable (SimulatedWorld) async throws -> Void

  init(
    _ name: String, _ summary: String, tasks: Int,
    body: @escaping @Sendable (SimulatedWorld) async throws -> Void
  ) {
    self.name = name
    self.summary = summary
    self.tasks = tasks
    self.body = body
  }

  /// All of them, in the order in which they run.
  static let all: [Scenario] = parts + features + onScreens + onQueuesOnly

  private static let parts: [Scenario] = [
    subscribeAgainstSend, noGapAfterSubscribing, cancelAgainstFinish, nothingFollows, twoReaders, fullBuffer,
    broadcast, holdAgainstBind, heldInOrder, observeOnOwner,
    supersededCommit, slotPolicies, closingBag, sheddingBag,
    joinAgainstLastCancel, sharedFlight, lastLeaver,
    calledBackTwice, abandonedCall, answeredOnce,
    debounceAtTheEdge, throttledBurst, cancelledWhileBusy, deadlineAtTheMoment, parallelParts, concurrentMap,
  ]

  private static let features: [Scenario] =
    [
      [supersededSearch], searchCancelled, cartUnderContention, listRefreshed, catalogRefreshed,
      detailAskedTwice,
      dashboardWithAFailingPart, editedWhileSaving, postsEventBeforeBind,
      [retentionAgainstReentry, listOverABadNet, draftOnABadDisk],
    ].flatMap(\.self)

  #if canImport(Darwin)
    /// The main actor cannot be simulated there.
    private static let onScreens: [Scenario] = []
  #else
    private static let onScreens = tornDownWhileLoading + [screensFollowThePath, mirroredState]
  #endif

  #if canImport(Darwin)
    private static let onQueuesOnly: [Scenario] = []
  #else
    private static let onQueuesOnly = [closureSearch, leftWhilePosting] + answeredByTheGone
  #endif
}
