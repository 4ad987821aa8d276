public import AsyncViewModels
public import Dispatch
public import StorefrontDomain

/// Keeps the items of a detail service in memory, and loads them again when they are stale.
///
/// ```swift
/// let products = CachedDetailService(storefront)
/// for try await reading in products.details(of: id) { show(reading.value) }
/// ```
///
/// | topic | guarantee |
/// | --- | --- |
/// | ``detail(of:)`` | Returns a fresh item without a request, and never a stale one. |
/// | ``details(of:revalidating:)`` | Shows a stale item while it is loaded again. |
/// | several readers of one item | Share one request, which is cancelled when the last one leaves. |
/// | a removal | Also discards the responses to earlier requests. |
/// | an error | ``/StorefrontDomain/ServiceError/notFound(_:)`` removes the item. After other errors it stays, with its age. |
/// | memory | The least recently used items leave first, up to ``CacheOptions/costLimit``. If the system needs memory, all leave. |
///
/// - Isolation: None. Use every member from any thread.
/// - Important: Do not pass this service to a screen that follows a
///   ``/StorefrontDomain/ProductFeed``: an item from memory can be older than its updates.
public final class CachedDetailService<Detail: Sendable & Identifiable>: Sendable where Detail.ID: Sendable {
  private let cache: RevalidatingCache<Detail.ID, Detail>
  private let completions = DispatchQueue(
    label: "CachedDetailService.completions", attributes: .concurrent)

  /// Creates a cache of the items of `base`.
  ///
  /// - Parameter cost: Returns the cost of an item, in the unit of ``CacheOptions/costLimit``. By
  ///   default, the limit is a number of items.
  /// - Precondition: `cost` returns no negative number.
  public init(
    _ base: some DetailService<Detail>, options: CacheOptions = CacheOptions(),
    cost: @escaping @Sendable (Detail) -> Int = { _ in 1 }
  ) {
    cache = RevalidatingCache(
      options: options, cost: cost,
      isGone: { error in if case ServiceError.notFound = error { true } else { false } },
      load: { try await base.detail(of: $0) })
  }

  /// Creates a cache of the items of a service with completion handlers.
  ///
  /// - Precondition: `cost` returns no negative number.
  public convenience init(
    closures base: some DetailClosureService<Detail>, options: CacheOptions = CacheOptions(),
    cost: @escaping @Sendable (Detail) -> Int = { _ in 1 }
  ) {
    self.init(base.asAsync, options: options, cost: cost)
  }

  /// Creates a reader, which receives the stored item, if there is one, and then the loaded item.
  ///
  /// The request begins with this call. The stream ends after the loaded item, or after the stored
  /// item if no request is necessary. It throws the error of the request.
  ///
  /// - Cancellation: Cancelling the task or releasing the stream ends the reader without an error.
  public func details(
    of id: Detail.ID, revalidating revalidation: Revalidation = .ifStale
  ) -> AsyncThrowingStream<CacheReading<Detail>, any Error> {
    cache.readings(for: id, revalidating: revalidation)
  }

  /// Calls `receive` on `queue` with the stored item, if any, and then with the loaded item.
  ///
  /// `completion` is called once, on `queue`, with the result of the request. Cancelling or
  /// releasing the token ends the reader. After a cancellation on a serial `queue`, neither closure
  /// is called. Otherwise, at most one call is still running or about to begin.
  public func details(
    of id: Detail.ID, revalidating revalidation: Revalidation = .ifStale, on queue: DispatchQueue,
    receive: @escaping @Sendable (CacheReading<Detail>) -> Void,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    cache.readings(
      for: id, revalidating: revalidation, on: queue, receive: receive, completion: completion)
  }

  package var count: Int { cache.count }

  /// The number of readers that wait for the newest request for an item.
  package func readerCount(of id: Detail.ID) -> Int { cache.readerCount(for: id) }

  /// Removes an item, for example after a change of the item was saved.
  public func removeDetail(of id: Detail.ID) { cache.removeValue(for: id) }

  /// Removes all items, for example after a memory warning or when the user signs out.
  public func removeAll() { cache.removeAll() }
}

extension CachedDetailService: DetailService {
  /// Returns the stored item if it is fresh. Otherwise, requests the item.
  public func detail(of id: Detail.ID) async throws -> Detail { try await cache.value(for: id) }
}

extension CachedDetailService: DetailClosureService {
  /// Passes the stored item to `completion` if it is fresh. Otherwise, requests the item.
  ///
  /// Calls `completion` on a concurrent queue, and never within this call.
  public func detail(
    of id: Detail.ID, completion: @escaping @Sendable (Result<Detail, any Error>) -> Void
  ) -> CancellationToken {
    .run(completion: completion, on: completions) { [cache] in try await cache.value(for: id) }
  }
}
