import Synchronization

/// What lives: the view models, tasks and observers of a debug build, by name and number.
///
/// One that grows while the app goes back and forth is a leak, found without knowing beforehand what to watch. The library's tasks and
/// observers count themselves; a type of your own joins with a ``LiveObjectToken``.
///
/// ```swift
/// let before = LiveObjects.process.count
/// try await useTheApp()
/// print(LiveObjects.process.count.beyond(before))   // 1 view model: CartViewModel · 1 observer: LatestValueSubscription<CartState>
/// ```
///
/// Where other work goes on at the same time, as in tests that run in parallel, ``scoped(isolation:_:)`` counts only what its own
/// closure makes.
///
/// - Isolation: none; anything may come and go on any thread.
/// - Cost: in a debug build a lock for each arrival and each departure, once per scope around it. A release build takes no census:
///   entries have no size and no code, and every count is empty.
public final class LiveObjects: Sendable {
  /// The census of the whole process.
  public static let process = LiveObjects(within: nil)

  /// The census of the innermost ``scoped(isolation:_:)`` around this task, or that of the process.
  public static var current: LiveObjects { scope ?? process }

  /// Whether this build takes a census: debug builds do.
  public static var areCounted: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  @TaskLocal private static var scope: LiveObjects?

  private let parent: LiveObjects?
  private let living = Mutex(LiveObjectCount())

  private init(within parent: LiveObjects?) { self.parent = parent }

  /// What lives now.
  public var count: LiveObjectCount { living.withLock { $0 } }

  /// Runs `body` with a census of its own, which counts what `body` makes and the tasks that it starts make; those around it count that
  /// too. It goes on for as long as any of that lives.
  ///
  /// It follows the task, as task-local values do: what a detached task or a block on a queue makes counts in the process only.
  ///
  /// - Throws: what `body` throws.
  public static func scoped<Answer>(
    isolation: isolated (any Actor)? = #isolation, _ body: (LiveObjects) async throws -> Answer
  ) async rethrows -> Answer {
    let liveObject = LiveObjects(within: current)
    return try await $scope.withValue(
      liveObject, operation: { try await body(liveObject) }, isolation: isolation)
  }

  /// The same for what does not wait.
  public static func scoped<Answer>(_ body: (LiveObjects) throws -> Answer) rethrows -> Answer {
    let liveObject = LiveObjects(within: current)
    return try $scope.withValue(liveObject) { try body(liveObject) }
  }

  func arrive(_ member: LiveObjectCount.Member) { change(member, by: 1) }

  func leave(_ member: LiveObjectCount.Member) { change(member, by: -1) }

  private func change(_ member: LiveObjectCount.Member, by delta: Int) {
    var next: LiveObjects? = self
    while let liveObject = next {
      liveObject.living.withLock { $0.change(member, by: delta) }
      next = liveObject.parent
    }
  }
}
