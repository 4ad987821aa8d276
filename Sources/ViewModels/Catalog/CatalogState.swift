public import AsyncViewModels
public import StorefrontDomain

/// What the screen of a catalogue in sections shows, and the rules by which it changes. All three stages use it; none adds a rule.
///
/// A catalogue is read whole, page after page. The first time each page is shown as it comes; a refresh shows the old catalogue until
/// the new one is complete. ``request(for:)`` says with which page an intent begins, if any; ``begin(_:for:)`` notes that it is on its
/// way; ``receive(_:)`` takes in what came of it, and says which page is next; ``cancel()`` calls the reading off.
///
/// An observer need not see every state: it takes the ``difference(from:)`` the one that it showed last.
///
/// Cost: O(items) where a page is shown; everything else is O(1), and a copy shares the items.
public struct CatalogState<
  SectionID: Hashable & Comparable & Sendable, Item: Identifiable & Equatable & Sendable
>: Sendable where Item.ID: Sendable {
  public typealias Snapshot = ListSnapshot<SectionID, Item.ID, Item>
  public typealias Difference = ListSnapshotDifference<SectionID, Item.ID, Item>

  /// What is shown.
  public private(set) var snapshot = Snapshot()
  /// What has led to it from the snapshot before.
  public private(set) var difference = Difference()
  /// The page that is on its way.
  public private(set) var underWay: PageRequest?

  private let first: PageRequest
  private let section: @Sendable (Item) -> SectionID
  private var shown: Listing<Item>
  /// What a refresh has read so far.
  private var refreshed: Listing<Item>?
  /// The latest failure that no success has made up for. Kept while it is tried again: an attempt that is called off restores it.
  private var latestFailure: (any Error)?
  private var revision = Revision()
  private var revisionBefore: Revision?

  /// - Parameter section: to which section an item belongs; sections without items are not shown.
  /// - Precondition: `pageSize` is at least 1.
  package init(pageSize: Int, section: @escaping @Sendable (Item) -> SectionID) {
    first = PageRequest(index: 0, size: pageSize)
    shown = Listing(next: first)
    self.section = section
  }

  /// The sections that are there, or why there are none. While it is refreshed, and where that fails, the old ones.
  public var content: ViewState<Snapshot> {
    if !snapshot.isEmpty { return .loaded(snapshot) }
    if isComplete { return .empty }
    if underWay != nil { return .loading }
    return latestFailure.map { .failed($0) } ?? .idle
  }

  /// Whether all pages of the catalogue are shown.
  public var isComplete: Bool { shown.next == nil }

  /// Whether a new catalogue is being read behind the one that is shown.
  public var isRefreshing: Bool { refreshed != nil }

  /// Why reading ended early, until it is begun again.
  public var failure: (any Error)? { underWay == nil ? latestFailure : nil }

  /// What leads here from what an observer showed last, be it the state before this one or one of long ago, of this catalogue or of
  /// another.
  ///
  /// Cost: none for the state before and for one with the same snapshot, else that of ``ListSnapshot/difference(from:)``.
  public func difference(from last: CatalogState) -> Difference {
    revisionBefore === last.revision ? difference : snapshot.difference(from: last.snapshot)
  }

  /// The page with which reading begins for an intent, or nil where there is nothing to do.
  package func request(for intent: CatalogIntent) -> PageRequest? {
    switch intent {
    case .load: underWay == nil ? shown.next : nil
    case .refresh: first
    }
  }

  /// Notes that a page is on its way, in place of whatever was.
  package mutating func begin(_ request: PageRequest, for intent: CatalogIntent) {
    underWay = request
    refreshed = intent == .refresh ? Listing(next: first) : nil
  }

  /// Takes in what came of the page that was on its way. Cancellation is no failure: it leaves the state as ``cancel()`` does. An
  /// item that a catalogue shows again, because it shifted between two pages, is replaced in its place.
  ///
  /// - Returns: the page to request next, which counts as on its way.
  package mutating func receive(_ outcome: TaskOutcome<Page<Item>>) -> PageRequest? {
    guard let request = underWay else { return nil }
    underWay = nil
    switch outcome {
    case .success(let page): underWay = take(page, request)
    case .failure(let error): (refreshed, latestFailure) = (nil, error)
    case .cancelled: refreshed = nil
    }
    return underWay
  }

  /// Calls the reading off. What is shown stays: the old catalogue, or as much of the first as has come, where ``CatalogIntent/load``
  /// goes on.
  package mutating func cancel() {
    underWay = nil
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

/// What somebody wants of a catalogue.
package enum CatalogIntent: Sendable, CaseIterable {
  case load, refresh
}

extension CatalogState {
  /// Tells one snapshot from another: by who it is, because equal numbers could come from two catalogues.
  private final class Revision: Sendable {}
}
