public import AsyncViewModels
public import ListSnapshots
public import StorefrontDomain

/// The state of a catalog in sections, and the rules by which it changes. The closure, stream and async view models share this
/// type, and none of them adds a rule.
///
/// A load requests all pages of the catalog, one after another. The first load shows each page when it
/// arrives. A refresh shows the old catalog until the new one is complete.
///
/// The service pages by number or by cursor. If a cursor has expired (``/StorefrontDomain/PageError/expired(_:)``), the catalog
/// cannot be continued. The next load then works like a refresh.
///
/// An observer may skip states: ``difference(from:)`` returns the changes since the state that the observer showed last.
///
/// - Complexity: O(items) to receive a page. Everything else is O(1), except ``difference(from:)``. Copies share the items.
public struct CatalogState<
  SectionID: Hashable & Comparable & Sendable, Item: Identifiable & Equatable & Sendable
>: Sendable where Item.ID: Sendable {
  /// The sections and items that a list view shows.
  public typealias Snapshot = ListSnapshot<SectionID, Item.ID, Item>
  /// The changes from one snapshot to another.
  public typealias Difference = ListSnapshotDifference<SectionID, Item.ID, Item>

  /// The sections and items on the screen.
  public private(set) var snapshot = Snapshot()
  /// The changes from the previous snapshot to this one.
  public private(set) var difference = Difference()
  /// The page that is being loaded. `nil` if no load is in progress.
  public private(set) var pendingRequest: PageRequest?

  private let first: PageRequest
  private let section: @Sendable (Item) -> SectionID
  private var shown: Listing<Item>
  /// The pages that the refresh in progress has received. `nil` if no refresh is in progress.
  private var refreshed: Listing<Item>?
  /// The latest failure. `nil` after a later load has shown new content. Starting a new load does not clear the failure, so that
  /// the screen shows the failure again if the new load is cancelled.
  private var latestFailure: (any Error)?
  private var revision = Revision()
  private var revisionBefore: Revision?

  /// - Parameter section: Returns the section of an item. Sections without items are not shown.
  /// - Precondition: `pageSize` is at least 1.
  package init(pageSize: Int, section: @escaping @Sendable (Item) -> SectionID) {
    first = PageRequest(size: pageSize)
    shown = Listing(next: first)
    self.section = section
  }

  /// The sections, or the reason why there are none. During a refresh and after a failed refresh, these are the old sections.
  public var content: ViewState<Snapshot> {
    if !snapshot.isEmpty { return .loaded(snapshot) }
    if isComplete { return .empty }
    if pendingRequest != nil { return .loading }
    return latestFailure.map { .failed($0) } ?? .idle
  }

  /// Whether there is no further page to load: the last page is shown, or a page added nothing
  /// (``/StorefrontDomain/PageError/nothingNew(at:)``). `false` if a cursor has expired: the next load begins with the first page.
  public var isComplete: Bool { shown.next == nil && !shown.isExpired }

  /// Whether a refresh is in progress. The old catalog is shown until the refresh is complete.
  public var isRefreshing: Bool { refreshed != nil }

  /// The error of the latest failed load. `nil` while a load is in progress, and after a later load has shown new content.
  public var failure: (any Error)? { pendingRequest == nil ? latestFailure : nil }

  /// Returns the changes from `last` to this state.
  ///
  /// Usually, `last` is the state that an observer showed last. It can be any state, of this catalog or of another one.
  ///
  /// - Complexity: O(1) if `last` has the previous snapshot or the same snapshot as this state. Otherwise the complexity of
  ///   ``ListSnapshot/difference(from:)``.
  public func difference(from last: CatalogState) -> Difference {
    revisionBefore === last.revision ? difference : snapshot.difference(from: last.snapshot)
  }

  /// Returns the first page to request for an intent, or `nil` if the intent needs no request.
  package func request(for intent: LoadIntent) -> PageRequest? {
    switch intent {
    case .load: pendingRequest == nil ? (shown.isExpired ? first : shown.next) : nil
    case .refresh: first
    }
  }

  /// Records that a page is being loaded for an intent. Discards the pages that an earlier refresh has received.
  package mutating func begin(_ request: PageRequest, for intent: LoadIntent) {
    pendingRequest = request
    refreshed = intent == .refresh || shown.isExpired ? Listing(next: first) : nil
  }

  /// Adds the result of the pending request. A cancellation has the effect of ``cancel()``. If an item is on two pages, because the
  /// item moved between the requests, its newer version takes the place of the older one. If a page adds no item and is not the
  /// last one, the load fails with a ``/StorefrontDomain/PageError``. The catalog then ends, unless the load was a refresh: a
  /// refresh keeps the old catalog.
  ///
  /// - Returns: The page to request next, which is now ``pendingRequest``, or `nil` if the load is over.
  package mutating func receive(_ outcome: TaskOutcome<Page<Item>>) -> PageRequest? {
    guard let request = pendingRequest else { return nil }
    pendingRequest = nil
    switch outcome {
    case .success(let page): pendingRequest = take(page, request)
    case .failure(let error):
      if !isRefreshing && !request.isFirst { shown.end(after: error) }
      (refreshed, latestFailure) = (nil, error)
    case .cancelled: refreshed = nil
    }
    return pendingRequest
  }

  /// Ends the load. The content stays: the old catalog of a refresh, or the received pages of a first load. ``LoadIntent/load``
  /// continues with the first page that is missing, or begins again after a cursor has expired.
  package mutating func cancel() {
    pendingRequest = nil
    refreshed = nil
  }

  private mutating func take(_ page: Page<Item>, _ request: PageRequest) -> PageRequest? {
    var listing = refreshed ?? shown
    let error = listing.append(page, after: request).error
    if let error, isRefreshing {
      (refreshed, latestFailure) = (nil, error)
      return nil
    }
    if isRefreshing && listing.next != nil { refreshed = listing } else { show(listing) }
    if let error { latestFailure = error }
    return listing.next
  }

  private mutating func show(_ listing: Listing<Item>) {
    let newest = Snapshot(groupingUnique: listing.items, by: section)
    difference = newest.difference(from: snapshot)
    snapshot = newest
    (revisionBefore, revision) = (revision, Revision())
    (shown, refreshed, latestFailure) = (listing, nil, nil)
  }
}

extension CatalogState {
  /// Identifies a snapshot by object identity. A number would not suffice, because two catalogs could use the same number.
  private final class Revision: Sendable {}
}
