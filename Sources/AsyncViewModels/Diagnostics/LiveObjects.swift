import Synchronization

/// Counts the live view models, tasks, and observers of a debug build by name.
///
/// ```swift
/// let before = LiveObjects.process.count
/// try await useTheApp()
/// print(LiveObjects.process.count.subtracting(before))
/// // 1 view model: CartViewModel · 1 observer: LatestValueObserver<CartState>
/// ```
///
/// A count that grows each time the app opens and closes the same screens indicates a leak. The
/// package's tasks and observers count themselves. To count the objects of your own type, store a
/// ``LiveObjectToken`` in a property of the type. If other work runs at the same time, for example
/// in parallel tests, use ``scoped(isolation:_:)``.
///
/// A release build counts nothing: tokens have no size and no code, and every count is empty.
///
/// - Isolation: None. Objects may be created and released on any thread.
/// - Complexity: In a debug build, each creation and each release takes one lock for the process
///   and one lock for each enclosing scope.
public final class LiveObjects: Sendable {
  /// The live objects of the whole process.
  public static let process = LiveObjects(within: nil)

  /// The live objects of the innermost ``scoped(isolation:_:)`` in which this task runs. Outside a
  /// scope, this is ``process``.
  public static var current: LiveObjects { scope ?? process }

  /// Whether this build counts live objects. It is `true` in a debug build.
  public static var areCounted: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  @TaskLocal static var scope: LiveObjects?

  private let parent: LiveObjects?
  private let counts = Mutex(LiveObjectCount())

  private init(within parent: LiveObjects?) { self.parent = parent }

  /// The current count of live objects.
  public var count: LiveObjectCount { counts.withLock { $0 } }

  /// Runs `body`, and counts the objects that `body` and its tasks create.
  ///
  /// The enclosing scopes count these objects, too. A release after `body` has returned still
  /// lowers the count. The scope is a task-local value, which detached tasks and blocks on a queue
  /// do not inherit: only ``process`` counts their objects.
  ///
  /// - Throws: The error that `body` throws.
  public static func scoped<Output>(
    isolation: isolated (any Actor)? = #isolation, _ body: (LiveObjects) async throws -> Output
  ) async rethrows -> Output {
    let liveObjects = LiveObjects(within: current)
    return try await $scope.withValue(
      liveObjects, operation: { try await body(liveObjects) }, isolation: isolation)
  }

  /// Runs a synchronous `body`, and counts the objects that `body` and its tasks create. See
  /// ``scoped(isolation:_:)``.
  ///
  /// - Throws: The error that `body` throws.
  public static func scoped<Output>(_ body: (LiveObjects) throws -> Output) rethrows -> Output {
    let liveObjects = LiveObjects(within: current)
    return try $scope.withValue(liveObjects) { try body(liveObjects) }
  }

  #if DEBUG
    func add(_ member: LiveObjectCount.Member) { change(member, by: 1) }

    func remove(_ member: LiveObjectCount.Member) { change(member, by: -1) }

    private func change(_ member: LiveObjectCount.Member, by delta: Int) {
      var next: LiveObjects? = self
      while let liveObjects = next {
        liveObjects.counts.withLock { $0.change(member, by: delta) }
        next = liveObjects.parent
      }
    }
  #endif
}
