package import AsyncViewModels
import AsyncViewModelsTesting
package import Dispatch
package import StorefrontDomain

/// A feed with streams and callbacks. The test publishes the updates, and continues when the readers have processed them.
///
/// A bridge has its own buffer: a stream of ``/StorefrontDomain/ProductClosureFeed/asAsync`` processes an update when it has stored
/// the update.
package final class ScriptedProductFeed: ProductFeed, ProductClosureFeed {
  private struct Reader: Sendable {
    let products: Set<CatalogProduct.ID>?
    var callbacks: Callbacks?
    var unread: [ProductUpdate] = []
    var end: Result<Void, any Error>?
    /// Whether the reader has processed all updates.
    var isDone = true
  }

  private struct Callbacks: Sendable {
    let queue: DispatchQueue
    let receive: @Sendable (ProductUpdate) -> Void
    let completion: @Sendable (Result<Void, any Error>) -> Void
  }

  private struct Readers: Sendable {
    var all: [Int: Reader] = [:]
    var followed: [Set<CatalogProduct.ID>?] = []
  }

  private let readers = Monitor(Readers())

  package init() {}

  /// The number of current readers.
  package var readerCount: Int { readers.snapshot.all.count }

  /// The products of all readers since the feed was created, in the order in which the readers joined.
  package var followed: [Set<CatalogProduct.ID>?] { readers.snapshot.followed }

  /// Waits until the feed has this number of readers. Returns early only if the calling task is cancelled.
  package func waitForReaders(_ count: Int) async {
    _ = await readers.waitUnlessCancelled { $0.all.count == count }
  }

  /// Delivers an update to the readers that follow its product, and waits until they have processed it or have left.
  package func publish(_ update: ProductUpdate) async {
    await send { reader in
      guard reader.products?.contains(update.product) ?? true else { return }
      reader.unread.append(update)
    }
  }

  /// Ends all readers, and waits until they have processed the end or have left.
  package func end(_ result: Result<Void, any Error>) async { await send { $0.end = result } }

  private func send(_ change: (inout Reader) -> Void) async {
    let (numbers, callbacks) = readers.update { readers in
      for number in readers.all.keys {
        readers.all[number].map { reader in
          var reader = reader
          change(&reader)
          reader.isDone = reader.unread.isEmpty && reader.end == nil
          readers.all[number] = reader
        }
      }
      return (Set(readers.all.keys), readers.all.compactMapValues(\.callbacks))
    }
    for (number, callbacks) in callbacks { callbacks.queue.async { self.call(callbacks, of: number) } }
    _ = await readers.waitUnlessCancelled { readers in
      numbers.allSatisfy { readers.all[$0]?.isDone ?? true }
    }
  }

  private func call(_ callbacks: Callbacks, of number: Int) {
    // Removes only what this call delivers: the next update can arrive during a late call without updates.
    let taken = readers.update { readers -> Reader? in
      let reader = readers.all[number]
      readers.all[number]?.unread = []
      return reader
    }
    guard let taken else { return }
    for update in taken.unread { callbacks.receive(update) }
    if let end = taken.end {
      callbacks.completion(end)
      leave(number)
    } else {
      readers.update { readers in
        guard let reader = readers.all[number] else { return }
        readers.all[number]?.isDone = reader.unread.isEmpty && reader.end == nil
      }
    }
  }

  private func join(_ products: Set<CatalogProduct.ID>?, _ callbacks: Callbacks?) -> Int {
    readers.update { readers in
      readers.followed.append(products)
      readers.all[readers.followed.count] = Reader(products: products, callbacks: callbacks)
      return readers.followed.count
    }
  }

  private func leave(_ number: Int) {
    // The callbacks are released after the unlock.
    withExtendedLifetime(readers.update { $0.all.removeValue(forKey: number) }) {}
  }

  private func next(_ number: Int) async throws -> ProductUpdate? {
    readers.update { readers in
      guard let reader = readers.all[number] else { return }
      readers.all[number]?.isDone = reader.unread.isEmpty && reader.end == nil
    }
    let hasNews = await readers.waitUnlessCancelled { readers in
      readers.all[number].map { !$0.isDone } ?? true
    }
    let reader = readers.update { readers -> Reader? in
      guard let reader = readers.all[number] else { return nil }
      if !reader.unread.isEmpty { readers.all[number]?.unread.removeFirst() }
      return reader
    }
    if hasNews, let update = reader?.unread.first { return update }
    leave(number)
    try reader?.end?.get()
    return nil
  }

  package func updates(
    of products: Set<CatalogProduct.ID>?
  ) -> AsyncThrowingStream<ProductUpdate, any Error> {
    let number = join(products, nil)
    let registration = CancellationToken { [self] in leave(number) }
    return AsyncThrowingStream { [self] in
      // The stream retains the registration: a reader also leaves when its stream is released.
      if registration.isCancelled { return nil }
      return try await next(number)
    }
  }

  package func updates(
    of products: Set<CatalogProduct.ID>?, on queue: DispatchQueue,
    receive: @escaping @Sendable (ProductUpdate) -> Void,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    let number = join(products, Callbacks(queue: queue, receive: receive, completion: completion))
    return CancellationToken { [self] in leave(number) }
  }

  package func connectionStates() -> AsyncStream<ProductFeedState> { AsyncStream { $0.finish() } }

  package func bindConnection(
    on queue: DispatchQueue, _ observer: @escaping @Sendable (ProductFeedState) -> Void
  ) -> CancellationToken {
    .finished
  }
}
