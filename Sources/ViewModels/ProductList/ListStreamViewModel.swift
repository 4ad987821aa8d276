public import AsyncViewModels
public import Dispatch
public import StorefrontDomain

/// The storefront's list of products, in the stream stage.
public typealias ProductListStreamViewModel = ListStreamViewModel<Product>

/// A list that is loaded page by page, in the stream stage.
///
/// - Isolation: `queue` guards the request, by convention. Completion handlers are called on `callbackQueue`. Use `state` and
///   `states()` from any thread.
/// - Ordering: Intents take effect asynchronously, in the order of the calls. The answer to a superseded request is dropped, and
///   its callers wait for the newer one.
/// - Cancellation: After ``cancel()`` returns, the cancelled load publishes no more states. Releasing the view model cancels the
///   request.
/// - Hazards: None for observers. Intents still have completion handlers. ``cancel()`` waits for the queue, so it deadlocks if it
///   is called there.
public final class ListStreamViewModel<Item: Sendable & Identifiable>: StateSource, @unchecked Sendable
where Item.ID: Sendable {
  /// Called once, when the load is over.
  public typealias LoadCompletion = @Sendable () -> Void

  public let store: ObservableState<ListState<Item>>
  private let liveObject = LiveObjectToken(.viewModel, "ListStreamViewModel")
  private let queue: DispatchQueue
  private let service: any PageClosureService<Item>
  private let slot: RequestSlot

  /// - Precondition: `pageSize` is at least 1.
  public init(
    service: any PageClosureService<Item>, pageSize: Int = 50, callbackQueue: DispatchQueue = .main
  ) {
    store = ObservableState(ListState(pageSize: pageSize))
    queue = DispatchQueue(label: "ListStreamViewModel")
    self.service = service
    slot = RequestSlot(queue: queue, callbackQueue: callbackQueue)
  }

  /// Loads the first page, unless it is loaded. Joins a load that is in progress.
  ///
  /// `completion` is called once, when the load is over.
  public func load(completion: LoadCompletion? = nil) { perform(.load, completion) }

  /// Loads the first page again, and replaces a load in progress. The old content stays until the answer arrives. After a
  /// failure, the screen shows both.
  public func refresh(completion: LoadCompletion? = nil) { perform(.refresh, completion) }

  /// Appends the next page. Does nothing at the end and before the first page. Joins a load that is in progress.
  public func loadNextPage(completion: LoadCompletion? = nil) { perform(.loadNextPage, completion) }

  /// Requests again the page that failed last. Joins a load that is in progress.
  public func retry(completion: LoadCompletion? = nil) { perform(.retry, completion) }

  /// Cancels the load in progress and restores the state before it.
  public func cancel() {
    let cancelled = queue.sync { () -> CancellationToken? in
      guard state.pendingRequest != nil else { return nil }
      store.update { $0.cancel() }
      return slot.cancel()
    }
    // Cancels outside the queue: a service's cancellation handler may wait for the queue, which would deadlock.
    cancelled?.cancel()
  }

  private func perform(_ intent: ListIntent, _ completion: LoadCompletion?) {
    queue.async { [self] in
      guard let request = state.request(for: intent) else { return slot.notify(completion) }
      store.update { $0.begin(request) }
      slot.run(completion) {
        service.page(request, completion: $0)
      } receive: { [weak self] result in
        self?.store.update { $0.receive(TaskOutcome(result)) }
      }
    }
  }
}
