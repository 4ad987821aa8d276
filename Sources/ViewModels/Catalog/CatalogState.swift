public import AsyncViewModels
public import StorefrontDomain

/// The state of a catalog in sections, and the rules by which it changes. All three stages use it, and none adds a rule.
///
/// A catalog is loaded to its end, page after page. The first load shows each page when it arrives; a refresh shows the old catalog
/// until the new one is complete. ``request(for:)`` returns the first page to request, if any. ``begin(_:for:)`` records that it is
/// being loaded. ``receive(_:)`` adds the result and returns the next page to request. ``cancel()`` ends the load.
///
/// An observer need not see every state: it computes the ``difference(from:)`` the state that it showed last.
///
/// - Complexity: O(items) to show a page. Everything else is O(1), and copies share the items.
public struct CatalogState<
  SectionID: Hashable & Comparable & Sendable, Item: Identifiable & Equatable & Sendable
>: Sendable where Item.ID: Sendable {
  /// The sections and products that a list view shows.
  public typealias Snapshot = ListSnapshot<SectionID, Item.ID, Item>
  /// The changes from one snapshot to another.
  public typealias Difference = ListSnapshotDifference<SectionID, Item.ID, Item>

  /// The sections and items on the screen.
  public private(set) var snapshot = Snapshot()
  /// The difference between this snapshot and the one before.
  public private(set) var difference = Difference()
  /// The page that is being loaded.
  public private(set) var pendingRequest: PageRequest?

  private let first: PageRequest
  private let section: @Sendable (Item) -> SectionID
  private var shown: Listing<Item>
  /// The pages that a refresh has read so far.
  private var refreshed: Listing<Item>?
  /// The latest failure, until a success. Kept during a retry, so that cancelling the retry restores it.
  private var latestFailure: (any Error)?
  private var revision = Revision()
  private var revisionBefore: Revision?

  /// - Parameter section: Returns the section of an item. Sections without items are not shown.
  /// - Precondition: `pageSize` is at least 1.
  package init(pageSize: Int, section: @escaping @Sendable (Item) -> SectionID) {
    first = PageRequest(index: 0, size: pageSize)
    shown = Listing(next: first)
    self.section = section
  }

  /// The sections, or the reason why there are none. During a refresh, and after a failed one, the old sections.
  public var content: ViewState<Snapshot> {
    if !snapshot.isEmpty { return .loaded(snapshot) }
    if isComplete { return .empty }
    if pendingRequest != nil { return .loading }
    return latestFailure.map { .failed($0) } ?? .idle
  }

  /// Whether all pages of the catalog are shown.
  public var isComplete: Bool { shown.next == nil }

  /// Whether the catalog is being loaded again while the old one is shown.
  public var isRefreshing: Bool { refreshed != nil }

  /// The error that ended the last load, until the next one begins.
  public var failure: (any Error)? { pendingRequest == nil ? latestFailure : nil }

  /// Returns the difference between a state that an observer showed and this one.
  ///
  /// The other state can be any earlier state, of this catalog or of another one.
  ///
  /// - Complexity: O(1) for the state before this one and for a state with the same snapshot, otherwise that of
  ///   ``ListSnapshot/difference(from:)``.
  public func difference(from last: CatalogState) -> Difference {
    revisionBefore === last.revision ? difference : snapshot.difference(from: last.snapshot)
  }

  /// Returns the first page to request for an intent, or `nil` if there is nothing to do.
  package func request(for intent: LoadIntent) -> PageRequest? {
    switch intent {
    case .load: pendingRequest == nil ? shown.next : nil
    case .refresh: first
    }
  }

  /// Records that a page is being loaded, and replaces a load in progress.
  package mutating func begin(_ request: PageRequest, for intent: LoadIntent) {
    pendingRequest = request
    refreshed = intent == .refresh ? Listing(next: first) : nil
  }

  /// Adds the result of the pending request. A cancellation has the effect of ``cancel()``. An item that the catalog contains twice,
  /// because it shifted between two pages, is replaced in its place.
  ///
  /// - Returns: The page to request next. It counts as pending.
  package mutating func receive(_ outcome: TaskOutcome<Page<Item>>) -> PageRequest? {
    guard let request = pendingRequest else { return nil }
    pendingRequest = nil
    switch outcome {
    case .success(let page): pendingRequest = take(page, request)
    case .failure(let error): (refreshed, latestFailure) = (nil, error)
    case .cancelled: refreshed = nil
    }
    return pendingRequest
  }

  /// Ends the load. The content stays: the old catalog, or the pages of the first load that have arrived. ``LoadIntent/load``
  /// continues after them.
  package mutating func cancel() {
    pendingRequest = nil
    refreshed = nil
  }

  private mutating func take(_ page: Page<Item>, _ request: PageRequest) -> PageRequest? {
    var listing = refreshed ?? shown
    listing.append(page, next: page.isLast ? nil : request.next)
    if isRefreshing && listing.next != nil { refreshed = listing } else { show(listing) }
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
  /// Identifies a snapshot. An object, because equal numbers could come from two catalogs.
  private final class Revision: Sendable {}
}
