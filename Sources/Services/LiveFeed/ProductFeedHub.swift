import AsyncViewModels
import StorefrontDomain
import Synchronization

/// The readers of a feed and the connection that they share.
///
/// The first reader opens the connection and the last one closes it. Each connection has a number,
/// and reports of earlier ones are dropped, so that no reader receives an update of another
/// connection.
///
/// Readers retain the hub, but not its owner, which ends it with ``finish()``.
///
/// After ``updates(of:)`` has returned, a new observer sees no state of an earlier connection. The
/// state ``/StorefrontDomain/ProductFeedState/open`` can be out of date: a connection can be lost
/// before the feed knows it.
///
/// - Isolation: None. No lock is held while readers are resumed or the connection starts.
/// - Ordering: All readers receive the updates in the order of ``Connection/send(_:)``.
final class ProductFeedHub: Sendable {
  /// One connection of a hub, for the code that receives the updates.
  struct Connection: Sendable {
    fileprivate let number: Int
    fileprivate let hub: ProductFeedHub

    /// Delivers an update to the readers that follow its product. O(readers).
    func send(_ update: ProductUpdate) { hub.send(update, from: number) }

    func report(_ state: ProductFeedState) { hub.report(state, from: number) }

    /// Ends the readers after their unread updates: with an error, or with success.
    ///
    /// - Parameter isCancelled: Whether the connection is still running, and is cancelled.
    func end(with error: ServiceError?, isCancelled: Bool = false) {
      hub.end(number, with: error, isCancelled: isCancelled)
    }
  }

  private struct Guarded {
    var mailboxes: [Int: ProductUpdateMailbox] = [:]
    var lastReader = 0
    /// The number of the current connection. Increases at its beginning and its end.
    var number = 0
    var token: CancellationToken?
    var isFinished = false

    /// Ends the connection. Returns what to end after the unlock.
    mutating func close() -> (CancellationToken?, [ProductUpdateMailbox]) {
      number += 1
      defer { mailboxes = [:] }
      return (token.take(), Array(mailboxes.values))
    }
  }

  /// A state and the number of its connection, so that a late state never replaces a newer one.
  private struct NumberedState {
    var number = 0
    var state = ProductFeedState.idle
  }

  private let guarded = Mutex(Guarded())
  private let states = StateStore(NumberedState())
  private let connect: @Sendable (Connection) -> CancellationToken

  /// Creates a hub. `connect` starts a connection and returns the token that ends it.
  init(connect: @escaping @Sendable (Connection) -> CancellationToken) {
    self.connect = connect
  }

  /// Creates a reader of the updates of some products, or of all products for `nil`.
  func updates(of products: Set<CatalogProduct.ID>?) -> AsyncThrowingStream<ProductUpdate, any Error> {
    let mailbox = ProductUpdateMailbox(of: products)
    let reader = join(mailbox)
    let registration = CancellationToken { [self] in
      if let reader { leave(reader) }
    }
    return ProductUpdateReader(mailbox, registration: registration).makeStream()
  }

  func connectionStates() -> AsyncStream<ProductFeedState> { states.states(of: \.state) }

  /// Ends all streams, and closes the connection.
  func finish() {
    let (token, mailboxes) = guarded.withLock { guarded in
      guarded.isFinished = true
      return guarded.close()
    }
    token?.cancel()
    for mailbox in mailboxes { mailbox.finish(.success(())) }
    states.finish()
  }

  /// The current connection, if there is a reader.
  var connection: Connection? {
    guarded.withLock { $0.mailboxes.isEmpty ? nil : $0.number }.map { Connection(number: $0, hub: self) }
  }

  var readerCount: Int { guarded.withLock { $0.mailboxes.count } }
}

extension ProductFeedHub {
  private func join(_ mailbox: ProductUpdateMailbox) -> Int? {
    let (reader, number, isFirst) = guarded.withLock { guarded -> (Int?, Int, Bool) in
      guard !guarded.isFinished else { return (nil, guarded.number, false) }
      let isFirst = guarded.mailboxes.isEmpty
      if isFirst { guarded.number += 1 }
      guarded.lastReader += 1
      guarded.mailboxes[guarded.lastReader] = mailbox
      return (guarded.lastReader, guarded.number, isFirst)
    }
    if reader == nil { mailbox.finish(.success(())) } else { replaceEarlierState(with: number) }
    if isFirst { begin(number) }
    return reader
  }

  /// Shows that a connection begins, unless it or a newer one has reported a state.
  private func replaceEarlierState(with number: Int) {
    states.update { current in
      guard number > current.number else { return }
      current = NumberedState(number: number, state: .connecting)
    }
  }

  private func begin(_ number: Int) {
    let token = connect(Connection(number: number, hub: self))
    let isCurrent = guarded.withLock { guarded in
      if guarded.number == number { guarded.token = token }
      return guarded.number == number
    }
    // The connection ended, or its readers left, while it was starting.
    if !isCurrent { token.cancel() }
  }

  private func leave(_ reader: Int) {
    let closed = guarded.withLock { guarded -> (CancellationToken?, Int)? in
      // The mailbox may have been removed with all others.
      guard guarded.mailboxes.removeValue(forKey: reader) != nil, guarded.mailboxes.isEmpty else {
        return nil
      }
      return (guarded.close().0, guarded.number)
    }
    guard let (token, number) = closed else { return }
    // An observer that the cancellation calls must not see the state of the connection that ends.
    report(.idle, from: number)
    token?.cancel()
  }

  private func send(_ update: ProductUpdate, from number: Int) {
    let waiting = guarded.withLock { guarded -> [ProductUpdateMailbox] in
      guard guarded.number == number else { return [] }
      // Appended under the lock, so that all readers receive the updates in one order.
      return guarded.mailboxes.values.filter { $0.append(update) }
    }
    for mailbox in waiting { mailbox.wake() }
  }

  private func report(_ state: ProductFeedState, from number: Int) {
    states.update { current in
      guard number >= current.number else { return }
      current = NumberedState(number: number, state: state)
    }
  }

  private func end(_ number: Int, with error: ServiceError?, isCancelled: Bool) {
    let closed = guarded.withLock { guarded -> (CancellationToken?, [ProductUpdateMailbox], Int)? in
      guard guarded.number == number else { return nil }
      let (token, mailboxes) = guarded.close()
      return (token, mailboxes, guarded.number)
    }
    guard let (token, mailboxes, last) = closed else { return }
    report(error.map { .failed($0) } ?? .ended, from: last)
    if isCancelled { token?.cancel() } else { token?.finish() }
    for mailbox in mailboxes { mailbox.finish(error.map { .failure($0) } ?? .success(())) }
  }
}
