import StorefrontDomain

/// The items of the pages that have been read so far, in the order of the service, and where reading goes on.
struct Listing<Item: Sendable & Identifiable>: Sendable where Item.ID: Sendable {
  private(set) var items: [Item] = []
  private(set) var next: PageRequest?
  /// Where each item stands: a server's list that shifts between two pages shows an item twice.
  private var positions: [Item.ID: Int] = [:]

  init(next: PageRequest? = nil) { self.next = next }

  /// Takes in a page. An item that is there already is replaced in its place.
  ///
  /// Cost: O(size of the page) where nobody else holds the listing.
  mutating func append(_ page: Page<Item>, next: PageRequest?) {
    self.next = next
    for item in page.items {
      if let position = positions[item.id] {
        items[position] = item
      } else {
        positions[item.id] = items.count
        items.append(item)
      }
    }
  }
}
