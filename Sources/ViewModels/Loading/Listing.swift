import StorefrontDomain

/// The items of the received pages, in the order of the service, and the request for the next page.
struct Listing<Item: Sendable & Identifiable>: Sendable where Item.ID: Sendable {
  private(set) var items: [Item] = []
  private var nextPage: NextPage
  /// The index of each item in `items`. If a server's list changes between two requests, two pages can contain the same item.
  private var positions: [Item.ID: Int] = [:]

  init(next: PageRequest? = nil) { nextPage = NextPage(next) }

  /// The request for the next page. `nil` at the end, and if the service no longer knows the cursor of the next page.
  var next: PageRequest? { nextPage.request }

  /// Whether the service no longer knows the cursor of the next page. The list must then be loaded again from the start.
  var isExpired: Bool { nextPage.isExpired }

  /// Adds the page that a request has returned. An item that is already in the list is replaced at its position.
  ///
  /// - Returns: ``/StorefrontDomain/PageError/nothingNew(at:)`` if the page adds no item and is not the last one. The listing
  ///   then ends with this page.
  /// - Complexity: O(size of the page) if there are no copies of the listing, otherwise O(items).
  mutating func append(_ page: Page<Item>, after request: PageRequest) -> PageError? {
    let count = items.count
    for item in page.items {
      if let position = positions[item.id] {
        items[position] = item
      } else {
        positions[item.id] = items.count
        items.append(item)
      }
    }
    return nextPage.goOn(after: page, of: request, addsItems: items.count > count)
  }

  /// Ends the listing if the request for the next page has failed because its cursor has expired.
  mutating func end(after error: any Error) { nextPage.end(after: error) }

  func contains(_ id: Item.ID) -> Bool { positions[id] != nil }

  /// Replaces the item of an update. Does nothing if the list does not contain the item.
  mutating func apply(_ update: ItemUpdate<Item>) {
    guard let position = positions[update.id] else { return }
    items[position] = update.applied(to: items[position])
  }
}
