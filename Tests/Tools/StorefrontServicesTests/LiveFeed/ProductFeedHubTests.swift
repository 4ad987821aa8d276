import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontTesting
import Synchronization
import Testing

@testable import StorefrontServices

/// How readers share connections that begin and end.
@Suite("Product feed hub", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct ProductFeedHubTests {
  /// The connections that a hub has started, and the number of those that it has cancelled.
  private final class Connections: Sendable {
    let all = Mutex<[ProductFeedHub.Connection]>([])
    let cancelled = Mutex(0)

    var hub: ProductFeedHub {
      ProductFeedHub { [self] connection in
        all.withLock { $0.append(connection) }
        return CancellationToken { [self] in cancelled.withLock { $0 += 1 } }
      }
    }

    /// Forgets the connections, which retain their hub.
    func removeAll() { all.withLock { $0 = [] } }
  }

  private let connections = Connections()
  private let update = ProductUpdate(product: 1, stock: 1)

  @Test("what an earlier connection still reports is dropped")
  func earlierConnection() async throws {
    let hub = connections.hub
    let states = hub.connectionStates()
    do { _ = hub.updates(of: [1]) }
    #expect(connections.cancelled.withLock { $0 } == 1)
    let reader = FeedReader(hub.updates(of: [1, 2]))
    let (first, second) = try #require(connections.all.withLock { $0.count == 2 ? ($0[0], $0[1]) : nil })
    second.report(.open)
    // Another product, because the next update of product 1 would replace it.
    first.send(ProductUpdate(product: 2, stock: 100))
    first.report(.connecting)
    first.end(with: .offline)
    second.send(update)
    #expect(await reader.waitForUpdates(1) == [update])
    #expect(await states.first { _ in true } == .open)
    #expect(reader.log.snapshot.end == nil)
    second.end(with: nil)
    try await reader.waitForEnd()
    #expect(reader.updates == [update])
    #expect(await states.first { _ in true } == .ended)
    #expect(connections.cancelled.withLock { $0 } == 1, "a connection that has ended is not cancelled")
    connections.removeAll()
  }

  @Test("an observer that begins after a reader has joined sees no state of an earlier connection")
  func secondReader() async throws {
    let gate = DispatchSemaphore(value: 0)
    let started = Monitor(0)
    let hub = ProductFeedHub { connection in
      let number = started.update { started in
        started += 1
        return started
      }
      if number == 1 { connection.report(.open) } else { gate.wait() }
      return .finished
    }
    do { _ = hub.updates(of: [1]) }
    let second = Monitor<FeedReader?>(nil)
    // The queue of the thread that starts the second connection, and waits in it.
    DispatchQueue(label: "ProductFeedHubTests").async {
      let reader = FeedReader(hub.updates(of: [1]))
      second.update { $0 = reader }
    }
    await started.wait { $0 == 2 }
    let third = FeedReader(hub.updates(of: [1]))
    #expect(await hub.connectionStates().first { _ in true } == .connecting)
    gate.signal()
    await second.wait { $0 != nil }
    withExtendedLifetime(third) {}
  }

  @Test("a connection that ends while it starts ends its readers and does not cancel another")
  func endsWhileStarting() async throws {
    let cancelled = Mutex(0)
    let hub = ProductFeedHub { connection in
      connection.end(with: .offline)
      return CancellationToken { cancelled.withLock { $0 += 1 } }
    }
    for round in 1...3 {
      let reader = FeedReader(hub.updates(of: [1]))
      await #expect(throws: ServiceError.offline) { try await reader.waitForEnd() }
      #expect(cancelled.withLock { $0 } == round)
      #expect(hub.readerCount == 0)
    }
  }

  @Test("a finished hub ends its readers and its observers, and accepts no more")
  func finished() async throws {
    let hub = connections.hub
    let (reader, states) = (FeedReader(hub.updates(of: [1])), StateRecorder(hub.connectionStates()))
    try await states.first { $0 == .connecting }
    hub.finish()
    try await reader.waitForEnd()
    try await states.waitForEnd()
    #expect(connections.cancelled.withLock { $0 } == 1)
    try await FeedReader(hub.updates(of: [1])).waitForEnd()
    #expect(connections.all.withLock { $0.count } == 1)
    connections.removeAll()
  }

  @Test("a hub and its readers are released when the readers have left")
  func lifetime() async throws {
    try await LeakTracker.check { tracker in
      let hub = tracker.track(connections.hub)
      let reader = tracker.track(FeedReader(hub.updates(of: [1])))
      connections.all.withLock { $0.first }?.send(update)
      _ = await reader.waitForUpdates(1)
      connections.removeAll()
    }
    #expect(connections.cancelled.withLock { $0 } == 1)
  }
}
