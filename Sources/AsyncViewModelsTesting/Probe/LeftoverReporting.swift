public import AsyncViewModels
public import AsyncViewModelsVirtualTime

/// A part of a test that can say what is left over, for ``ViewModelProbe/watch(_:)``.
///
/// A service that you wrote for your tests conforms with one property:
///
/// ```swift
/// extension FakeSocket: LeftoverReporting {
///   var leftovers: [String] { isOpen ? ["an open socket"] : [] }
/// }
/// ```
public protocol LeftoverReporting: Sendable {
  /// A line for each thing that a finished test must not leave. May be read from any thread.
  var leftovers: [String] { get }
}

extension ScriptedCalls: LeftoverReporting {
  /// The requests that ``next()`` has not returned, and the calls without a response.
  public var leftovers: [String] {
    let (calls, taken) = callsAndTaken
    return calls.enumerated().compactMap { index, call in
      if index >= taken { return "a request that the test did not take: \(call.request)" }
      return call.isOpen ? "a request without a response: \(call.request)" : nil
    }
  }
}

extension VirtualClock: LeftoverReporting {
  /// The sleeping tasks and the scheduled blocks.
  public var leftovers: [String] { waits.map { "a pending timer: \($0)" } }
}

extension LeakTracker: LeftoverReporting {
  /// The tracked objects that are still alive.
  public var leftovers: [String] { survivors.map { "an object that is still alive: \($0)" } }
}

extension LiveObjects: LeftoverReporting {
  /// The live objects of the scope. Always empty in a release build, which does not count them.
  public var leftovers: [String] {
    let count = count
    return count.isEmpty ? [] : ["objects that are still alive: \(count)"]
  }
}

extension CountingNotificationCenter: LeftoverReporting {
  /// The number of observers, unless it is 0.
  public var leftovers: [String] {
    let count = observerCount
    return count == 0 ? [] : ["observers of notifications: \(count)"]
  }
}
