package import AsyncViewModels
import Synchronization

/// Passes updates to one reader, and keeps only the newest state of each product that it follows.
///
/// A reader that is too slow ends with a ``ServiceError/malformed(_:)`` after its unread updates,
/// because it would miss updates.
///
/// - Isolation: None. No lock is held while a reader is resumed.
/// - Complexity: The memory is O(products with unread updates), at most 100,000.
package final class ProductUpdateMailbox: Sendable {
  private struct Contents {
    var unread: PendingProductUpdates
    var ending: Result<Void, any Error>?
  }

  private let contents: Mutex<Contents>
  private let limit: Int
  private let arrivals = EventChannel<Void>()
  private let arrivalsOfReader: ObserverSequence<Void>

  /// Creates an empty mailbox. The reader follows `products`, or all products for `nil`.
  package init(of products: Set<CatalogProduct.ID>?, limit: Int = 100_000) {
    self.limit = limit
    contents = Mutex(Contents(unread: PendingProductUpdates(of: products)))
    arrivalsOfReader = arrivals.events(.latest)
  }

  /// Adds an update, unless the mailbox has ended. Returns whether to call ``wake()`` after an
  /// unlock.
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

  package func wake() { arrivals.send(()) }

  package func send(_ update: ProductUpdate) {
    if append(update) { wake() }
  }

  /// Ends the reader after its unread updates. Only the first call counts.
  package func finish(_ ending: Result<Void, any Error>) {
    contents.withLock { $0.ending = $0.ending ?? ending }
    arrivals.finish()
  }

  package var count: Int { contents.withLock { $0.unread.count } }

  /// Waits for the next update. Returns `nil` at the end, or if the task is cancelled.
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

  /// Creates a reader. `registration` is cancelled when the reader leaves or its stream ends.
  package init(_ mailbox: ProductUpdateMailbox, registration: CancellationToken) {
    self.mailbox = mailbox
    self.registration = registration
  }

  /// Creates the stream, which retains this reader.
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
