public import AsyncViewModels
public import Dispatch
public import StorefrontDomain

/// A feed in memory for previews and tests, in both forms. Its owner publishes the updates.
///
/// - Isolation: None. Use every member from any thread.
/// - Ordering: All readers receive updates in the order of ``publish(_:)``.
/// - Ownership: The feed ends when it is released. Its readers do not retain it.
public final class InMemoryProductFeed: Sendable {
  private let hub = ProductFeedHub { connection in
    connection.report(.open)
    return .finished
  }

  /// Creates a feed without readers.
  public init() {}

  deinit { hub.finish() }

  /// Delivers an update to all current readers that follow its product.
  public func publish(_ update: ProductUpdate) { hub.connection?.send(update) }

  /// Shows the readers, if any, another state of the connection, such as
  /// ``/StorefrontDomain/ProductFeedState/waiting(_:after:)``.
  public func show(_ state: ProductFeedState) { hub.connection?.report(state) }

  /// Ends all current readers after their unread updates, with an error or with success.
  public func end(with error: ServiceError? = nil) { hub.connection?.end(with: error) }

  /// The number of current readers.
  public var readerCount: Int { hub.readerCount }
}

extension InMemoryProductFeed: ProductFeed {
  /// Creates a reader of the updates of some products, or of all products for `nil`.
  public func updates(of products: Set<CatalogProduct.ID>?) -> AsyncThrowingStream<ProductUpdate, any Error> {
    hub.updates(of: products)
  }

  /// Observes the connection: open while the feed has readers, unless ``show(_:)`` changed it.
  public func connectionStates() -> AsyncStream<ProductFeedState> { hub.connectionStates() }
}

extension InMemoryProductFeed: ProductClosureFeed {
  /// Calls `receive` for the updates of some products, or of all products for `nil`.
  public func updates(
    of products: Set<CatalogProduct.ID>?, on queue: DispatchQueue,
    receive: @escaping @Sendable (ProductUpdate) -> Void,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    hub.updates(of: products).observe(on: queue, receive, completion: completion)
  }

  /// Observes the connection: open while the feed has readers, unless ``show(_:)`` changed it.
  public func bindConnection(
    on queue: DispatchQueue, _ observer: @escaping @Sendable (ProductFeedState) -> Void
  ) -> CancellationToken {
    hub.connectionStates().observe(on: queue, observer)
  }
}
