import AsyncViewModelsTesting
public import Foundation
public import StorefrontDomain
import Synchronization

/// A storefront's server on this machine: real sockets on 127.0.0.1, HTTP/1.1 with keep-alive, JSON.
///
/// | request | answer |
/// | --- | --- |
/// | `GET /products?page=0&size=20` | a `Page` of products; `size` is at most 1,000 |
/// | `GET /products/ID` | a `Product`, or 404 |
/// | `GET /search?q=…` | at most 50 `SearchHit`s, the best first |
/// | `GET /profile`, `/orders`, `/recommendations` | a `Profile`, `[Order]`, `[Product]` |
/// | `PUT /profile` with `{"name": …, "email": …, "version": N}` | the `Profile` in its new version; 409 with the `current` one where that is not version N, 422 for a value that breaks a rule |
/// | `GET /posts` | `[Post]`, the newest first |
/// | `DELETE /posts/ID` | 404 where there is none |
/// | `POST /cart/changes` with `{"product": ID, "delta": N}` | what the cart holds now; 404, or 409 with the reason |
///
/// A wrong parameter is answered with 400 and `{"error": …, "parameter": NAME}`; a request that is not HTTP with 400 and
/// the end of the connection. The server has one cart, one profile and one list of posts.
///
/// - Isolation: none; every member may be used from anywhere. All connections are served by one thread of its own.
/// - Lifetime: it stops when its last reference goes away.
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

  public let catalog: Catalog

  private let cart = LoopbackCart()
  private let storedProfile: LoopbackProfile
  private let storedPosts: LoopbackPosts
  private let script = LoopbackScript()
  private let running = Mutex<Running?>(nil)

  /// An origin that is not started yet.
  public init(catalog: Catalog = .seeded()) {
    self.catalog = catalog
    storedProfile = LoopbackProfile(catalog.profile)
    storedPosts = LoopbackPosts(catalog.posts)
  }

  deinit { stop() }

  /// Starts to serve, on a port that is free, and returns ``baseURL``. Where it serves already, it goes on.
  ///
  /// - Throws: ``LoopbackError``, where the system has no socket or no port left.
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
        started, listener, script,
        LoopbackRoutes(catalog: catalog, cart: cart, profile: storedProfile, posts: storedPosts))
      running = started
      return started.url
    }
  }

  /// Stops: closes every connection and the port, and returns when that is done. It may be started again.
  public func stop() {
    let stopped = running.withLock { $0.take() }
    stopped?.stopFlag.isSet.store(true, ordering: .releasing)
    stopped?.wakePipe.wake()
    stopped?.ended.wait()
  }

  /// Where it serves.
  ///
  /// - Precondition: it was started.
  public var baseURL: URL {
    guard let url = running.withLock({ $0?.url }) else {
      preconditionFailure("LoopbackHTTPServer.baseURL: the origin was not started")
    }
    return url
  }

  private static func startThread(
    _ running: Running, _ listener: Socket, _ script: LoopbackScript, _ routes: sending LoopbackRoutes
  ) {
    let confined = Mutex<LoopbackRoutes?>(routes)
    let thread = Thread {
      do {
        guard let routes = confined.withLock({ $0.take() }) else { return }
        var loop = LoopbackEventLoop(
          listener: listener, wakePipe: running.wakePipe, script: script, routes: routes)
        loop.run { running.stopFlag.isSet.load(ordering: .acquiring) }
      }
      running.ended.leave()
    }
    thread.name = "LoopbackHTTPServer"
    thread.start()
  }
}

extension LoopbackHTTPServer {
  /// How many requests were received since it was made, whatever became of them.
  public var requestCount: Int { script.state.snapshot.requestCount }

  /// How many connections were accepted since it was made.
  public var connectionCount: Int { script.state.snapshot.connectionCount }

  /// How many connections were open at a time, at most.
  public var peakConnectionCount: Int { script.state.snapshot.peakConnectionCount }

  /// How many requests met ``LoopbackFault/hold`` since it was made.
  public var keptCount: Int { script.state.snapshot.keptCount }

  /// Returns when at least `count` requests were received; early only when the waiting task is cancelled.
  public func waitForRequests(_ count: Int) async {
    _ = await script.state.waitUnlessCancelled { $0.requestCount >= count }
  }

  /// Returns when at least `count` connections have ended, by either side; early only when the waiting task is cancelled.
  public func waitForEndedConnections(_ count: Int) async {
    _ = await script.state.waitUnlessCancelled { $0.endedConnectionCount >= count }
  }

  /// Makes the next `count` requests go wrong; only those for exactly `path` (`/products`), where one is given.
  ///
  /// What was scripted first happens first.
  ///
  /// - Precondition: `count` is not negative.
  public func fail(next count: Int = 1, with fault: LoopbackFault, on path: String? = nil) {
    precondition(count >= 0, "LoopbackHTTPServer.fail: the number of requests is negative: \(count)")
    guard count > 0 else { return }
    script.state.update { $0.lines.append(.init(fault: fault, path: path, remaining: count)) }
  }

  /// Answers every request that is being held.
  public func release() {
    script.state.update { $0.releases += 1 }
    running.withLock { $0?.wakePipe }?.wake()
  }

  /// The profile as the server has it by now.
  public var profile: Profile { storedProfile.current }

  /// The posts that the server has left.
  public var posts: [Post] { storedPosts.current }

  /// How many of a product the server's cart holds.
  public func cartQuantity(of id: Product.ID) -> Int {
    cart.quantity(of: id)
  }

  /// Takes everything out of the server's cart.
  public func emptyCart() {
    cart.empty()
  }
}
