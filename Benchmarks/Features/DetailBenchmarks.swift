import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsGCD
import Dispatch
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontTesting
import StorefrontViewModels
import Synchronization

/// The detail of a product: the time until the product shows, and the time until a new price shows.
enum DetailBenchmarks {
  static func groups(server: ServerProcess, catalog: Catalog) -> [BenchmarkGroup] {
    [opening(.http(server), catalog), opening(.memory, catalog), prices(catalog)].map(\.group)
  }

  /// Creates a view model for each iteration, because a loaded product does not load again.
  private static func opening(_ backend: Backend, _ catalog: Catalog) -> FeatureBenchmark {
    FeatureBenchmark(
      feature: "Detail", title: "open a product", unit: "product", backend: backend, catalog: catalog
    ) { stage, storefronts in
      guard let id = catalog.products.first?.id else { throw NothingToShow() }
      switch stage {
      case .closure:
        return .opening {
          ProductDetailClosureViewModel(
            itemID: id, source: .list, service: storefronts.closure,
            callbackQueue: DispatchQueue(label: "callbacks"))
        } bind: {
          $0.bind($1)
        } load: {
          $0.load()
        } outcome: {
          $0.content.outcome
        }
      case .stream:
        return .opening {
          ProductDetailStreamViewModel(itemID: id, source: .list, service: storefronts.closure)
        } load: {
          $0.load()
        } outcome: {
          $0.content.outcome
        }
      case .async:
        return .opening {
          ProductDetailViewModel(itemID: id, source: .list, service: storefronts.async)
        } load: {
          await $0.load()
        } outcome: {
          $0.content.outcome
        }
      }
    }
  }

  /// Sends one price after the other. Waits after each of them until it shows.
  private static func prices(_ catalog: Catalog) -> FeatureBenchmark {
    FeatureBenchmark(
      feature: "Detail", title: "receive a price, and see it", unit: "price", backend: .memory,
      catalog: catalog
    ) { stage, storefronts in
      guard let id = catalog.products.first?.id else { throw NothingToShow() }
      let feed = DetailFeed(of: id)
      switch stage {
      case .closure:
        return .changing(
          ProductDetailClosureViewModel(
            itemID: id, source: .list, service: storefronts.closure, feed: feed,
            callbackQueue: DispatchQueue(label: "callbacks"))
        ) {
          $0.bind($1)
        } begin: { viewModel in
          await Workload.completion { viewModel.load(completion: $0) }
        } change: { _ in
          let price = feed.send()
          return { $0.content.value?.price == price }
        }
      case .stream:
        return .changing(
          ProductDetailStreamViewModel(
            itemID: id, source: .list, service: storefronts.closure, feed: feed,
            callbackQueue: DispatchQueue(label: "callbacks"))
        ) { viewModel in
          await Workload.completion { viewModel.load(completion: $0) }
        } change: { _ in
          let price = feed.send()
          return { $0.content.value?.price == price }
        }
      case .async:
        return .changing(
          ProductDetailViewModel(itemID: id, source: .list, service: storefronts.async, feed: feed)
        ) {
          await $0.load()
        } change: { _ in
          let price = feed.send()
          return { $0.content.value?.price == price }
        }
      }
    }
  }
}

/// The error of a catalog without products.
private struct NothingToShow: Error, CustomStringConvertible {
  var description: String { "the catalog has no product" }
}

/// Sends prices of one product to its reader at once.
private final class DetailFeed: ProductFeed, ProductClosureFeed {
  private struct Reading {
    var price = 1
    var receive: @Sendable (ProductUpdate) -> Void = { _ in }
  }

  private let product: CatalogProduct.ID
  private let reading = Mutex(Reading())

  init(of product: CatalogProduct.ID) { self.product = product }

  /// Sends the next price, and returns it.
  func send() -> Money {
    let (price, receive) = reading.withLock { reading in
      reading.price += 1
      return (Money(minorUnits: reading.price, currency: .usd), reading.receive)
    }
    receive(ProductUpdate(product: product, price: price))
    return price
  }

  func updates(of products: Set<CatalogProduct.ID>?) -> AsyncThrowingStream<ProductUpdate, any Error> {
    let (stream, continuation) = AsyncThrowingStream<ProductUpdate, any Error>.makeStream()
    reading.withLock { $0.receive = { continuation.yield($0) } }
    return stream
  }

  func updates(
    of products: Set<CatalogProduct.ID>?, on queue: DispatchQueue,
    receive: @escaping @Sendable (ProductUpdate) -> Void,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    reading.withLock { $0.receive = { update in queue.async { receive(update) } } }
    return CancellationToken {}
  }

  func connectionStates() -> AsyncStream<ProductFeedState> { AsyncStream { $0.finish() } }

  func bindConnection(
    on queue: DispatchQueue, _ observer: @escaping @Sendable (ProductFeedState) -> Void
  ) -> CancellationToken {
    .finished
  }
}
