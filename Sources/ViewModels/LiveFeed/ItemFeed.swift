import AsyncViewModels
import Dispatch
import StorefrontDomain

/// How an async view model follows the changes of its items.
final class ItemFeed<Item: Sendable & Identifiable>: Sendable where Item.ID: Sendable {
  private let updates: @Sendable () -> AsyncThrowingStream<ProductUpdate, any Error>
  private let makeUpdate: @Sendable (ProductUpdate) -> ItemUpdate<Item>

  /// Follows some products, or all products if `products` is `nil`.
  init(_ feed: any ProductFeed, of products: Set<CatalogProduct.ID>?) where Item == CatalogProduct {
    updates = { feed.updates(of: products) }
    makeUpdate = { ItemUpdate($0) }
  }

  /// Follows the items until the feed ends, or the token is cancelled or released.
  ///
  /// The closures run on `owner`, which they do not retain. `completion` runs once, at the end.
  func follow<Owner: Actor>(
    on owner: Owner, receive: @escaping @Sendable (isolated Owner, ItemUpdate<Item>) -> Void,
    completion: @escaping @Sendable (isolated Owner, TaskOutcome<Void>) -> Void
  ) -> CancellationToken {
    updates().observe(on: owner) { [makeUpdate] owner, update in
      receive(owner, makeUpdate(update))
    } completion: { owner, result in
      completion(owner, TaskOutcome(result))
    }
  }
}

/// How a view model of the closure and stream stages follows the changes of its items.
struct ItemClosureFeed<Item: Sendable & Identifiable>: Sendable where Item.ID: Sendable {
  private typealias Receive = @Sendable (ProductUpdate) -> Void
  private typealias Completion = @Sendable (TaskOutcome<Void>) -> Void

  private let updates: @Sendable (DispatchQueue, @escaping Receive, @escaping Completion) -> CancellationToken
  private let makeUpdate: @Sendable (ProductUpdate) -> ItemUpdate<Item>

  /// Follows the items until the feed ends, or the token is cancelled or released.
  ///
  /// The closures are called on `queue`, one at a time. `completion` is called once, at the end.
  func follow(
    on queue: DispatchQueue, receive: @escaping @Sendable (ItemUpdate<Item>) -> Void,
    completion: @escaping @Sendable (TaskOutcome<Void>) -> Void
  ) -> CancellationToken {
    updates(queue, { [makeUpdate] in receive(makeUpdate($0)) }, completion)
  }
}

extension ItemClosureFeed<CatalogProduct> {
  /// Follows some products, or all products if `products` is `nil`.
  init(_ feed: any ProductClosureFeed, of products: Set<CatalogProduct.ID>?) {
    updates = { feed.follow(products, on: $0, receive: $1, completion: $2) }
    makeUpdate = { ItemUpdate($0) }
  }
}

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
