import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
public import StorefrontDomain

/// The product updates of a server as server-sent events, and the open responses that receive them.
///
/// The history contains the last events, up to a limit. A client that sends `Last-Event-ID` receives the events after that
/// ID if the history contains all of them. Otherwise, the client receives the newest price and stock of each product that has
/// changed. A client without an ID has the ID 0, so a new client misses no event either.
final class LoopbackFeed: Sendable {
  struct State: Sendable {
    struct Event: Sendable {
      let id: Int
      let bytes: [UInt8]
    }

    /// One open response.
    struct Response: Sendable {
      var output: [UInt8]
      /// The number of bytes after which the server closes the connection. `nil` if it does not.
      var remaining: Int?
    }

    var lastID = 0
    var history: [Event] = []
    /// The state of each product that has changed, and the ID of its last update.
    var products: [CatalogProduct.ID: (id: Int, update: ProductUpdate)] = [:]
    var responses: [Int: Response] = [:]
    var lastResponse = 0
    /// Whether the responses to other requests contain the published prices and stocks.
    var areUpdatesStored = false
    /// The lengths of the next responses.
    var lengths: [Int] = []
  }

  /// The open response of a connection. It ends when its last reference is released.
  final class Subscription: Sendable {
    private let number: Int
    private let feed: LoopbackFeed

    init(_ number: Int, of feed: LoopbackFeed) {
      self.number = number
      self.feed = feed
    }

    deinit { feed.state.update { [number] in _ = $0.responses.removeValue(forKey: number) } }

    /// Returns the bytes to send now, and whether the server closes the connection after them.
    func takeOutput() -> (bytes: [UInt8], isOver: Bool) {
      feed.state.update { [number] state in
        guard var response = state.responses[number] else { return ([], true) }
        let bytes = Array(response.output.prefix(response.remaining ?? .max))
        response.output = []
        response.remaining = response.remaining.map { $0 - bytes.count }
        state.responses[number] = response
        return (bytes, response.remaining == 0)
      }
    }
  }

  /// The head of every response.
  static let head = Array(
    """
    HTTP/1.1 200 OK\r
    Content-Type: text/event-stream\r
    Cache-Control: no-store\r
    Connection: close\r
    \r\n
    """.utf8)

  let state = Monitor(State())
  private let historyLimit: Int

  init(historyLimit: Int) { self.historyLimit = historyLimit }

  /// Begins a response to a request with this `Last-Event-ID`.
  func subscribe(after lastEventID: String?) -> Subscription {
    let number = state.update { state in
      state.lastResponse += 1
      let length = state.lengths.isEmpty ? nil : state.lengths.removeFirst()
      state.responses[state.lastResponse] = State.Response(
        output: state.replay(after: lastEventID ?? "0"), remaining: length)
      return state.lastResponse
    }
    return Subscription(number, of: self)
  }

  func publish(_ update: ProductUpdate) {
    state.update { [historyLimit] state in
      state.lastID += 1
      let event = State.Event(id: state.lastID, bytes: Self.bytes(of: update, id: state.lastID))
      state.history.append(event)
      if state.history.count > historyLimit { state.history.removeFirst() }
      let newest = state.products[update.product].map { $0.update.merging(update) } ?? update
      state.products[update.product] = (state.lastID, newest)
      state.append(event.bytes)
    }
  }

  /// Returns a product as the responses to other requests contain it.
  ///
  /// The function does not contain later updates.
  var storedProduct: (CatalogProduct) -> CatalogProduct {
    let state = state.snapshot
    guard state.areUpdatesStored else { return { $0 } }
    return { product in state.products[product.id].map { product.applying($0.update) } ?? product }
  }

  /// The bytes of an event.
  static func bytes(of update: ProductUpdate, id: Int) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    do {
      let json = String(decoding: try encoder.encode(update), as: UTF8.self)
      return Array("id: \(id)\nevent: product\ndata: \(json)\n\n".utf8)
    } catch {
      preconditionFailure("an update cannot be encoded: \(error)")
    }
  }
}

extension LoopbackFeed.State {
  /// The events to send first to a client whose last event has this ID.
  func replay(after lastEventID: String) -> [UInt8] {
    if let id = Int(lastEventID), let first = history.first?.id, (first - 1...lastID).contains(id) {
      return history.drop { $0.id <= id }.flatMap(\.bytes)
    }
    return products.values.sorted { $0.id < $1.id }.flatMap { LoopbackFeed.bytes(of: $0.update, id: $0.id) }
  }

  mutating func append(_ bytes: [UInt8]) {
    for number in responses.keys { responses[number]?.output += bytes }
  }
}

extension LoopbackHTTPServer {
  /// Sends an update to all open feeds and appends it to the history.
  public func publish(_ update: ProductUpdate) {
    feed.publish(update)
    wake()
  }

  /// Makes the responses to all later requests contain the published prices and stocks. Without this call, they contain those of the
  /// catalog, as a server does whose feed is ahead of its database.
  package func storeUpdates() {
    feed.state.update { $0.areUpdatesStored = true }
  }

  /// Sends bytes to all open feeds, such as a comment or a part of an event. The history does not contain them.
  public func sendToFeeds(_ bytes: [UInt8]) {
    feed.state.update { $0.append(bytes) }
    wake()
  }

  /// Closes the connections of all open feeds after the bytes that are already sent.
  public func cutFeeds() {
    feed.state.update { state in
      state.responses = state.responses.mapValues { .init(output: $0.output, remaining: $0.output.count) }
    }
    wake()
  }

  /// Closes the connection of the next feed that opens after `length` bytes of its events, also within an event.
  ///
  /// Several calls set the lengths of several feeds, in order.
  ///
  /// - Precondition: `length` is not negative.
  public func cutNextFeed(after length: Int) {
    precondition(
      length >= 0, "LoopbackHTTPServer.cutNextFeed: the length must not be negative, but is \(length)")
    feed.state.update { $0.lengths.append(length) }
  }

  /// The number of open feeds.
  public var feedCount: Int { feed.state.snapshot.responses.count }

  /// The number of feeds that have been opened since the server was created.
  public var openedFeedCount: Int { feed.state.snapshot.lastResponse }

  /// Waits until at least `count` feeds have been opened since the server was created, including feeds that have ended.
  /// Returns early only if the calling task is cancelled.
  public func waitForOpenedFeeds(_ count: Int) async {
    _ = await feed.state.waitUnlessCancelled { $0.lastResponse >= count }
  }

  /// Waits until no feed is open. Returns early only if the calling task is cancelled.
  public func waitForNoFeeds() async {
    _ = await feed.state.waitUnlessCancelled { $0.responses.isEmpty }
  }
}
