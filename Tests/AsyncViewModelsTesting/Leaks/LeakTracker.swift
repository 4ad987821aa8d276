import Synchronization

/// Watches objects without keeping them, and says which of them outlived their use.
///
/// A debug build keeps local variables to the end of their scope. ``check(_:)`` therefore takes the scope:
///
/// ```swift
/// try await LeakTracker.check { tracker in
///   let model = tracker.track(CartViewModel(service: service))
///   try await model.add(product)
/// }
/// ```
///
/// - Isolation: none; objects may be tracked from anywhere.
public final class LeakTracker: Sendable {
  private struct Entry {
    let name: String
    weak let object: (any AnyObject & Sendable)?
  }

  private let entries = Mutex<[Entry]>([])

  public init() {}

  /// Watches an object and hands it back. Without a name it is known by its type.
  @discardableResult
  public func track<Object: AnyObject & Sendable>(_ object: Object, _ name: String? = nil) -> Object {
    let entry = Entry(name: name ?? String(describing: Object.self), object: object)
    entries.withLock { $0.append(entry) }
    return object
  }

  /// The names of the tracked objects that are alive, in the order in which they were tracked.
  public var survivors: [String] {
    // Loading a weak reference retains it, and the release may be the last one: that is done outside the lock.
    entries.withLock { $0 }.filter { $0.object != nil }.map(\.name)
  }

  /// Checks that nothing tracked is alive any more.
  ///
  /// Work that is just ending gets a fair chance to let go: the check steps aside for the tasks and queues of the
  /// process again and again, and ends as soon as nothing survives. It never sleeps; only a real leak makes it use up
  /// all its patience, about a second: on a busy machine a thread that is about to let go may have to wait as long.
  ///
  /// - Throws: ``LeakError``, which names what lives.
  public func assertAllReleased() async throws(LeakError) {
    await FairChance.wait { self.survivors.isEmpty }
    let survivors = survivors
    guard survivors.isEmpty else { throw LeakError(survivors: survivors) }
  }

  /// Runs `body`, then checks that nothing it tracked has outlived it.
  ///
  /// - Throws: what `body` throws, or ``LeakError``.
  public static func check<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: (LeakTracker) async throws -> Result
  ) async throws -> Result {
    let tracker = LeakTracker()
    let result = try await body(tracker)
    try await tracker.assertAllReleased()
    return result
  }
}
