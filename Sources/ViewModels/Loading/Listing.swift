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
  ///   then ends with this page. Also returns the items that the page has replaced.
  /// - Complexity: O(size of the page) if there are no copies of the listing, otherwise O(items).
  mutating func append(
    _ page: Page<Item>, after request: PageRequest
  ) -> (error: PageError?, replaced: [Item]) {
    let count = items.count
    let replaced = add(page.items)
    return (nextPage.goOn(after: page, of: request, addsItems: items.count > count), replaced)
  }

  /// Shows the first page in place of all items. If the page has the same items in the same order, only their ids are compared:
  /// the listing keeps their positions, and shares the storage of the page.
  ///
  /// - Returns: As ``append(_:after:)``. If there is an error, the listing is empty.
  /// - Complexity: O(size of the page).
  mutating func restart(with page: Page<Item>, after request: PageRequest) -> PageError? {
    guard items.hasSameIDs(as: page.items) else {
      self = Listing()
      return append(page, after: request).error
    }
    (items, nextPage) = (page.items, NextPage())
    return nextPage.goOn(after: page, of: request, addsItems: !items.isEmpty)
  }

  /// Adds the items of a page, and returns those that they replace.
  @specialized(where Item == CatalogProduct)
  private mutating func add(_ page: [Item]) -> [Item] {
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
      return []
    }
    var replaced: [Item] = []
    for item in page {
      if let position = positions[item.id], position < items.count {
        replaced.append(exchange(&items[position], with: item))
      } else {
        items.append(item)
      }
    }
    return replaced
  }

  /// Ends the listing if the request for the next page has failed because its cursor has expired.
  mutating func end(after error: any Error) { nextPage.end(after: error) }

  func contains(_ id: Item.ID) -> Bool { positions[id] != nil }

  /// Replaces the item of an update, and returns the replaced item. Does nothing if the list does not contain the item.
  mutating func apply(_ update: ItemUpdate<Item>) -> Item? {
    guard let position = positions[update.id] else { return nil }
    return exchange(&items[position], with: update.applied(to: items[position]))
  }
}

extension Array where Element: Identifiable {
  /// The items, each identity once. A later item takes the place of an earlier one, as in ``Listing``.
  ///
  /// - Complexity: O(items).
  var latestOfEachID: [Element] {
    var (items, positions): ([Element], [Element.ID: Int]) = ([], [:])
    for item in self {
      if let position = positions[item.id] {
        items[position] = item
      } else {
        positions[item.id] = items.count
        items.append(item)
      }
    }
    return items
  }

  /// Whether the items have the same ids in the same order.
  @specialized(where Element == CatalogProduct)
  fileprivate func hasSameIDs(as others: [Element]) -> Bool {
    count == others.count && indices.allSatisfy { self[$0].id == others[$0].id }
  }
}
