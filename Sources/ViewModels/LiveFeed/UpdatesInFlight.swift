package import AsyncViewModels
package import StorefrontDomain

/// The updates during a request, merged by product, and the rule by which they change its response.
///
/// A response can be older than an update during its request, so the update is applied to it. A
/// later request contains the update, or newer values. The updates are not part of the state: a
/// state is published only if something on the screen changes.
///
/// - Complexity: The memory is O(products with an update), until the end of the request.
package struct UpdatesInFlight: Sendable {
  /// `nil` if no request is in flight.
  private var updates: [CatalogProduct.ID: ProductUpdate]?

  package init() {}

  package var count: Int { updates?.count ?? 0 }

  /// Begins a request, in place of the request in flight.
  package mutating func begin() { updates = [:] }

  /// Ends the request without a response.
  package mutating func end() { updates = nil }

  /// Keeps an update for the response, if a request is in flight.
  package mutating func receive(_ update: ProductUpdate) {
    let newest = updates?[update.product]?.merging(update) ?? update
    updates?[update.product] = newest
  }

  /// Ends the request, and returns its response with the updates.
  ///
  /// - Complexity: O(page size) if there are updates, otherwise O(1).
  package mutating func end(
    with outcome: TaskOutcome<Page<CatalogProduct>>
  ) -> TaskOutcome<Page<CatalogProduct>> {
    defer { end() }
    guard count > 0, case .success(let page) = outcome else { return outcome }
    return .success(page.map(updated))
  }

  /// Ends the request, and returns its response with the update, if any.
  package mutating func end(with outcome: TaskOutcome<CatalogProduct>) -> TaskOutcome<CatalogProduct> {
    defer { end() }
    guard case .success(let product) = outcome else { return outcome }
    return .success(updated(product))
  }

  private func updated(_ product: CatalogProduct) -> CatalogProduct {
    updates?[product.id].map { product.applying($0) } ?? product
  }
}
