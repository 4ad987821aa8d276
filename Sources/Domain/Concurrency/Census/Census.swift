import Synchronization

/// What lives: the view models, tasks and observers of a debug build, by name and number.
///
/// One that grows while the app goes back and forth is a leak, found without knowing beforehand what to watch. The library's tasks and
/// observers count themselves; a type of your own joins with a ``CensusEntry``.
///
/// ```swift
/// let before = Census.process.count
/// try await useTheApp()
/// print(Census.process.count.beyond(before))   // 1 view model: CartViewModel · 1 observer: LatestObserver<CartState>
/// ```
///
/// Where other work goes on at the same time, as in tests that run in parallel, ``scoped(isolation:_:)`` counts only what its own
/// closure makes.
///
/// - Isolation: none; anything may come and go on any thread.
/// - Cost: in a debug build a lock for each arrival and each departure, once per scope around it. A release build takes no census:
///   entries have no size and no code, and every count is empty.
public final class Census: Sendable {
  /// The census of the whole process.
  public static let process = Census(within: nil)

  /// The census of the innermost ``scoped(isolation:_:)`` around this task, or that of the process.
  public static var current: Census { scope ?? process }

  /// Whether this build takes a census: debug builds do.
  public static var isTaken: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  @TaskLocal private static var scope: Census?

  private let parent: Census?
  private let living = Mutex(CensusCount())

  private init(within parent: Census?) { self.parent = parent }

  /// What lives now.
  public var count: CensusCount { living.withLock { $0 } }

  /// Runs `body` with a census of its own, which counts what `body` makes and the tasks that it starts make; those around it count that
  /// too. It goes on for as long as any of that lives.
  ///
  /// It follows the task, as task-local values do: what a detached task or a block on a queue makes counts in the process only.
  ///
  /// - Throws: what `body` throws.
  public static func scoped<Answer>(
    isolation: isolated (any Actor)? = #isolation, _ body: (Census) async throws -> Answer
  ) async rethrows -> Answer {
    let census = Census(within: current)
    return try await $scope.withValue(census, operation: { try await body(census) }, isolation: isolation)
  }

  /// The same for what does not wait.
  public static func scoped<Answer>(_ body: (Census) throws -> Answer) rethrows -> Answer {
    let census = Census(within: current)
    return try $scope.withValue(census) { try body(census) }
  }

  func arrive(_ member: CensusCount.Member) { change(member, by: 1) }

  func leave(_ member: CensusCount.Member) { change(member, by: -1) }

  private func change(_ member: CensusCount.Member, by delta: Int) {
    var next: Census? = self
    while let census = next {
      census.living.withLock { $0.change(member, by: delta) }
      next = census.parent
    }
  }
}
