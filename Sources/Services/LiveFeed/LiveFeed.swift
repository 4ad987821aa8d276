import AsyncViewModels
import Foundation
import StorefrontDomain

/// The feed of a storefront over HTTP: `GET /feed`, as server-sent events.
///
/// An update that cannot be decoded ends the feed with an error that names the event. Events of
/// types other than `product` are ignored, so that the server can add types.
///
/// - Ownership: The feed ends when it is released. Its readers and its connection do not retain it.
final class LiveFeed: Sendable {
  static let name = "GET /feed"

  private let hub: ProductFeedHub

  /// Creates a feed without a connection.
  ///
  /// - Parameter makeTransport: Creates the transport of a connection, so that a server that sends
  ///   without end does not delay other requests. If it cannot stream, the feed fails.
  init(
    base: BaseURL, makeTransport: @escaping @Sendable () -> any HTTPTransport,
    middleware: [any HTTPMiddleware] = [],
    policy: EventSourcePolicy, clock: any Clock<Duration>,
    generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) {
    let url = base.appending("/feed", query: [])
    hub = ProductFeedHub { connection in
      guard let transport = makeTransport() as? any StreamingTransport else {
        connection.end(with: .unreachable("the transport cannot stream a response"))
        return .finished
      }
      let source = EventSource(
        url: url, transport: transport, middleware: middleware, policy: policy, clock: clock,
        generator: generator)
      // All requests of the connection are made for the account of its first reader.
      let call = HTTPCall(.current) { connection.end(with: $0, isCancelled: true) }
      return AccountVersion.runUnbound {
        CancellationToken.run(completion: { _ in }) {
          await HTTPCall.$current.withValue(call) { await Self.run(source, for: connection) }
        }
      }
    }
  }

  deinit { hub.finish() }

  func updates(of products: Set<CatalogProduct.ID>?) -> AsyncThrowingStream<ProductUpdate, any Error> {
    hub.updates(of: products)
  }

  func connectionStates() -> AsyncStream<ProductFeedState> { hub.connectionStates() }

  var readerCount: Int { hub.readerCount }

  private static func run(_ source: EventSource, for connection: ProductFeedHub.Connection) async {
    do {
      try await source.run { state in
        connection.report(ProductFeedState(state))
      } onEvent: { event throws(ServiceError) in
        if let update = try update(in: event) { connection.send(update) }
      }
      connection.end(with: nil)
    } catch let error as ServiceError {
      connection.end(with: named(error))
    } catch {
      // The last reader has left, so the connection has already ended.
    }
  }

  /// The update of an event of the type `product`.
  static func update(in event: ServerSentEvent) throws(ServiceError) -> ProductUpdate? {
    guard event.type == "product" else { return nil }
    let json = Data(event.data.utf8)
    do {
      return try JSONDecoder().decode(ProductUpdate.self, from: json)
    } catch {
      throw .malformed("event \"\(event.lastEventID)\": \(error.decodingReason(in: json))".presentable)
    }
  }

  private static func named(_ error: ServiceError) -> ServiceError {
    if case .malformed(let reason) = error { .malformed("\(name): \(reason)") } else { error }
  }
}

extension ProductFeedState {
  fileprivate init(_ state: EventSource.State) {
    self =
      switch state {
      case .connecting: .connecting
      case .open: .open
      case .waiting(let delay, let error): .waiting(delay, after: error)
      }
  }
}
