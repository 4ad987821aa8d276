package import AsyncViewModels
import Synchronization

/// Passes updates to one reader, and keeps only the newest state of each product that the reader follows.
///
/// - Isolation: None. Use every member from any thread. No lock is held while a reader is resumed.
/// A reader that is too slow for a server with very many products ends: after its unread updates, it receives a
/// ``ServiceError/malformed(_:)``, because it would miss updates.
///
/// - Complexity: The memory is O(number of products with unread updates), of which there are at most 100,000.
package final class ProductUpdateMailbox: Sendable {
  private struct Contents {
    var unread: PendingProductUpdates
    var ending: Result<Void, any Error>?
  }

  private let contents: Mutex<Contents>
  private let limit: Int
  private let arrivals = EventChannel<Void>()
  private let arrivalsOfReader: SubscriptionSequence<Void>

  /// Creates an empty mailbox for a reader that follows `products`, or all products if `products` is `nil`.
  package init(of products: Set<CatalogProduct.ID>?, limit: Int = 100_000) {
    self.limit = limit
    contents = Mutex(Contents(unread: PendingProductUpdates(of: products)))
    arrivalsOfReader = arrivals.events(.latest)
  }

  /// Adds an update, unless the mailbox has ended. Returns whether the caller must call ``wake()`` after its unlock.
  package func append(_ update: ProductUpdate) -> Bool {
    contents.withLock { contents in
      guard contents.ending == nil else { return false }
      let isFirst = contents.unread.append(update)
      if contents.unread.count >= limit {
        let problem = "the feed has sent updates of \(limit) products that have not been read"
        contents.ending = .failure(ServiceError.malformed(problem))
      }
      return isFirst
    }
  }

  /// Wakes the reader.
  package func wake() { arrivals.send(()) }

  /// Adds an update and wakes the reader.
  package func send(_ update: ProductUpdate) {
    if append(update) { wake() }
  }

  /// Ends the stream of the reader after its unread updates, with success or with an error. Only the first call counts.
  package func finish(_ ending: Result<Void, any Error>) {
    contents.withLock { $0.ending = $0.ending ?? ending }
    arrivals.finish()
  }

  /// The number of unread updates.
  package var count: Int { contents.withLock { $0.unread.count } }

  /// Waits for the next update. Returns `nil` at the end, or if the reading task is cancelled.
  func next() async throws -> ProductUpdate? {
    while !Task.isCancelled {
      let (update, ending) = contents.withLock { ($0.unread.removeFirst(), $0.ending) }
      if let update { return update }
      if let ending {
        try ending.get()
        return nil
      }
      var arrivals = arrivalsOfReader.makeAsyncIterator()
      if await arrivals.next() == nil, !isFinished { return nil }
    }
    return nil
  }

  private var isFinished: Bool { contents.withLock { $0.ending != nil } }
}

/// Makes the stream that reads a mailbox, and runs an action when the reader leaves.
package final class ProductUpdateReader: Sendable {
  private let mailbox: ProductUpdateMailbox
  private let registration: CancellationToken

  /// Creates a reader. `registration` is cancelled when the reader leaves: at the end of the stream, when the reading task
  /// is cancelled, or when the stream is released.
  package init(_ mailbox: ProductUpdateMailbox, registration: CancellationToken) {
    self.mailbox = mailbox
    self.registration = registration
  }

  /// Creates the stream. It retains this reader.
  package func makeStream() -> AsyncThrowingStream<ProductUpdate, any Error> {
    AsyncThrowingStream { [self] in try await next() }
  }

  private func next() async throws -> ProductUpdate? {
    do {
      let update = try await mailbox.next()
      if update == nil { registration.cancel() }
      return update
    } catch {
      registration.cancel()
      throw error
    }
  }
}
