public import AsyncViewModels
public import Dispatch

/// A feed of the prices and the stock of products, as they change.
///
/// Follow the products first, wait until the connection is ``ProductFeedState/open``, and then load
/// them: products that have not changed are not reported. Over HTTP, the wait is not necessary,
/// because the connection begins with the current state of all products that have ever changed.
///
/// | topic | guarantee |
/// | --- | --- |
/// | order | A reader never receives an older price or stock after a newer one. |
/// | slow reader | Receives the newest state of each product, not each change. The sample's feeds end a reader with an error at 100,000 changed products. |
/// | responses | Not older than an update before the request, also with a cache. They can be older than an update during it. |
public protocol ProductFeed: Sendable {
  /// Creates a reader of the updates of some products, from this call on, or of all products for
  /// `nil`.
  ///
  /// A list follows all products before its first request, because it does not know its products.
  /// All readers share one connection, which the first reader opens and the last one closes. The
  /// stream ends with the feed, which a reader does not retain. To follow products again after an
  /// error, call this method again.
  ///
  /// - Cancellation: Cancelling the task or releasing the stream ends the reader without an error.
  /// - Throws: The stream throws the error of the feed, usually a ``ServiceError``, after the
  ///   unread updates. After a broken connection, the feed connects again.
  func updates(of products: Set<CatalogProduct.ID>?) -> AsyncThrowingStream<ProductUpdate, any Error>

  /// Observes the connection, without opening it: the current state first, and then the latest one,
  /// until the feed is released.
  func connectionStates() -> AsyncStream<ProductFeedState>
}

/// The callback form of ``ProductFeed``.
public protocol ProductClosureFeed: Sendable {
  /// Calls `receive` for the updates of some products, or of all products for `nil`. See
  /// ``ProductFeed/updates(of:)``.
  ///
  /// Both closures are called on `queue`, one at a time. `completion` is called once, at the end of
  /// the feed. Cancelling or releasing the token ends the reader. After a cancellation on a serial
  /// `queue`, neither closure is called. Otherwise, at most one call is still running or about to
  /// begin. A feed can retain the closures after its end, until the token is cancelled.
  func updates(
    of products: Set<CatalogProduct.ID>?, on queue: DispatchQueue,
    receive: @escaping @Sendable (ProductUpdate) -> Void,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken

  /// Calls `observer` on `queue` with the current state of the connection, and then with the latest
  /// one, until the token is cancelled or released.
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
  /// The service accepted the connection, and sends each later change. A connection can be lost
  /// before the feed knows it: the feed then connects again, and receives what it has missed.
  case open
  /// The connection failed. The feed connects again when this time has passed since the failure.
  case waiting(Duration, after: ServiceError)
  /// The service has ended the feed. The next reader connects again.
  case ended
  /// The feed failed with this error. The next reader connects again.
  case failed(ServiceError)
}

extension ProductClosureFeed {
  /// The stream form of this feed.
  public var asAsync: some ProductFeed { StreamProductFeed(base: self) }
}

extension ProductFeed {
  /// The callback form of this feed.
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
    // On a global queue: a feed may call its closures and handle its cancellation under one lock.
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
    base.updates(of: products).observe(on: queue, receive, completion: completion)
  }

  func bindConnection(
    on queue: DispatchQueue, _ observer: @escaping @Sendable (ProductFeedState) -> Void
  ) -> CancellationToken {
    base.connectionStates().observe(on: queue, observer)
  }
}
