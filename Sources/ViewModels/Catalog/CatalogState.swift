public import AsyncViewModels
public import ListSnapshots
public import StorefrontDomain

/// The state of a catalog in sections, and its rules, for all three stages.
///
/// - `load` requests all pages, one after another, and shows each when it arrives. It joins a load
///   in progress, and continues after a cancelled or failed one. After a cursor has expired
///   (``/StorefrontDomain/PageError/expired(_:)``), it works like a refresh.
/// - `refresh` loads the catalog again. The old catalog stays until the new one is complete, and
///   after a failure. A refresh replaces a load in progress, whose callers wait for it.
/// - `cancel` ends the load. The content stays.
///
/// An observer may skip states: see ``difference(from:)``.
///
/// - Complexity: O(items) to receive a page, otherwise O(1), except ``difference(from:)``.
public struct CatalogState<
  SectionID: Hashable & Comparable & Sendable, Item: Identifiable & Equatable & Sendable
>: Sendable where Item.ID: Sendable {
  /// The sections and items that a list view shows.
  public typealias Snapshot = ListSnapshot<SectionID, Item.ID, Item>
  /// The changes from one snapshot to another.
  public typealias Difference = ListSnapshotDifference<SectionID, Item.ID, Item>

  private typealias Pages = PagedItems<Item, PageRequest>

  /// The sections and items on the screen.
  public private(set) var snapshot = Snapshot()
  /// The changes from the previous snapshot to this one.
  public private(set) var difference = Difference()

  private let section: @Sendable (Item) -> SectionID
  private var shown: Pages
  /// The pages of the refresh in progress.
  private var refreshed: Pages?
  /// The latest failure, until new content is shown. A cancelled load shows it again.
  private var latestFailure: (any Error)?
  private var revision = Revision()
  private var revisionBefore: Revision?

  /// - Parameter section: Returns the section of an item. Sections without items are not shown.
  /// - Precondition: `pageSize` is at least 1.
  package init(pageSize: Int, section: @escaping @Sendable (Item) -> SectionID) {
    shown = Pages(pageSize: pageSize)
    self.section = section
  }

  /// The page that is being loaded.
  public var pendingRequest: PageRequest? { (refreshed ?? shown).pendingRequest }

  /// The sections, or why there are none. A refresh shows the old ones, also after its failure.
  public var content: ViewState<Snapshot> {
    if shown.isLoaded { return snapshot.isEmpty ? .empty : .loaded(snapshot) }
    if pendingRequest != nil { return .loading }
    return latestFailure.map { .failed($0) } ?? .idle
  }

  /// Whether there is no further page: the last one is shown, or a page added nothing
  /// (``/StorefrontDomain/PageError/nothingNew(at:)``). `false` after a cursor has expired.
  public var isComplete: Bool { shown.isLoaded && !shown.hasMore && !shown.isExpired }

  /// Whether a refresh is in progress.
  public var isRefreshing: Bool { refreshed != nil }

  /// The error of the latest failed load. `nil` during a load, and after new content is shown.
  public var failure: (any Error)? { pendingRequest == nil ? latestFailure : nil }

  /// Returns the changes from any state, usually the one that an observer showed last, to this one.
  ///
  /// - Complexity: O(1) from the previous or the same snapshot, otherwise that of
  ///   ``ListSnapshot/difference(from:)``.
  public func difference(from last: CatalogState) -> Difference {
    revisionBefore === last.revision ? difference : snapshot.difference(from: last.snapshot)
  }

  /// Returns the first page to request for an intent, if any.
  package func request(for intent: LoadIntent) -> PageRequest? {
    switch intent {
    case .load where pendingRequest != nil: nil
    case .load where !shown.isExpired: shown.request(for: .load) ?? shown.request(for: .loadNextPage)
    case .load, .refresh: shown.request(for: .reload)
    }
  }

  /// Records that a page is being loaded, and discards the pages of an earlier refresh.
  package mutating func begin(_ request: PageRequest, for intent: LoadIntent) {
    cancel()
    if intent == .refresh || shown.isExpired { refreshed = Pages(first: request) }
    refreshed?.begin(request)
    if refreshed == nil { shown.begin(request) }
  }

  /// Adds the result of the pending request. The newer version of an item takes the place of the
  /// older one. A page that adds no item and is not the last one fails the load, and ends the
  /// catalog unless it is being refreshed. Returns the page to request next, if any.
  package mutating func receive(_ outcome: TaskOutcome<Page<Item>>) -> PageRequest? {
    guard pendingRequest != nil else { return nil }
    let isRefreshing = isRefreshing
    var pages = refreshed ?? shown
    refreshed = nil
    pages.receivePage(outcome)
    switch outcome {
    case .success: return take(pages, isRefreshing)
    case .failure(let error): latestFailure = error
    case .cancelled: break
    }
    if !isRefreshing { shown = pages }
    return nil
  }

  package mutating func cancel() {
    shown.cancel()
    refreshed = nil
  }

  private mutating func take(_ received: Pages, _ isRefreshing: Bool) -> PageRequest? {
    let error = received.failure ?? received.nextPageFailure
    let next = received.request(for: .loadNextPage)
    var pages = received
    if let next { pages.begin(next) }
    if isRefreshing && next != nil { refreshed = pages } else if !isRefreshing || error == nil { show(pages) }
    if let error { latestFailure = error }
    return next
  }

  private mutating func show(_ pages: Pages) {
    let newest = Snapshot(groupingUnique: pages.items, by: section)
    difference = newest.difference(from: snapshot)
    snapshot = newest
    (revisionBefore, revision) = (revision, Revision())
    (shown, latestFailure) = (pages, nil)
  }
}

extension CatalogState {
  /// Identifies a snapshot. Two catalogs could use the same number.
  private final class Revision: Sendable {}
}
