import AsyncViewModels
import Dispatch
public import StorefrontDomain

/// The storefront's list of products, in the stream stage.
public typealias ProductListStreamViewModel = ListStreamViewModel<Product>

/// A list that is loaded page by page, in the stream stage.
///
/// - Isolation: `queue` guards the request, by convention; ``state`` and ``states()`` may be used from anywhere.
/// - Ordering: intents take effect in the order of the calls, after the call has returned; the answer to a request that was
///   superseded is dropped.
/// - Cancellation: once ``cancel()`` has returned nothing more is published; the request is cancelled when the view model goes away.
/// - Hazards: none of the closure stage in handing out state; ``cancel()`` still waits for the queue, and nobody is told when a load
///   has ended.
public final class ListStreamViewModel<Item: Sendable & Identifiable>: @unchecked Sendable
where Item.ID: Sendable {
  private let liveObject = LiveObjectToken(.viewModel, "ListStreamViewModel")
  private let queue = DispatchQueue(label: "ListStreamViewModel")
  private let service: any PageClosureService<Item>
  private let store: ObservableState<ListState<Item>>
  private var running: CancellationToken?  // guarded by `queue`
  private var generation = 0  // guarded by `queue`

  /// - Precondition: `pageSize` is at least 1.
  public init(service: any PageClosureService<Item>, pageSize: Int = 50) {
    self.service = service
    store = ObservableState(ListState(pageSize: pageSize))
  }

  public var state: ListState<Item> { store.value }

  /// A new observer: the current state, then the latest.
  public func states() -> AsyncStream<ListState<Item>> { store.stream() }

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
      guard store.value.underWay != nil else { return nil }
      store.update { $0.cancel() }
      return supersede()
    }
    // Not on the queue: what a service does when it is cancelled is its own business, and may well ask for the state.
    cancelled?.cancel()
  }

  private func perform(_ intent: ListIntent) {
    queue.async { [self] in
      guard let request = store.value.request(for: intent) else { return }
      supersede()?.cancelOffQueue()
      store.update { $0.begin(request) }
      running = service.page(request) { [weak self, generation] result in
        guard let self else { return }
        queue.async { self.receive(result, generation) }
      }
    }
  }

  private func receive(_ result: Result<Page<Item>, any Error>, _ generation: Int) {
    guard generation == self.generation else { return }
    running.take()?.finish()
    store.update { $0.receive(TaskOutcome(result)) }
  }

  /// A service may answer in spite of a cancellation: the number tells that answer from the one that is awaited.
  ///
  /// - Returns: what is to be cancelled, where that does not hold up the queue.
  private func supersede() -> CancellationToken? {
    generation += 1
    return running.take()
  }
}
