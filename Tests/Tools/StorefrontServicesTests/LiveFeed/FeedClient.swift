import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Foundation
import StorefrontDomain
import StorefrontServices
import Testing

/// The forms of a feed: streams and callbacks, each directly and behind a bridge.
enum FeedForm: CaseIterable, Sendable {
  case stream, closure, bridgedStream, bridgedClosure
}

/// A feed of any form, behind the same functions.
struct FeedClient: Sendable {
  let follow: @Sendable (Set<CatalogProduct.ID>?) -> FeedReader
  let states: @Sendable () -> FeedStates
  /// The feed itself, for leak checks.
  let service: any AnyObject & Sendable

  private init(stream feed: some ProductFeed, of service: any AnyObject & Sendable) {
    follow = { FeedReader(feed.updates(of: $0)) }
    states = {
      let states = FeedStates()
      let task = Task { [log = states.log] in
        for await state in feed.connectionStates() { log.update { $0.append(state) } }
      }
      states.keep(CancellationToken { task.cancel() })
      return states
    }
    self.service = service
  }

  private init(closure feed: some ProductClosureFeed, of service: any AnyObject & Sendable) {
    follow = { products in
      FeedReader { queue, receive, completion in
        feed.updates(of: products, on: queue, receive: receive, completion: completion)
      }
    }
    states = {
      let states = FeedStates()
      states.keep(
        feed.bindConnection(on: DispatchQueue(label: "FeedStates")) { [log = states.log] state in
          log.update { $0.append(state) }
        })
      return states
    }
    self.service = service
  }

  init(_ form: FeedForm, _ feed: some ProductFeed & AnyObject) {
    switch form {
    case .stream, .bridgedStream: self.init(stream: feed, of: feed)
    case .closure, .bridgedClosure: self.init(closure: feed.asClosure, of: feed)
    }
  }

  init(_ form: FeedForm, closures feed: some ProductClosureFeed & AnyObject) {
    switch form {
    case .stream, .bridgedStream: self.init(stream: feed.asAsync, of: feed)
    case .closure, .bridgedClosure: self.init(closure: feed, of: feed)
    }
  }

  /// The feed of the server at `url`. Its limits are longer than a test, unless the test sets them.
  static func http(
    _ form: FeedForm, _ url: URL, idleTimeout: Duration = .seconds(100_000),
    middleware: [any HTTPMiddleware] = [], clock: any Clock<Duration> = VirtualClock()
  ) throws -> Self {
    var options = HTTPOptions(
      limits: HTTPLimits(idleTimeout: idleTimeout), retry: .none, clock: clock)
    options.middleware = middleware
    return switch form {
    case .stream, .bridgedClosure: Self(form, try HTTPStorefront(baseURL: url, options: options))
    case .closure, .bridgedStream:
      Self(form, closures: try HTTPClosureStorefront(baseURL: url, options: options))
    }
  }

  static func inMemory(_ form: FeedForm, _ feed: InMemoryProductFeed) -> Self {
    switch form {
    case .stream, .bridgedClosure: Self(form, feed)
    case .closure, .bridgedStream: Self(form, closures: feed)
    }
  }
}

/// One reader of a feed. Records the updates and the end, and can pause.
final class FeedReader: Sendable {
  struct Log: Sendable {
    var updates: [ProductUpdate] = []
    var end: Result<Void, any Error>?
    var endCount = 0
    var isPaused = false
  }

  let log: Monitor<Log>
  private let setPaused: @Sendable (Bool) -> Void
  /// The queue of the callbacks, or `nil` if this reader reads a stream.
  private let queue: DispatchQueue?
  private let token: CancellationToken

  /// Reads a stream in a task.
  init(_ stream: AsyncThrowingStream<ProductUpdate, any Error>) {
    let log = Monitor(Log())
    let task = Task {
      let end: Result<Void, any Error>
      do {
        for try await update in stream {
          log.update { $0.updates.append(update) }
          await log.wait { !$0.isPaused }
        }
        end = .success(())
      } catch {
        end = .failure(error)
      }
      log.update { ($0.end, $0.endCount) = (end, $0.endCount + 1) }
    }
    self.log = log
    queue = nil
    setPaused = { isPaused in log.update { $0.isPaused = isPaused } }
    token = CancellationToken { task.cancel() }
  }

  /// Receives callbacks on a queue.
  init(
    _ register: (
      DispatchQueue, _ receive: @escaping @Sendable (ProductUpdate) -> Void,
      _ completion: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) -> CancellationToken
  ) {
    let log = Monitor(Log())
    let queue = DispatchQueue(label: "FeedReader")
    self.log = log
    self.queue = queue
    setPaused = { $0 ? queue.suspend() : queue.resume() }
    token = register(queue) { update in
      dispatchPrecondition(condition: .onQueue(queue))
      log.update { $0.updates.append(update) }
    } _: { end in
      dispatchPrecondition(condition: .onQueue(queue))
      log.update { ($0.end, $0.endCount) = (end, $0.endCount + 1) }
    }
  }

  /// Stops reading until ``resume()`` is called.
  func pause() { setPaused(true) }

  func resume() { setPaused(false) }

  func cancel() { token.cancel() }

  var updates: [ProductUpdate] { log.snapshot.updates }

  /// Waits until at least `count` updates are recorded, and returns all. Returns early only if the feed ends.
  func waitForUpdates(_ count: Int) async -> [ProductUpdate] {
    _ = await log.waitUnlessCancelled { $0.updates.count >= count || $0.end != nil }
    return updates
  }

  /// Waits until the callbacks that are already in the queue have run.
  func waitForCallbacks() async {
    await withCheckedContinuation { continuation in
      guard let queue else { return continuation.resume() }
      queue.async { continuation.resume() }
    }
  }

  /// Waits until the feed ends.
  ///
  /// - Throws: The error of the feed.
  func waitForEnd() async throws {
    guard await log.waitUnlessCancelled(until: { $0.end != nil }) else { throw CancellationError() }
    try log.snapshot.end?.get()
  }
}

/// The recorded states of a connection.
final class FeedStates: Sendable {
  let log = Monitor<[ProductFeedState]>([])
  private let token = Monitor<CancellationToken?>(nil)

  func keep(_ token: CancellationToken) { self.token.update { $0 = token } }

  var all: [ProductFeedState] { log.snapshot }

  /// Waits until the last recorded state is `state`.
  func wait(for state: ProductFeedState) async {
    _ = await log.waitUnlessCancelled { $0.last == state }
  }
}

extension VirtualClock {
  /// Waits until a feed waits for a reconnection, and returns the time that it waits.
  ///
  /// A feed always sleeps: before a reconnection for at most two minutes, and otherwise for its longer idle time.
  func waitForReconnection() async throws -> Duration {
    try await until { isBeforeReconnection }
    return now.duration(to: try #require(nextDeadline))
  }

  /// Whether a feed waits for a reconnection.
  var isBeforeReconnection: Bool { nextDeadline.map { now.duration(to: $0) <= .seconds(120) } ?? false }

  /// Waits until a feed waits for a reconnection, and lets it connect again.
  func reconnect() async throws { advance(by: try await waitForReconnection()) }
}
