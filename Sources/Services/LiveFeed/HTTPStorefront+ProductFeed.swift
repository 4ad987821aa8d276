public import AsyncViewModels
public import Dispatch
public import StorefrontDomain

extension HTTPStorefront: ProductFeed {
  /// Follows `GET /feed`, with one connection for all readers, until the storefront is released.
  ///
  /// The response is a stream of server-sent events. An event of the type `product` has its own
  /// `id`, and its data is a ``/StorefrontDomain/ProductUpdate`` as JSON. Other types are ignored.
  /// Even if connections break at any byte, no update is lost or delivered twice if the server
  /// keeps these rules:
  ///
  /// - It answers `Last-Event-ID` with all events after that ID. Without an ID, or if it no longer
  ///   has all of them, it sends the newest price and stock of each product that has changed.
  /// - It never uses an ID again, not even after a restart: before the first new ID of a response,
  ///   the feed drops events with one of the last 1,024 IDs, or of those that need 64 KB.
  ///
  /// | event | effect |
  /// | --- | --- |
  /// | the server sends nothing for ``HTTPLimits/idleTimeout``, not even a comment | The feed connects again. |
  /// | 16 MB without an event, a compressed response, or status 401 after the app has replaced the token of a ``BearerAuthorization`` | The feed ends with an error. |
  ///
  /// The feed has its own connection and thread, so a server that sends without end does not delay
  /// other requests. The connection does not count for ``HTTPLimits/connections``. See
  /// ``HTTPMiddleware`` for its request.
  public func updates(of products: Set<CatalogProduct.ID>?) -> AsyncThrowingStream<ProductUpdate, any Error> {
    client.feed.updates(of: products)
  }

  /// Observes the connection of the feed, without opening it.
  public func connectionStates() -> AsyncStream<ProductFeedState> { client.feed.connectionStates() }
}

extension HTTPClosureStorefront: ProductClosureFeed {
  /// Follows `GET /feed`. See ``HTTPStorefront/updates(of:)``.
  public func updates(
    of products: Set<CatalogProduct.ID>?, on queue: DispatchQueue,
    receive: @escaping @Sendable (ProductUpdate) -> Void,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    client.feed.updates(of: products).observe(on: queue, receive, completion: completion)
  }

  /// Observes the connection of the feed, without opening it.
  public func bindConnection(
    on queue: DispatchQueue, _ observer: @escaping @Sendable (ProductFeedState) -> Void
  ) -> CancellationToken {
    client.feed.connectionStates().observe(on: queue, observer)
  }
}
