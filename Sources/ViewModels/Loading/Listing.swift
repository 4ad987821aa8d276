import StorefrontDomain

/// The items of the received pages, in the order of the service, and the request for the next page.
struct Listing<Item: Sendable & Identifiable>: Sendable where Item.ID: Sendable {
  private(set) var items: [Item] = []
  private var nextPage: NextPage
  /// The index of each item in `items`. Two pages can contain the same item.
  private var positions: [Item.ID: Int] = [:]

  init(next: PageRequest? = nil) { nextPage = NextPage(next) }

  /// The request for the next page. `nil` at the end, and after its cursor has expired.
  var next: PageRequest? { nextPage.request }

  /// Whether the cursor of the next page has expired. The list must then be loaded from the start.
  var isExpired: Bool { nextPage.isExpired }

  /// Adds the page of a request. An item that is already in the list is replaced at its position.
  ///
  /// - Returns: The replaced items, and ``/StorefrontDomain/PageError/nothingNew(at:)`` if the page
  ///   adds no item and is not the last one. The listing then ends.
  /// - Complexity: O(page size) if there are no copies of the listing, otherwise O(items).
  mutating func append(
    _ page: Page<Item>, after request: PageRequest
  ) -> (error: PageError?, replaced: [Item]) {
    let count = items.count
    let replaced = add(page.items)
    return (nextPage.advance(past: page, of: request, addsItems: items.count > count), replaced)
  }

  /// Shows the first page in place of all items. Keeps their positions if the ids are the same.
  ///
  /// - Returns: The error of ``append(_:after:)``. The listing is then empty.
  /// - Complexity: O(page size).
  mutating func restart(with page: Page<Item>, after request: PageRequest) -> PageError? {
    guard items.hasSameIDs(as: page.items) else {
      self = Listing()
      return append(page, after: request).error
    }
    (items, nextPage) = (page.items, NextPage())
    return nextPage.advance(past: page, of: request, addsItems: !items.isEmpty)
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

  /// Ends the listing if the request for the next page failed because its cursor has expired.
  mutating func end(after error: any Error) { nextPage.end(after: error) }

  func contains(_ id: Item.ID) -> Bool { positions[id] != nil }

  /// Applies an update, if the list contains its item, and returns the replaced item.
  mutating func apply(_ update: ItemUpdate<Item>) -> Item? {
    guard let position = positions[update.id] else { return nil }
    return exchange(&items[position], with: update.applied(to: items[position]))
  }
}

extension Array where Element: Identifiable {
  /// The items, each identity once. A later item takes the place of an earlier one.
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
