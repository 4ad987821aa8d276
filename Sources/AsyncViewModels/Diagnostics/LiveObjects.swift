import Synchronization

/// Counts the live view models, tasks, and observers of a debug build by name.
///
/// A count that grows while the app goes back and forth between screens indicates a leak, and you need not
/// know beforehand what to watch. The package's tasks and observers count themselves. To count a type of your
/// own, store a ``LiveObjectToken`` in it.
///
/// ```swift
/// let before = LiveObjects.process.count
/// try await useTheApp()
/// print(LiveObjects.process.count.beyond(before))
/// // 1 view model: CartViewModel · 1 observer: LatestValueSubscription<CartState>
/// ```
///
/// If other work runs at the same time, as in parallel tests, use ``scoped(isolation:_:)``: it counts only
/// the objects that its closure creates.
///
/// A release build counts nothing: tokens have no size and no code, and every count is empty.
///
/// - Isolation: None. Objects may be created and released on any thread.
/// - Complexity: In a debug build, one lock for each creation and each release, for each enclosing scope.
public final class LiveObjects: Sendable {
  /// The live objects of the whole process.
  public static let process = LiveObjects(within: nil)

  /// The live objects of the innermost ``scoped(isolation:_:)`` around this task, or of the process.
  public static var current: LiveObjects { scope ?? process }

  /// Whether this build counts live objects, as debug builds do.
  public static var areCounted: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  @TaskLocal private static var scope: LiveObjects?

  private let parent: LiveObjects?
  private let counts = Mutex(LiveObjectCount())

  private init(within parent: LiveObjects?) { self.parent = parent }

  /// The current count of live objects.
  public var count: LiveObjectCount { counts.withLock { $0 } }

  /// Runs `body` and counts separately the objects that it, or a task that it starts, creates.
  ///
  /// The enclosing scopes count these objects, too. The scope counts for as long as any of them is alive. It
  /// follows the task, as task-local values do: only the process counts an object that a detached task or a
  /// block on a queue creates.
  ///
  /// - Throws: The error that `body` throws.
  public static func scoped<Answer>(
    isolation: isolated (any Actor)? = #isolation, _ body: (LiveObjects) async throws -> Answer
  ) async rethrows -> Answer {
    let liveObjects = LiveObjects(within: current)
    return try await $scope.withValue(
      liveObjects, operation: { try await body(liveObjects) }, isolation: isolation)
  }

  /// Runs a synchronous `body` and counts separately the objects that it, or a task that it starts, creates.
  ///
  /// The enclosing scopes count these objects, too. Only the process counts an object that a detached task or
  /// a block on a queue creates.
  ///
  /// - Throws: The error that `body` throws.
  public static func scoped<Answer>(_ body: (LiveObjects) throws -> Answer) rethrows -> Answer {
    let liveObjects = LiveObjects(within: current)
    return try $scope.withValue(liveObjects) { try body(liveObjects) }
  }

  func add(_ member: LiveObjectCount.Member) { change(member, by: 1) }

  func remove(_ member: LiveObjectCount.Member) { change(member, by: -1) }

  private func change(_ member: LiveObjectCount.Member, by delta: Int) {
    var next: LiveObjects? = self
    while let liveObjects = next {
      liveObjects.counts.withLock { $0.change(member, by: delta) }
      next = liveObjects.parent
    }
  }
}
