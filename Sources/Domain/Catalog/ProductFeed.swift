public import AsyncViewModels
public import Dispatch

/// A feed of the prices and the stock of products, as they change.
///
/// Prices and stock are the state of a product. A slow reader therefore receives the newest state of each product that it
/// follows, not each change. The memory for a reader is limited by the number of these products that changed since the reader
/// last read. The sample's feeds end a reader with an error when this number reaches 100,000.
///
/// A reader never receives an older price or stock of a product after a newer one. A feed reports changes, and its
/// connection can begin with the current state of products that changed earlier. Products that have not changed are not
/// reported. So follow the products first, wait until the connection is ``ProductFeedState/open``, and then load them. If the
/// connection begins with the current state of all products that have ever changed, as over HTTP, the wait is not necessary.
///
/// The answer to a request can be older than an update that arrives while the request runs, but not older than an update that
/// arrived before the request. A service with a cache has to keep this rule, too.
public protocol ProductFeed: Sendable {
  /// Creates a reader of the updates of some products, from this call on, or of all products if `products` is `nil`.
  ///
  /// A list learns from the answers to its requests which products it shows, so a list follows all products before its first
  /// request. All readers of a feed share one connection. The first reader opens it, and the end of the last reader closes it.
  ///
  /// The stream ends if the service ends the feed, or if the feed is released. A reader does not keep the feed alive. To
  /// follow products again after an error, call this method again.
  ///
  /// - Cancellation: Cancelling the reading task, or releasing the stream, as `break` can do, ends the reader. The stream
  ///   then ends without an error.
  /// - Throws: The stream throws the error with which the feed failed, usually a ``ServiceError``, after the unread updates.
  ///   A broken connection is not an error: the feed connects again.
  func updates(of products: Set<CatalogProduct.ID>?) -> AsyncThrowingStream<ProductUpdate, any Error>

  /// Creates an observer of the connection, which receives the current state first and skips to the latest state.
  ///
  /// The observer does not open the connection. The stream ends when the feed is released.
  func connectionStates() -> AsyncStream<ProductFeedState>
}

/// The callback form of ``ProductFeed``.
public protocol ProductClosureFeed: Sendable {
  /// Calls `receive` for the updates of some products, from this call on, or of all products if `products` is `nil`. Readers
  /// share one connection, as those of ``ProductFeed/updates(of:)``.
  ///
  /// Both closures are called on `queue`, one at a time. While a call of `receive` runs, newer updates of a product are
  /// merged. `completion` is called once: with success if the service ends the feed or the feed is released, or with the
  /// error with which the feed failed.
  ///
  /// Cancelling or releasing the token ends the reader. If `queue` is serial and the token is cancelled on it, neither
  /// closure is called after that. Otherwise, at most one call is still running or about to begin.
  func updates(
    of products: Set<CatalogProduct.ID>?, on queue: DispatchQueue,
    receive: @escaping @Sendable (ProductUpdate) -> Void,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken

  /// Calls `observer` on `queue` with the current state of the connection, and then with the latest state after each change.
  /// Cancelling or releasing the token ends the observer.
  func bindConnection(
    on queue: DispatchQueue, _ observer: @escaping @Sendable (ProductFeedState) -> Void
  ) -> CancellationToken
}

/// What the connection of a feed is doing.
public enum ProductFeedState: Sendable, Equatable {
  /// There is no connection, because the feed has no reader.
  case idle
  /// The feed is connecting to the service.
  case connecting
  /// The service accepted the connection, and sends each later change. The connection can be lost before the feed knows it:
  /// then the feed connects again, and receives what it has missed.
  case open
  /// The connection failed for this reason. The feed connects again when this time has passed since the failure.
  case waiting(Duration, after: ServiceError)
  /// The service has ended the feed. The next reader connects again.
  case ended
  /// The feed failed with this error. The next reader connects again.
  case failed(ServiceError)
}

extension ProductClosureFeed {
  /// The stream form of this feed. A slow reader of it also gets the newest state of each product.
  public var asAsync: some ProductFeed { StreamProductFeed(base: self) }
}

extension ProductFeed {
  /// The callback form of this feed. It calls the closures through
  /// ``/AsyncViewModels/deliver(_:on:to:completion:)``.
  public var asClosure: some ProductClosureFeed { ClosureProductFeed(base: self) }
}

private struct StreamProductFeed<Base: ProductClosureFeed>: ProductFeed {
  let base: Base
  private let queue = DispatchQueue(label: "ProductClosureFeed.asAsync")

  init(base: Base) { self.base = base }

  func updates(of products: Set<CatalogProduct.ID>?) -> AsyncThrowingStream<ProductUpdate, any Error> {
    let mailbox = ProductUpdateMailbox(of: products)
    let token = base.updates(
      of: products, on: queue, receive: { mailbox.send($0) }, completion: { mailbox.finish($0) })
    // Cancels on a global queue: a feed may call its closures and handle its cancellation under one lock.
    let registration = CancellationToken { token.cancelOnGlobalQueue() }
    return ProductUpdateReader(mailbox, registration: registration).makeStream()
  }

  func connectionStates() -> AsyncStream<ProductFeedState> {
    AsyncStream(buffering: .latest) { base.bindConnection(on: queue, $0) }
  }
}

private struct ClosureProductFeed<Base: ProductFeed>: ProductClosureFeed {
  let base: Base

  func updates(
    of products: Set<CatalogProduct.ID>?, on queue: DispatchQueue,
    receive: @escaping @Sendable (ProductUpdate) -> Void,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    deliver(base.updates(of: products), on: queue, to: receive, completion: completion)
  }

  func bindConnection(
    on queue: DispatchQueue, _ observer: @escaping @Sendable (ProductFeedState) -> Void
  ) -> CancellationToken {
    deliver(base.connectionStates(), on: queue, to: observer)
  }
}
