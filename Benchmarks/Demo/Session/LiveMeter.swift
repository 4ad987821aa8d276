import Synchronization

/// Counts what a stage of the demo keeps alive.
///
/// The toolkit counts live objects only in debug builds, so the demo counts what it creates itself,
/// in every build: an object or closure counts as long as it is in memory. The tasks that a view
/// model starts for its own requests are not counted.
final class LiveMeter: Sendable {
  struct Counts: Hashable {
    /// The view models that are in memory.
    var viewModels = 0
    /// The streams of states and events that are in memory.
    var streams = 0
    /// The closures that receive states and events.
    var observers = 0
    /// The running tasks that read a stream or call an intent.
    var tasks = 0

    var isZero: Bool { self == Counts() }
  }

  /// Counts as long as it is in memory.
  final class Mark: Sendable {
    private let meter: LiveMeter
    private let path: any WritableKeyPath<Counts, Int> & Sendable

    fileprivate init(_ meter: LiveMeter, _ path: any WritableKeyPath<Counts, Int> & Sendable) {
      self.meter = meter
      self.path = path
      meter.state.withLock { $0.counts[keyPath: path] += 1 }
    }

    deinit { meter.state.withLock { $0.counts[keyPath: path] -= 1 } }
  }

  private struct WeakReference: Sendable {
    weak let object: (any AnyObject & Sendable)?
  }

  private struct State {
    var counts = Counts()
    var viewModels: [WeakReference] = []
  }

  private let state = Mutex(State())

  /// The current counts.
  var counts: Counts {
    let (current, references) = state.withLock { ($0.counts, $0.viewModels) }
    var counts = current
    // Outside the lock: reading a weak reference can release the last view model, whose marks take
    // the lock.
    counts.viewModels = references.count { $0.object != nil }
    return counts
  }

  /// Counts a view model until it is deallocated.
  func watch(_ viewModel: any AnyObject & Sendable) {
    state.withLock { $0.viewModels.append(WeakReference(object: viewModel)) }
  }

  /// Starts to count something. Keep the mark as long as it lives.
  func mark(_ path: any WritableKeyPath<Counts, Int> & Sendable) -> Mark { Mark(self, path) }
}

/// A stream that counts: itself as a stream, and each loop over it as a task.
struct MeteredStream<Element: Sendable>: AsyncSequence, Sendable {
  private let base: AsyncStream<Element>
  private let meter: LiveMeter
  private let stream: LiveMeter.Mark

  init(_ base: AsyncStream<Element>, _ meter: LiveMeter) {
    self.base = base
    self.meter = meter
    stream = meter.mark(\.streams)
  }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: AsyncStream<Element>.Iterator
    fileprivate let stream: LiveMeter.Mark
    fileprivate let task: LiveMeter.Mark

    mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
      await base.next(isolation: actor)
    }
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator(), stream: stream, task: meter.mark(\.tasks))
  }
}
