public import AsyncViewModelsGCD
public import Dispatch
public import StorefrontDomain

/// The view model of the storefront's list of products, in the stream stage.
public typealias ProductListStreamViewModel = ListStreamViewModel<CatalogProduct>

/// The view model of a list that is loaded page by page, in the stream stage: completion handlers, and any number of observers.
///
/// - Isolation: The private serial `queue` guards the request and the feed; the compiler does not check this. Completion handlers
///   are called on `callbackQueue`. Use `state` and `states()` from any thread.
/// - Ordering: Intents, the methods that ask the view model to act, take effect in the order of the calls. ``cancel()`` takes
///   effect before it returns. All other intents take effect asynchronously. If a new request replaces a running one, the answer to
///   the old request is dropped, and the callers of both requests wait for the new one.
/// - Cancellation: After ``cancel()`` returns, the cancelled load publishes no more states. Releasing the view model cancels the
///   request and ends the reader of its feed.
/// - Hazards: None for observers. Completion handlers keep alive the objects that they capture strongly. ``cancel()`` waits for
///   `queue`, so it deadlocks if it is called on `queue`, for example by a service that is starting a request, or by the `deinit`
///   of an item that a new answer replaces.
public final class ListStreamViewModel<Item: Sendable & Identifiable>: StateSource, @unchecked Sendable
where Item.ID: Sendable {
  /// Called once, when the load is over: it has succeeded, failed or been cancelled.
  public typealias LoadCompletion = @Sendable () -> Void

  public let store: ObservableState<ListState<Item>>
  private let liveObject = LiveObjectToken(.viewModel, "ListStreamViewModel")
  private let queue: DispatchQueue
  private let service: any PageClosureService<Item>
  private let slot: RequestSlot
  private let feed: ItemClosureFeed<Item>?
  private var following: CancellationToken?
  private var updates = UpdatesInFlight<Item>()

  /// Creates a view model. The initializer loads nothing.
  ///
  /// - Precondition: `pageSize` is at least 1.
  public convenience init(
    service: any PageClosureService<Item>, pageSize: Int = 50, callbackQueue: DispatchQueue = .main
  ) {
    self.init(service: service, feed: nil, pageSize: pageSize, callbackQueue: callbackQueue)
  }

  private init(
    service: any PageClosureService<Item>, feed: ItemClosureFeed<Item>?, pageSize: Int,
    callbackQueue: DispatchQueue
  ) {
    store = ObservableState(ListState(pageSize: pageSize))
    queue = DispatchQueue(label: "ListStreamViewModel")
    self.service = service
    self.feed = feed
    slot = RequestSlot(queue: queue, callbackQueue: callbackQueue)
  }

  // The last reference can be released on the queue, and the feed's cancellation handler may wait for the queue.
  deinit { following?.cancelOnGlobalQueue() }

  /// Loads the first page, unless it is already loaded. If a load or a refresh is in progress, joins it instead of sending another
  /// request.
  ///
  /// `completion` is called once, when the load is over, or right away if there is nothing to wait for.
  public func load(completion: LoadCompletion? = nil) { perform(.load, completion) }

  /// Loads the first page again, and replaces a load that is in progress. The old items stay until the answer arrives. After a
  /// failure, the state contains the old items and the error.
  public func refresh(completion: LoadCompletion? = nil) { perform(.refresh, completion) }

  /// Loads the next page and appends it. If a load is in progress, joins it instead of sending another request. If no load is in
  /// progress, does nothing at the end of the list, before the first page has arrived, and after the cursor of the next page has
  /// expired.
  public func loadNextPage(completion: LoadCompletion? = nil) { perform(.loadNextPage, completion) }

  /// Requests the page of the latest failed load again. If the cursor of the next page has expired, loads the first page again, in
  /// place of the list. If a load is in progress, joins it instead of sending another request. If no load is in progress and there
  /// is no failure, does nothing.
  public func retry(completion: LoadCompletion? = nil) { perform(.retry, completion) }

  /// Cancels the load in progress, if any, and restores the state from before the load.
  public func cancel() {
    let cancelled = queue.sync { () -> CancellationToken? in
      guard state.pendingRequest != nil else { return nil }
      store.update { $0.cancel() }
      updates.end()
      return slot.cancel()
    }
    // Cancels outside the queue: a service's cancellation handler may wait for the queue, which would deadlock.
    cancelled?.cancel()
  }

  private func perform(_ intent: ListIntent, _ completion: LoadCompletion?) {
    queue.async { [self] in
      guard let request = state.request(for: intent) else { return slot.notify(completion) }
      follow()
      store.update { $0.begin(request) }
      updates.begin()
      slot.run(completion) {
        service.page(request, completion: $0)
      } receive: { [weak self] result in
        self?.receive(TaskOutcome(result))
      }
    }
  }

  private func receive(_ outcome: TaskOutcome<Page<Item>>) {
    let answer = updates.end(with: outcome)
    // A copy of the old state would copy the whole list.
    store.updateInPlace { $0.receive(answer) }
  }

  private func follow() {
    guard let feed, !state.isFollowing else { return }
    store.update { $0.beginFollowing() }
    // The earlier reader has ended. A feed that has not released its reader does so now.
    following?.cancelOnGlobalQueue()
    following = feed.follow(on: queue) { [weak self] update in
      self?.receive(update)
    } completion: { [weak self] outcome in
      self?.store.update { $0.endFollowing(outcome) }
    }
  }

  private func receive(_ update: ItemUpdate<Item>) {
    updates.receive(update)
    if state.shows(update) { store.updateInPlace { $0.receive(update) } }
  }
}

extension ListStreamViewModel where Item == CatalogProduct {
  /// Creates a view model of products that follows a feed. The initializer loads nothing.
  ///
  /// The list follows from the first request on, until it is released or the feed ends. ``cancel()`` does not end that. An update
  /// that arrives while a request is in flight also changes the answer, so that the answer does not bring back an older price or
  /// stock. If the feed fails, the list keeps its items, and ``ListState/feedFailure`` is the error.
  ///
  /// - Precondition: `pageSize` is at least 1.
  public convenience init(
    service: any PageClosureService<Item>, feed: any ProductClosureFeed, pageSize: Int = 50,
    callbackQueue: DispatchQueue = .main
  ) {
    // The products of the list are not known before the first request.
    self.init(
      service: service, feed: ItemClosureFeed(feed, of: nil), pageSize: pageSize,
      callbackQueue: callbackQueue)
  }
}
