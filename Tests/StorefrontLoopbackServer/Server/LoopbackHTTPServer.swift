import AsyncViewModelsTesting
public import Foundation
public import StorefrontDomain
import Synchronization

/// A storefront server on 127.0.0.1 with real sockets, HTTP/1.1 with keep-alive, and JSON.
///
/// | request | response |
/// | --- | --- |
/// | `GET /products?page=0&size=20` | a `Page` of products; `size` is at most 1,000 |
/// | `GET /products/ID` | a `CatalogProduct`, or 404 |
/// | `GET /search?q=…&size=50` | a `Page` of `SearchHit`s by cursor, best first; `size` is at most 1,000 |
/// | `GET /search?q=…&cursor=…&size=50` | the page at the cursor, or 410 if the server does not know it |
/// | `GET /profile`, `/orders`, `/recommendations` | a `Profile`, `[Order]`, `[CatalogProduct]` |
/// | `PUT /profile` with `{"name": …, "email": …, "version": N}` | the new `Profile`, 409 or 422 |
/// | `GET /posts?cursor=…&size=50` | the page of posts at the cursor, newest first, or 410 if the server does not know it |
/// | `DELETE /posts/ID` | the deleted id, or 404 |
/// | `POST /posts/ID/restore` | the restored id, also of a post that is not deleted, or 404 |
/// | `GET /feed` | the updates of the tests as server-sent events, see ``publish(_:)`` |
/// | `GET /cart` | the `Cart` |
/// | `POST /cart/changes` with `{"product": ID, "delta": N}` | the new quantity, 404 or 409 |
///
/// `PUT /profile` gets status 409 and the `current` profile if N is not the current version, and 422 if a
/// value is invalid. A cart change gets 404 for an unknown product, and 409 if the quantity would be negative
/// or would rise above the stock. An invalid parameter gets status 400 and `{"error": …, "parameter": NAME}`. If the
/// server cannot parse a request, it responds with status 400, 413, 431, 501 or 505 and closes the connection.
///
/// Each write needs a key in the field `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header). The server makes a write once for
/// each key, and answers a repeated request as before. Without a key, a write gets status 400. A key of another write gets status 422.
/// Both have the body of a problem (RFC 9457).
///
/// The server accepts no mistakes of a client:
///
/// - Status 400: an empty component of a path, a character that is not or wrongly escaped, an unknown or repeated parameter, a number such
///   as `01`, a repeated field that must be single, a missing `Host`, a name of a field that is no token, a control character in a value, a
///   line that ends without a carriage return, a body or a key of a request that has none, and an unknown member of a body.
/// - Status 406: an `Accept` field that excludes the response.
/// - Status 415: a body that is not declared as JSON in UTF-8, or is encoded.
/// - Status 417: the field `Expect`.
///
/// All clients share one cart, one profile and one list of posts.
///
/// - Isolation: none. Every member may be used from any thread. One thread of the server serves all
///   connections.
/// - Ownership: the server stops when its last reference is released.
public final class LoopbackHTTPServer: Sendable {
  private struct Running {
    let url: URL
    let wakePipe: WakePipe
    let stopFlag: StopFlag
    let ended: DispatchGroup
  }

  private final class StopFlag: Sendable {
    let isSet = Atomic(false)
  }

  /// The data that the server offers.
  public let catalog: Catalog

  private let cart = LoopbackCart()
  private let storedProfile: LoopbackProfile
  private let storedPosts: LoopbackPosts
  let feed: LoopbackFeed
  let writes: LoopbackWrites
  private let script = LoopbackScript()
  private let running = Mutex<Running?>(nil)

  /// Creates a server without starting it.
  ///
  /// - Parameters:
  ///   - catalog: The data that the server offers.
  ///   - feedHistory: The number of events after which a client of the feed can continue.
  ///   - keyLimit: The number of keys that the server knows. A new key replaces the one that was used least recently.
  public init(catalog: Catalog = .seeded(), feedHistory: Int = 1_000, keyLimit: Int = 10_000) {
    writes = LoopbackWrites(limit: keyLimit)
    feed = LoopbackFeed(historyLimit: feedHistory)
    self.catalog = catalog
    storedProfile = LoopbackProfile(catalog.profile)
    storedPosts = LoopbackPosts(catalog.posts)
  }

  deinit { stop() }

  /// Starts the server on a free port and returns ``baseURL``. Has no effect if the server is running.
  ///
  /// - Throws: ``LoopbackError`` if the system has no free socket or port.
  @discardableResult
  public func start() throws(LoopbackError) -> URL {
    try running.withLock { running throws(LoopbackError) in
      if let running { return running.url }
      let (listener, port) = try Socket.listening()
      let started = Running(
        url: URL(string: "http://127.0.0.1:\(port)")!, wakePipe: try WakePipe(), stopFlag: StopFlag(),
        ended: DispatchGroup())
      started.ended.enter()
      Self.startThread(
        started,
        LoopbackEventLoop(
          listener: listener, wakePipe: started.wakePipe, script: script,
          routes: LoopbackRoutes(
            catalog: catalog, cart: cart, profile: storedProfile, posts: storedPosts,
            feed: feed, writes: writes)))
      running = started
      return started.url
    }
  }

  /// Closes all connections and the port, and waits until they are closed. The server can be started again.
  ///
  /// If several threads call this method at the same time, all of them wait.
  public func stop() {
    guard let stopped = running.withLock({ $0 }) else { return }
    stopped.stopFlag.isSet.store(true, ordering: .releasing)
    stopped.wakePipe.wake()
    stopped.ended.wait()
    // Another call may have returned first, and the server may have been started again.
    running.withLock { if $0?.stopFlag === stopped.stopFlag { $0 = nil } }
  }

  /// The URL of the running server.
  ///
  /// - Precondition: The server is running.
  public var baseURL: URL {
    guard let url = running.withLock({ $0?.url }) else {
      preconditionFailure("LoopbackHTTPServer.baseURL: the server is not running")
    }
    return url
  }

  /// Wakes the thread of the server, so that it looks for new work.
  func wake() { running.withLock { $0?.wakePipe }?.wake() }

  private static func startThread(_ running: Running, _ loop: sending LoopbackEventLoop) {
    let confined = Mutex<LoopbackEventLoop?>(loop)
    let thread = Thread {
      do {
        // The loop has the only references to the sockets. The end of this scope closes them, before `stop()`
        // returns.
        guard var loop = confined.withLock({ $0.take() }) else { return }
        loop.run { running.stopFlag.isSet.load(ordering: .acquiring) }
      }
      running.ended.leave()
    }
    thread.name = "LoopbackHTTPServer"
    thread.start()
  }
}

extension LoopbackHTTPServer {
  /// The number of requests that the server has parsed since it was created, including those with a fault.
  public var requestCount: Int { script.state.snapshot.requestCount }

  /// The number of accepted connections since the server was created.
  public var connectionCount: Int { script.state.snapshot.connectionCount }

  /// The largest number of connections that were open at the same time.
  public var peakConnectionCount: Int { script.state.snapshot.peakConnectionCount }

  /// Starts to record the requests, and discards the earlier records.
  package func recordRequests() {
    script.state.update { $0.recorded = [] }
    writes.state.withLock { $0.madeKeys = [] }
  }

  /// The requests that have arrived since the last ``recordRequests()``. Requests that the server cannot parse are not
  /// recorded.
  package var recordedRequests: [RecordedRequest] { script.state.snapshot.recorded ?? [] }

  /// The number of requests to which the server has applied ``LoopbackFault/hold`` since it was created.
  public var heldCount: Int { script.state.snapshot.heldCount }

  /// Waits until the server has received at least `count` requests. Returns early only if the calling task is
  /// cancelled.
  public func waitForRequests(_ count: Int) async {
    _ = await script.state.waitUnlessCancelled { $0.requestCount >= count }
  }

  /// Waits until at least `count` connections have ended, closed by either side. Returns early only if the
  /// calling task is cancelled.
  public func waitForEndedConnections(_ count: Int) async {
    _ = await script.state.waitUnlessCancelled { $0.endedConnectionCount >= count }
  }

  /// Applies a fault to the next `count` requests. Faults that were added first are applied first.
  ///
  /// - Parameters:
  ///   - count: The number of requests.
  ///   - fault: The fault to apply.
  ///   - path: The exact path of the requests, such as `/products`, or nil for all paths.
  /// - Precondition: `count` is not negative.
  public func fail(next count: Int = 1, with fault: LoopbackFault, on path: String? = nil) {
    precondition(count >= 0, "LoopbackHTTPServer.fail: the count must not be negative, but is \(count)")
    guard count > 0 else { return }
    script.state.update { $0.lines.append(.init(fault: fault, path: path, remaining: count)) }
  }

  /// Applies random faults to a random share of the later requests, except for those with a fault of
  /// ``fail(next:with:on:)``. Replaces the faults of an earlier call.
  ///
  /// The same seed applies the same faults to the requests in the order of their arrival.
  ///
  /// - Parameters:
  ///   - share: The share of the requests, from 0 to 1. With 0, the server applies no random faults.
  ///   - faults: The faults to choose from.
  ///   - seed: The seed of the random choices.
  /// - Precondition: `share` is from 0 to 1, and `faults` is not empty.
  public func failRandomly(
    _ share: Double, of faults: [LoopbackFault] = HostileResponse.all.map(LoopbackFault.hostile), seed: UInt64
  ) {
    precondition(
      (0...1).contains(share),
      "LoopbackHTTPServer.failRandomly: the share must be from 0 to 1, but is \(share)")
    precondition(!faults.isEmpty, "LoopbackHTTPServer.failRandomly: there must be at least one fault")
    script.state.update {
      $0.randomFaults = .init(share: share, faults: faults, generator: SplitMix64(seed: seed))
    }
  }

  /// Answers every later request with `handler` instead of the routes of the storefront, unless a fault applies to the
  /// request.
  ///
  /// The thread of the server calls `handler`. If the client disconnects before the response, the server cancels the token
  /// that `handler` returned. While `handler` works, the server stops reading when 64 KB of later requests have arrived.
  /// From then on, the server may not notice that the client disconnects.
  package func answer(with handler: @escaping LoopbackHandler) {
    script.handler = handler
  }

  /// Requires this bearer token in each later request without a fault, and refuses other requests with status 401. `nil`
  /// requires none.
  package func requireToken(_ token: String?) {
    script.state.update { $0.token = token }
  }

  /// Adds an `ETag` to later responses to successful `GET` requests without a fault. A request whose `If-None-Match`
  /// contains the `ETag` gets status 304 and no body.
  package func sendEntityTags() {
    script.state.update { $0.sendsEntityTags = true }
  }

  /// Responds to all requests that ``LoopbackFault/hold`` suspended.
  public func release() {
    script.state.update { $0.releases += 1 }
    wake()
  }

  /// Closes each connection on which no request is in progress, as a server does after some idle time.
  public func closeIdleConnections() {
    script.state.update { $0.idleClosings += 1 }
    wake()
  }

  /// Sends bytes, such as a second response, over each connection on which no request is in progress. Returns when they are sent, or
  /// when the calling task is cancelled.
  public func sendUnasked(_ bytes: [UInt8]) async {
    script.state.update { $0.unasked = bytes }
    wake()
    _ = await script.state.waitUnlessCancelled { $0.unasked == nil }
  }

  /// The current profile of the server.
  public var profile: Profile { storedProfile.current }

  /// The posts that have not been deleted.
  public var posts: [Post] { storedPosts.current }

  /// The number of pieces of a product in the server's cart.
  public func cartQuantity(of id: CatalogProduct.ID) -> Int {
    cart.quantity(of: id)
  }

  /// Removes all products from the server's cart.
  public func emptyCart() {
    cart.empty()
  }
}
