public import AsyncViewModels
public import Dispatch
public import StorefrontDomain

extension HTTPStorefront: ProductFeed {
  /// Follows `GET /feed`, one connection for all readers.
  ///
  /// The response is a stream of server-sent events. An event of the type `product` has its own `id`, and its data is a
  /// ``/StorefrontDomain/ProductUpdate`` as JSON. Events of other types are ignored. A request after a lost connection
  /// contains the ID of the last event as `Last-Event-ID`. The server then sends the events after that ID. If it no longer
  /// has all of them, or if the request contains no ID, it sends the newest price and stock of each product that has
  /// changed. With such a server, no update is lost and no event is delivered twice, even if a connection breaks at any
  /// byte.
  ///
  /// The server must not use an ID again for another event, not even after a restart: before the first new ID of a response, the feed
  /// drops events whose ID is among the last 1,024 IDs that it has received, or among those that need 64 KB.
  ///
  /// The feed has its own connection and thread, so a server that sends without end does not delay other requests. The feed asks for a
  /// stream without compression, and refuses a compressed one. A stream ends with an error after 16 MB without an event.
  ///
  /// The connection does not count for ``HTTPLimits/connections``. Its request passes the middleware, which sees the head
  /// of the response with an empty body. So a token that the server refuses with status 401 is refreshed. If the app
  /// replaces the token of a ``BearerAuthorization``, the streams end with the status 401. If the server
  /// sends nothing for ``HTTPLimits/idleTimeout``, not even a comment, the feed connects again. The stream ends when the
  /// storefront is released.
  public func updates(of products: Set<CatalogProduct.ID>?) -> AsyncThrowingStream<ProductUpdate, any Error> {
    client.feed.updates(of: products)
  }

  /// Observes the connection of the feed, without opening it.
  public func connectionStates() -> AsyncStream<ProductFeedState> { client.feed.connectionStates() }
}

extension HTTPClosureStorefront: ProductClosureFeed {
  /// Follows `GET /feed`, one connection for all readers.
  ///
  /// The response is a stream of server-sent events. An event of the type `product` has its own `id`, and its data is a
  /// ``/StorefrontDomain/ProductUpdate`` as JSON. Events of other types are ignored. A request after a lost connection
  /// contains the ID of the last event as `Last-Event-ID`. The server then sends the events after that ID. If it no longer
  /// has all of them, or if the request contains no ID, it sends the newest price and stock of each product that has
  /// changed. With such a server, no update is lost and no event is delivered twice, even if a connection breaks at any
  /// byte.
  ///
  /// The server must not use an ID again for another event, not even after a restart: before the first new ID of a response, the feed
  /// drops events whose ID is among the last 1,024 IDs that it has received, or among those that need 64 KB.
  ///
  /// The feed has its own connection and thread, so a server that sends without end does not delay other requests. The feed asks for a
  /// stream without compression, and refuses a compressed one. A stream ends with an error after 16 MB without an event.
  ///
  /// The connection does not count for ``HTTPLimits/connections``. Its request passes the middleware, which sees the head
  /// of the response with an empty body. So a token that the server refuses with status 401 is refreshed. If the app
  /// replaces the token of a ``BearerAuthorization``, the streams end with the status 401. If the server
  /// sends nothing for ``HTTPLimits/idleTimeout``, not even a comment, the feed connects again. The feed ends when the
  /// storefront is released.
  public func updates(
    of products: Set<CatalogProduct.ID>?, on queue: DispatchQueue,
    receive: @escaping @Sendable (ProductUpdate) -> Void,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    deliver(client.feed.updates(of: products), on: queue, to: receive, completion: completion)
  }

  /// Observes the connection of the feed, without opening it.
  public func bindConnection(
    on queue: DispatchQueue, _ observer: @escaping @Sendable (ProductFeedState) -> Void
  ) -> CancellationToken {
    deliver(client.feed.connectionStates(), on: queue, to: observer)
  }
}
