package import AsyncViewModels
package import StorefrontDomain

/// The updates that arrive while a request is in flight, merged by item, and the rule by which they change its answer.
///
/// The answer to a request can be older than an update that arrives while the request runs. So these updates are applied to the
/// answer. An update that arrived before the request is not kept: the answer to a later request contains it, or newer values.
///
/// These updates are not part of the published state: a state is published only if something that it shows changes.
///
/// - Complexity: The memory is O(number of items with an update since the request began). It is released at the end of the
///   request.
package struct UpdatesInFlight<Item: Sendable & Identifiable>: Sendable where Item.ID: Sendable {
  /// The updates since the request began. `nil` if no request is in flight.
  private var updates: [Item.ID: ItemUpdate<Item>]?

  /// Creates the value without a request.
  package init() {}

  /// The number of items with an update.
  package var count: Int { updates?.count ?? 0 }

  /// Begins a request, which replaces the request in flight, if any.
  package mutating func begin() { updates = [:] }

  /// Ends the request without an answer.
  package mutating func end() { updates = nil }

  /// Keeps an update for the answer. Does nothing if no request is in flight.
  package mutating func receive(_ update: ItemUpdate<Item>) {
    let newest = updates?[update.id]?.merging(update) ?? update
    updates?[update.id] = newest
  }

  /// Ends the request, and returns its answer with the updates.
  ///
  /// - Complexity: O(size of the page) if there are updates, otherwise O(1).
  package mutating func end(with outcome: TaskOutcome<Page<Item>>) -> TaskOutcome<Page<Item>> {
    defer { end() }
    guard count > 0, case .success(let page) = outcome else { return outcome }
    return .success(page.map(updated))
  }

  /// Ends the request, and returns its answer with the update of the item, if any.
  package mutating func end(with outcome: TaskOutcome<Item>) -> TaskOutcome<Item> {
    defer { end() }
    guard case .success(let item) = outcome else { return outcome }
    return .success(updated(item))
  }

  private func updated(_ item: Item) -> Item { updates?[item.id]?.applied(to: item) ?? item }
}
