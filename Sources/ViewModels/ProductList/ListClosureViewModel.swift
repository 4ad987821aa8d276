public import AsyncViewModels
public import Dispatch
public import StorefrontDomain

/// The storefront's list of products, in the closure stage.
public typealias ProductListClosureViewModel = ListClosureViewModel<Product>

/// A list that is loaded page by page, in the closure stage.
///
/// - Isolation: `queue` guards the state and the request, by convention; the observer is called on `callbackQueue`.
/// - Ordering: intents take effect in the order of the calls, after the call has returned; the answer to a request that was
///   superseded is dropped.
/// - Cancellation: once ``cancel()`` has returned nothing more is sent, but what was sent before may still be on its way to the
///   observer; the request is cancelled when the view model goes away.
/// - Hazards: one observer, the last binding wins; ``state`` and ``cancel()`` wait for the queue, and deadlock on it; nobody is told
///   when a load has ended.
public final class ListClosureViewModel<Item: Sendable & Identifiable>: @unchecked Sendable
where Item.ID: Sendable {
  private let liveObject = LiveObjectToken(.viewModel, "ListClosureViewModel")
  private let queue = DispatchQueue(label: "ListClosureViewModel")
  private let callbackQueue: DispatchQueue
  private let service: any PageClosureService<Item>
  private let binding: CallbackState<ListState<Item>>
  private var current: ListState<Item>  // guarded by `queue`
  private var running: CancellationToken?  // guarded by `queue`
  private var generation = 0  // guarded by `queue`

  /// - Precondition: `pageSize` is at least 1.
  public init(
    service: any PageClosureService<Item>, pageSize: Int = 50, callbackQueue: DispatchQueue = .main
  ) {
    self.service = service
    self.callbackQueue = callbackQueue
    current = ListState(pageSize: pageSize)
    binding = CallbackState(current)
  }

  public var state: ListState<Item> { queue.sync { current } }

  /// Makes `observer` the one observer: the current state, then every later one, on the callback queue.
  public func bind(_ observer: @escaping @Sendable (ListState<Item>) -> Void) -> CancellationToken {
    binding.bind(on: callbackQueue, observer)
  }

  /// Loads the first page. Where it is there, or on its way, nothing more is requested.
  public func load() { perform(.load) }

  /// Begins again with the first page, in place of whatever is on its way. The old content stays until the answer is there, and
  /// where that is a failure, next to it.
  public func refresh() { perform(.refresh) }

  /// Appends the next page. Does nothing at the end, before the first page, and while anything is on its way.
  public func loadNextPage() { perform(.loadNextPage) }

  /// Requests again what failed last: the first page or a later one. Does nothing while anything is on its way.
  public func retry() { perform(.retry) }

  /// Calls off what is on its way, and goes back to what was there before.
  public func cancel() {
    let cancelled = queue.sync { () -> CancellationToken? in
      guard current.underWay != nil else { return nil }
      current.cancel()
      binding.send(current)
      return supersede()
    }
    // Not on the queue: what a service does when it is cancelled is its own business, and may well ask for the state.
    cancelled?.cancel()
  }

  private func perform(_ intent: ListIntent) {
    queue.async { [self] in
      guard let request = current.request(for: intent) else { return }
      supersede()?.cancelOffQueue()
      current.begin(request)
      binding.send(current)
      running = service.page(request) { [weak self, generation] result in
        guard let self else { return }
        queue.async { self.receive(result, generation) }
      }
    }
  }

  private func receive(_ result: Result<Page<Item>, any Error>, _ generation: Int) {
    guard generation == self.generation else { return }
    running.take()?.finish()
    current.receive(TaskOutcome(result))
    binding.send(current)
  }

  /// A service may answer in spite of a cancellation: the number tells that answer from the one that is awaited.
  ///
  /// - Returns: what is to be cancelled, where that does not hold up the queue.
  private func supersede() -> CancellationToken? {
    generation += 1
    return running.take()
  }
}
