import Synchronization

/// A thread-safe list of events in order, and a counter of activities that run at the same time.
final class EventLog<Event: Sendable>: Sendable {
  private struct Contents {
    var values: [Event] = []
    var current = 0
    var peak = 0
    var begun = 0
  }

  private let contents = Mutex(Contents())

  var values: [Event] { contents.withLock { $0.values } }
  /// The number of activities that run now.
  var current: Int { contents.withLock { $0.current } }
  /// The largest number of activities that ran at the same time.
  var peak: Int { contents.withLock { $0.peak } }
  /// The number of all activities that have begun.
  var begun: Int { contents.withLock { $0.begun } }

  func append(_ event: Event) { contents.withLock { $0.values.append(event) } }

  /// Begins an activity.
  ///
  /// - Returns: The number of activities so far.
  @discardableResult
  func begin() -> Int {
    contents.withLock {
      $0.current += 1
      $0.begun += 1
      $0.peak = max($0.peak, $0.current)
      return $0.begun
    }
  }

  func end() { contents.withLock { $0.current -= 1 } }
}
