import Synchronization

/// Holds weak references to objects and reports those that are not released.
///
/// A debug build keeps local variables until the end of their scope. ``check(isolation:_:)``
/// therefore takes a closure that contains them:
///
/// ```swift
/// try await LeakTracker.check { tracker in
///   let model = tracker.track(CartViewModel(service: service))
///   try await model.add(product)
/// }
/// ```
///
/// - Isolation: None. Objects may be tracked from any thread.
public final class LeakTracker: Sendable {
  private struct Entry {
    let name: String
    weak let object: (any AnyObject & Sendable)?
  }

  private let entries = Mutex<[Entry]>([])

  /// Creates a tracker without objects.
  public init() {}

  /// Tracks an object and returns it. The default name is that of its type.
  @discardableResult
  public func track<Object: AnyObject & Sendable>(_ object: Object, _ name: String? = nil) -> Object {
    let entry = Entry(name: name ?? String(describing: Object.self), object: object)
    entries.withLock { $0.append(entry) }
    return object
  }

  /// The names of the live tracked objects, in the order in which they were tracked.
  public var survivors: [String] {
    // Loads the objects outside the lock: a load retains the object, and the release may run its
    // `deinit`.
    entries.withLock { $0 }.filter { $0.object != nil }.map(\.name)
  }

  /// Checks that all tracked objects are released.
  ///
  /// Work that is about to end may still hold objects. The check yields to the tasks and queues of
  /// the process, without a sleep, for up to about three seconds.
  ///
  /// - Throws: ``LeakError``, which names the live objects.
  public func assertAllReleased() async throws(LeakError) {
    await BoundedWait.wait { self.survivors.isEmpty }
    let survivors = survivors
    guard survivors.isEmpty else { throw LeakError(survivors: survivors) }
  }

  /// Runs `body`, then checks that all objects that `body` tracked are released.
  ///
  /// - Throws: ``LeakError``, or the error of `body`.
  public static func check<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: (LeakTracker) async throws -> Result
  ) async throws -> Result {
    let tracker = LeakTracker()
    let result = try await body(tracker)
    try await tracker.assertAllReleased()
    return result
  }
}
