import AsyncViewModels
import Dispatch
import StorefrontDomain

extension ProductClosureFeed {
  /// Follows some products, or all products for `nil`. Ignores a feed that calls back after its
  /// end.
  func follow(
    _ products: Set<CatalogProduct.ID>?, on queue: DispatchQueue,
    receive: @escaping @Sendable (ProductUpdate) -> Void,
    completion: @escaping @Sendable (TaskOutcome<Void>) -> Void
  ) -> CancellationToken {
    let end = CancellationToken {}
    return updates(of: products, on: queue) { update in
      if !end.isCancelled { receive(update) }
    } completion: { result in
      guard !end.isCancelled else { return }
      end.cancel()
      completion(TaskOutcome(result))
    }
  }
}
