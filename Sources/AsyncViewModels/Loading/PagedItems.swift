/// The items of a long list that a screen loads page by page, and what the screen shows meanwhile.
///
/// `Request` is what the service needs to return a page: a number, a cursor, or a type of the app.
///
/// ```swift
/// actor ArticlesViewModel: ViewModelActor {
///   nonisolated let modelState = ModelState(PagedItems<Article, Int>(first: 1))
///   private let service: any ArticleService
///   private let slot = TaskSlot(.latest)
///
///   init(service: any ArticleService) { self.service = service }
///
///   func load() async { await perform(.load) }
///   func loadNextPage() async { await perform(.loadNextPage) }
///
///   private func perform(_ intent: PageIntent) async {
///     guard let number = state.request(for: intent) else { return await slot.wait() }
///     store.update { $0.begin(number) }
///     await slot.run(on: self) { [service] in
///       let articles = try await service.articles(page: number)
///       return PagedItems.Page(items: articles, next: articles.isEmpty ? nil : number + 1)
///     } commit: { model, outcome in
///       model.store.update { $0.receive(outcome) }
///     }
///   }
/// }
/// ```
///
/// | event | ``items`` | failure |
/// | --- | --- | --- |
/// | a load or reload begins | kept | ``reloadFailure`` is hidden |
/// | the first page arrives | replaced by the page | all removed |
/// | a next page begins | kept | ``nextPageFailure`` is hidden |
/// | a next page arrives | the page is appended; an item with a known id replaces the older one at its position | ``nextPageFailure`` is removed |
/// | a page adds no item and is not the last one | kept, updated, and at their end, so a service that repeats a cursor cannot cause endless requests | ``PagedItemsError/nothingNew`` |
/// | a page arrives whose next request is the first one | shown, and at their end, for the same reason | ``PagedItemsError/nothingNew`` |
/// | a request fails | kept | that of the request |
/// | the cursor of the next page has expired | kept, and at their end; a retry loads the first page | that of the request |
/// | a request is cancelled | kept | shown again |
///
/// - Complexity: O(page size) to add a page and O(1) to change an item if there are no copies of
///   this value, otherwise O(items). Use `updateInPlace(_:)` of the store to make no copy. A
///   reload with the same ids in the same order hashes no id. Everything else is O(1).
public struct PagedItems<Item: Identifiable & Sendable, Request: Hashable & Sendable>: Sendable
where Item.ID: Sendable {
  /// One page of the list, as a service returns it.
  public struct Page: Sendable {
    /// The items of the page.
    public let items: [Item]
    /// The request for the next page. `nil` if the list ends with this page.
    public let next: Request?

    /// Creates a page.
    @export(implementation)
    public init(items: [Item], next: Request?) { (self.items, self.next) = (items, next) }
  }

  /// The request that is running.
  @export(implementation) public var pendingRequest: Request? { pending }

  @usableFromInline let first: Request
  @usableFromInline var pending: Request?
  /// The received pages. The load of the first page loads this value.
  @usableFromInline var pages = Loadable<ReceivedPages>()
  /// The latest failure of a next page, until a success. A cancelled load shows it again.
  @usableFromInline var failedPage: (request: Request, error: any Error)?

  /// Creates a list before its first load.
  ///
  /// - Parameter first: The request for the first page.
  @export(implementation)
  public init(first: Request) { self.first = first }

  /// The items of all received pages, each id once. Empty before the first page.
  @export(implementation)
  public var items: [Item] { pages.value?.items ?? [] }

  /// The items, or why there are none. A reload shows the old items, also after its failure.
  @export(implementation)
  public var content: ViewState<[Item]> {
    let content = pages.content.map(\.items)
    return content.value?.isEmpty == true ? .empty : content
  }

  /// Whether the first page has been loaded.
  @export(implementation)
  public var isLoaded: Bool { pages.value != nil }

  /// Whether the first page is being loaded again.
  @export(implementation)
  public var isReloading: Bool { pages.isReloading }

  /// Whether a later page is being loaded.
  @export(implementation)
  public var isLoadingNextPage: Bool { pending.map { $0 != first } ?? false }

  /// Whether there is a next page. `false` before the first page, and after a cursor has expired.
  @export(implementation)
  public var hasMore: Bool { pages.value?.next != nil }

  /// Whether the cursor of the next page has expired, so that only a reload shows further items.
  @export(implementation)
  public var isExpired: Bool { pages.value?.isExpired ?? false }

  /// The error of the last completed load of the first page. `nil` after a success, during the
  /// load, and after a later failure of a next page.
  @export(implementation)
  public var failure: (any Error)? { pages.failure }

  /// The ``failure`` of a reload. The items are those from before the reload.
  @export(implementation)
  public var reloadFailure: (any Error)? { pages.reloadFailure }

  /// The error of the last load of a next page. `nil` while a next page is being loaded, after its
  /// success, and after a reload.
  @export(implementation)
  public var nextPageFailure: (any Error)? { isLoadingNextPage ? nil : failedPage?.error }

  /// Returns the request to send for an intent. Returns `nil` if there is nothing to request, or if
  /// the intent joins the running request.
  @export(implementation)
  public func request(for intent: PageIntent) -> Request? {
    switch intent {
    case .load: isLoaded || pending != nil ? nil : first
    case .reload: first
    case .loadNextPage: pending == nil ? pages.value?.next : nil
    case .retry: pending == nil ? failedRequest : nil
    }
  }

  /// The latest request that failed. After a cursor has expired, the same request would fail again.
  @export(implementation)
  var failedRequest: Request? { failure != nil || isExpired ? first : failedPage?.request }

  /// Records that a request begins, in place of the running one.
  @export(implementation)
  public mutating func begin(_ request: Request) {
    pending = request
    if request == first { pages.begin() } else { pages.cancel() }
  }

  /// Ends the running request with its outcome. Ignores an outcome if no request is running.
  ///
  /// - Parameters:
  ///   - outcome: What the service has returned.
  ///   - isExpired: Whether an error means that the service does not know the cursor of a request,
  ///     or no longer does.
  ///   - nothingNew: The failure of a page that is not the last one, if it adds no item or its next
  ///     page is the first one.
  @export(implementation)
  public mutating func receive(
    _ outcome: TaskOutcome<Page>, isExpired: (any Error) -> Bool = { _ in false },
    nothingNew: @autoclosure () -> any Error = PagedItemsError.nothingNew
  ) {
    guard let request = pending else { return }
    pending = nil
    switch outcome {
    case .success(let page) where request == first:
      if page.items.isEmpty, page.next != nil { return fail(request, nothingNew()) }
      show(ReceivedPages(page, replacing: pages.value))
      if page.next == first { end(after: request, nothingNew()) }
    case .success(let page):
      if let failedPage { ReplacedValues.keep(failedPage) }
      failedPage = nil
      guard let addsItems = pages.update({ $0.append(page) }), page.next != nil else { return }
      if !addsItems || page.next == first { end(after: request, nothingNew()) }
    case .failure(let error):
      if request != first, isExpired(error) { pages.update { $0.expire() } }
      fail(request, error)
    case .cancelled: pages.cancel()
    }
  }

  /// Ends the running request, and shows what was shown before it.
  @export(implementation)
  public mutating func cancel() {
    pending = nil
    pages.cancel()
  }

  /// Ends the running request, and removes the items and the failures, as before the first load.
  @export(implementation)
  public mutating func reset() {
    ReplacedValues.keep((pages, failedPage?.error))
    self = PagedItems(first: first)
  }

  /// Whether the list contains an item.
  @export(implementation)
  public func contains(_ id: Item.ID) -> Bool { pages.value?.positions[id] != nil }

  /// Changes an item in place, for example after a live update. Does nothing without the item.
  ///
  /// - Precondition: `body` does not change the id of the item.
  @export(implementation)
  public mutating func update(_ id: Item.ID, _ body: (inout Item) -> Void) {
    pages.update { pages in
      guard let position = pages.positions[id] else { return }
      ReplacedValues.keep(pages.items[position])
      body(&pages.items[position])
    }
  }

  @export(implementation)
  mutating func show(_ received: ReceivedPages) {
    ReplacedValues.keep((pages, failedPage?.error))
    pages.receive(.success(received))
    failedPage = nil
  }

  @export(implementation)
  mutating func fail(_ request: Request, _ error: any Error) {
    ReplacedValues.keep((pages, failedPage?.error))
    if request == first { pages.receive(.failure(error)) } else { keepFailure(of: request, error) }
  }

  /// Ends the list with a page that was received, and whose next page would add nothing.
  @export(implementation)
  mutating func end(after request: Request, _ error: any Error) {
    ReplacedValues.keep((pages, failedPage?.error))
    pages.update { $0.next = nil }
    keepFailure(of: request, error)
  }

  /// Keeps the failure of a page. The latest failure is the one to retry.
  @export(implementation)
  mutating func keepFailure(of request: Request, _ error: any Error) {
    (pages, failedPage) = (Loadable(pages.value), (request, error))
  }
}

extension PagedItems {
  /// The received pages: their items, and where the list continues.
  @usableFromInline
  struct ReceivedPages: Sendable {
    @usableFromInline var items: [Item]
    /// The index of each item in `items`. Two pages can contain the same item.
    @usableFromInline var positions: [Item.ID: Int] = [:]
    @usableFromInline var next: Request?
    @usableFromInline var isExpired = false

    /// Creates the received pages after the first page. Keeps the positions of the old pages if the
    /// ids are the same.
    @export(implementation)
    init(_ page: Page, replacing old: ReceivedPages?) {
      (items, next) = ([], page.next)
      if let old, old.hasSameIDs(as: page.items) {
        (items, positions) = (page.items, old.positions)
      } else {
        add(page.items)
      }
    }

    /// Adds a page. Returns whether it contains an item that no earlier page contains.
    @export(implementation)
    mutating func append(_ page: Page) -> Bool {
      let count = items.count
      next = page.next
      add(page.items)
      return items.count > count
    }

    @export(implementation)
    mutating func expire() { (next, isExpired) = (nil, true) }

    @export(implementation)
    mutating func add(_ page: [Item]) {
      let count = items.count
      positions.reserveCapacity(count + page.count)
      // Each id is hashed once, unless the page contains a known item.
      for item in page {
        let end = positions.count
        if let position = positions.updateValue(end, forKey: item.id) { positions[item.id] = position }
      }
      if positions.count == count + page.count {
        // The first page shares its storage with the list.
        if items.isEmpty { items = page } else { items += page }
        return
      }
      for item in page {
        if let position = positions[item.id], position < items.count {
          ReplacedValues.keep(exchange(&items[position], with: item))
        } else {
          items.append(item)
        }
      }
    }

    @export(implementation)
    func hasSameIDs(as page: [Item]) -> Bool {
      items.count == page.count && page.indices.allSatisfy { items[$0].id == page[$0].id }
    }
  }
}

/// An intent of a screen with pages. See ``PagedItems/request(for:)``.
public enum PageIntent: Sendable, CaseIterable {
  /// Loads the first page, unless it is loaded.
  case load
  /// Loads the first page again, in place of all pages and of the running request.
  case reload
  /// Loads the next page, if there is one.
  case loadNextPage
  /// Repeats the latest request that has failed.
  case retry
}
